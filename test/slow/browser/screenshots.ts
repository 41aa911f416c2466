// npm run screenshots: the pictures that README and docs show, light and dark, in docs/screenshots. With a folder as its
// argument: a picture of every page there, light, dark and on a phone, to look at.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { projectRoot } from '../../support/root.js'
import type { Scope } from '../../support/process.js'
import { LAPTOP, launch, PHONE, settled, visit } from './browser.js'
import { withPalette } from './palette.js'
import { openAs } from './people.js'
import { placesOf, type Shown } from './places.js'
import { tellStory, type Story } from './story.js'

const IN_DOCS = ['overview', 'approval-payment', 'payment-denied', 'payment-executed', 'policy-edit', 'inspect-story']
const [toLookAt] = process.argv.slice(2)
const FOLDER = toLookAt === undefined ? join(projectRoot, 'docs', 'screenshots') : resolve(toLookAt)
const EVERY_LOOK = [
  { look: 'light', options: { colorScheme: 'light', viewport: LAPTOP } },
  { look: 'dark', options: { colorScheme: 'dark', viewport: LAPTOP } },
  { look: 'phone', options: { colorScheme: 'light', viewport: PHONE, isMobile: true, hasTouch: true } },
] as const
/** The pages for people who have not signed in. */
const doorsOf = ({ url, setupUrl }: Story) => [
  { name: 'sign-in', address: `${url}/signin`, sign: 'E-mail address' },
  { name: 'setup', address: setupUrl, sign: 'New password' },
]
/** Taller pages are cut. */
const TALLEST = 1500

const cleanings: (() => void | Promise<void>)[] = []
const scope: Scope = { teardown: (clean) => void cleanings.push(clean) }
const isWanted = ({ name }: Pick<Shown, 'name'>): boolean => toLookAt !== undefined || IN_DOCS.includes(name)
const LOOKS = EVERY_LOOK.filter(({ look }) => toLookAt !== undefined || look !== 'phone')

mkdirSync(FOLDER, { recursive: true })
try {
  const story = await tellStory(scope)
  const browser = await launch()
  cleanings.push(() => browser.close())
  for (const { look, options } of LOOKS) {
    const { page, complaints } = await visit(browser, { url: story.url, ...options })
    for (const { name, address, sign } of doorsOf(story).filter(isWanted)) {
      await page.goto(address)
      await page.getByText(sign).first().waitFor()
      writeFileSync(join(FOLDER, `${name}-${look}.png`), withPalette(await page.screenshot()))
    }
    await openAs(page, story.owner, story.url)
    for (const { name, place, sign, act } of placesOf(story).filter(isWanted)) {
      await page.goto(`${story.url}/#/${place}`)
      await page.getByRole('main').getByText(sign).first().waitFor()
      await act?.(page)
      await settled(page)
      const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
      const { width, height: least } = options.viewport
      await page.setViewportSize({ width, height: Math.min(TALLEST, Math.max(least, height)) })
      writeFileSync(join(FOLDER, `${name}-${look}.png`), withPalette(await page.screenshot()))
      await page.setViewportSize(options.viewport)
    }
    for (const complaint of complaints) process.stdout.write(`${look}: ${complaint}\n`)
  }
} finally {
  for (const clean of cleanings.reverse()) await clean()
}
