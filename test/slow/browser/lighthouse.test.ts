// Lighthouse finds no more than small faults on pages of each kind: at least 95 of 100 for accessibility and
// best practices. What it measures of speed is printed, because it depends on the machine.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import test from 'ava'
import type { Browser } from 'playwright-core'
import { freePort } from '../../support/programs.js'
import { notRun } from '../../support/notRun.js'
import { wholeFile } from '../../support/process.js'
import { CHROMIUM, LACKING, launch } from './browser.js'
import { placesOf } from './places.js'
import { tellStory, type Story } from './story.js'

/** No dependency: it is larger than all of them together. */
const LIGHTHOUSE = ['-y', 'lighthouse@12.8.2', '--quiet', '--output=json', '--disable-full-page-screenshot']
const MAX_REPORT_BYTES = 32 * 1024 * 1024
const LEAST = 95
/** For a machine that does much else. */
const PATIENCE_MS = 600_000
const CATEGORIES = ['performance', 'accessibility', 'best-practices']
/** Of each kind one: figures, a list, a decision. A page takes ten seconds and more. */
const PAGES = ['overview', 'payments', 'approval-payment']

const scope = wholeFile(test)
let story: Story
let browser: Browser
let port: number
test.before('an organization is prepared, and a browser that Lighthouse can steer', async () => {
  if (!existsSync(CHROMIUM)) return
  story = await tellStory(scope, 3)
  port = await freePort()
  browser = await launch([`--remote-debugging-port=${port}`])
  scope.teardown(() => browser.close())
})

interface Scores {
  [category: string]: number
}

interface Report {
  categories: { [name: string]: { score: number | null; auditRefs: { id: string; weight: number }[] } }
  audits: { [id: string]: { score: number | null } }
  runtimeError?: { message: string }
}

/** On Lighthouse's phone, of 100 each; signed in where there is a cookie. */
async function scoresOf(address: string, Cookie?: string): Promise<{ scores: Scores; failed: string[] }> {
  const headers = Cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie })}`]
  const args = [...LIGHTHOUSE, address, `--port=${port}`, `--only-categories=${CATEGORIES.join()}`, ...headers]
  const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: MAX_REPORT_BYTES })
  const { categories, audits, runtimeError } = JSON.parse(stdout) as Report
  if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`)
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]!.score ?? 0) * 100)])
  const asserted = CATEGORIES.slice(1).flatMap((name) => categories[name]!.auditRefs)
  const failed = asserted.filter(({ id, weight }) => weight > 0 && audits[id]!.score === 0).map(({ id }) => id)
  return { scores: Object.fromEntries(scores) as Scores, failed }
}

test(`Lighthouse gives pages of each kind at least ${LEAST} for accessibility and best practices`, async (t) => {
  if (!existsSync(CHROMIUM)) return notRun(t, LACKING)
  t.timeout(PATIENCE_MS)
  const places = placesOf(story).filter(({ name }) => PAGES.includes(name))
  t.is(places.length, PAGES.length)
  const signedIn = places.map(({ name, place }) => ({ name, path: `/#/${place}`, cookie: story.owner.cookie }))
  for (const { name, path, cookie } of [{ name: 'sign-in', path: '/signin', cookie: undefined }, ...signedIn]) {
    const { scores, failed } = await scoresOf(story.url + path, cookie)
    t.log(name, JSON.stringify(scores))
    t.true(scores['accessibility']! >= LEAST && scores['best-practices']! >= LEAST, `${name}: ${failed.join(', ')}`)
  }
})
