// No page has a serious accessibility barrier, in light or dark, on a screen or a phone; and no page is wider than its
// screen.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'ava'
import type { Page } from 'playwright-core'
import { wholeFile } from '../../support/process.js'
import { browsing, LAPTOP, settled, widthBeyond } from './browser.js'
import { openAs } from './people.js'
import { placesOf, routePatterns } from './places.js'
import { tellStory, type Story } from './story.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DAYS = 3

const scope = wholeFile(test)
let story: Story
test.before('an organization is prepared', async () => {
  story = await tellStory(scope, DAYS)
})
const { browse } = browsing(test, () => story.url)

interface Barrier {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

/** The serious problems that axe finds, one line for each kind. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Barrier[] }
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
}

/** The narrowest phone. */
const NARROW = { width: 360, height: 740 }

const LOOKS = [
  { look: 'in light', options: { colorScheme: 'light', viewport: LAPTOP } },
  { look: 'in dark', options: { colorScheme: 'dark', viewport: LAPTOP } },
  { look: 'on a phone', options: { colorScheme: 'light', viewport: NARROW, isMobile: true } },
  { look: 'on a phone in dark', options: { colorScheme: 'dark', viewport: NARROW, isMobile: true } },
] as const

for (const { look, options } of LOOKS) {
  browse(
    `axe finds no serious barrier on any page ${look}`,
    async (t, page) => {
      await page.goto(`${story.url}/signin`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      t.deepEqual(await barriers(page), [], 'sign-in')
      await openAs(page, story.owner, story.url)
      for (const { name, place, sign, act } of placesOf(story)) {
        await page.goto(`${story.url}/#/${place}`)
        await page.getByRole('main').getByText(sign).first().waitFor()
        await act?.(page)
        await settled(page)
        t.deepEqual(await barriers(page), [], name)
        t.is(await widthBeyond(page), 0, `${name} is wider than the screen`)
      }
    },
    options,
  )
}

test('every page of the dashboard is visited', (t) => {
  const visited = placesOf(story).map(({ place }) => place.replace(/[?].*/, ''))
  const asPattern = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`)
  t.deepEqual(
    routePatterns().filter((pattern) => !visited.some((place) => asPattern(pattern).test(place))),
    [],
  )
})

browse('axe finds no serious barrier after a session has ended', async (t, page) => {
  await page.clock.install()
  await openAs(page, story.owner, story.url, 'agents')
  await page.getByRole('table').waitFor()
  await page.context().clearCookies()
  await page.clock.runFor('00:11')
  await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor()
  t.deepEqual(await barriers(page), [])
})

browse('axe finds no serious barrier in a dialog', async (t, page) => {
  await openAs(page, story.owner, story.url, 'agents')
  await page.getByRole('button', { name: 'New agent' }).click()
  await page.getByRole('dialog').waitFor()
  t.deepEqual(await barriers(page), [])
})

for (const colorScheme of ['light', 'dark'] as const) {
  browse(
    `axe finds no serious barrier where several requests are decided, in ${colorScheme}`,
    async (t, page) => {
      await openAs(page, story.owner, story.url, 'approvals')
      await page.getByLabel('Select all shown').check()
      await page.getByRole('button', { name: /^Approve \d+$/ }).click()
      await page.getByRole('dialog').getByText('in total').waitFor()
      await settled(page)
      t.deepEqual(await barriers(page), [])
    },
    { colorScheme, viewport: NARROW },
  )
}
