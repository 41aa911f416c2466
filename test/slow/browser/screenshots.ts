// npm run screenshots: a picture of every page, light, dark and on a phone, in docs/screenshots. With names of pages as
// arguments, only of those.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../support/root.js'
import type { Scope } from '../../support/process.js'
import { LAPTOP, launch, PHONE, settled, visit } from './browser.js'
import { withPalette } from './palette.js'
import { openAs } from './people.js'
import { placesOf, type Shown } from './places.js'
import { tellStory } from './story.js'

const FOLDER = join(projectRoot, 'docs', 'screenshots')
const LOOKS = [
  { look: 'light', options: { colorScheme: 'light', viewport: LAPTOP } },
  { look: 'dark', options: { colorScheme: 'dark', viewport: LAPTOP } },
  { look: 'phone', options: { colorScheme: 'light', viewport: PHONE, isMobile: true, hasTouch: true } },
] as const
/** The pages for people who have not signed in. */
const DOORS = [
  { name: 'sign-in', address: '/signin', sign: 'E-mail address' },
  { name: 'setup', address: '/setup?token=example', sign: 'New password' },
]
/** Taller pages are cut. */
const TALLEST = 1500

const cleanings: (() => void | Promise<void>)[] = []
const scope: Scope = { teardown: (clean) => void cleanings.push(clean) }
const wanted = process.argv.slice(2)
const isWanted = ({ name }: Pick<Shown, 'name'>): boolean => wanted.length === 0 || wanted.includes(name)

mkdirSync(FOLDER, { recursive: true })
try {
  const story = await tellStory(scope)
  const browser = await launch()
  cleanings.push(() => browser.close())
  for (const { look, options } of LOOKS) {
    const { page, complaints } = await visit(browser, { url: story.url, ...options })
    for (const { name, address, sign } of DOORS.filter(isWanted)) {
      await page.goto(story.url + address)
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
