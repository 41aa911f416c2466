// A real browser for tests of the dashboard: Debian's chromium, which talks only to the service under test. If a page
// logs an error, or requests anything elsewhere, its test fails.
import { existsSync } from 'node:fs'
import type { ExecutionContext, TestFn } from 'ava'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { notRun } from '../../support/notRun.js'

export const CHROMIUM = '/usr/bin/chromium'
export const LACKING = 'Chromium (Debian: apt-get install chromium)'
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const PATIENCE_MS = 30_000

export const LAPTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

export interface Visit {
  page: Page
  /** Errors of the page, and its requests to other places. */
  complaints: string[]
}

interface Elsewhere {
  /** Where else the browser may go. */
  goesTo?: () => readonly string[]
}

type Options = BrowserContextOptions & Elsewhere & { url: string }

export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...more] })
}

/** A new page without cookies, for the service at `url`. */
export async function visit(browser: Browser, { url, goesTo, ...options }: Options): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: LAPTOP,
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // Answers of 4xx are expected in places; the browser itself logs them.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const places = [url, ...(goesTo?.() ?? [])]
    if (!places.some((place) => request.url().startsWith(place))) complaints.push(`asked for ${request.url()}`)
  })
  return { page, complaints }
}

/** Waits until the page, also what is below the screen, shows no placeholder for data that is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await mountAll(page)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
}

/** What stands below the first screen is mounted as if the page was printed. */
export const mountAll = (page: Page): Promise<unknown> => page.evaluate("dispatchEvent(new Event('beforeprint'))")

/** By how many pixels the page is wider than its screen. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

type Run = (t: ExecutionContext, page: Page) => Promise<void>

export interface Browsing {
  /** A test with its own page, for somebody who has not signed in. */
  browse(title: string, run: Run, options?: BrowserContextOptions & Elsewhere): void
}

/** Tests in one browser for the whole file; `urlOf` gives the service's address once it is known. */
export function browsing(test: TestFn, urlOf: () => string): Browsing {
  let browser: Browser | undefined
  test.after.always('the browser is closed', () => browser?.close())
  return {
    browse: (title, run, options = {}) => {
      test.serial(title, async (t) => {
        if (!existsSync(CHROMIUM)) return notRun(t, LACKING)
        browser ??= await launch()
        const { page, complaints } = await visit(browser, { url: urlOf(), ...options })
        try {
          await run(t, page)
        } finally {
          // An answer that a test held back may still be on its way to a page that no longer needs it.
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          await page.context().close()
        }
        t.deepEqual(complaints, [])
      })
    },
  }
}
