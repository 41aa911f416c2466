// A real browser for tests of the dashboard: Debian's chromium, which asks nobody but the service under test. What a
// page complains of, or asks of anybody else, fails the test it happens in.
import { existsSync } from 'node:fs'
import type { ExecutionContext, TestFn } from 'ava'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { notRun } from '../notRun.js'

const CHROMIUM = '/usr/bin/chromium'
const LACKING = 'Chromium (Debian: apt-get install chromium)'
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
  /** What the page complained of, and where it went that it must not. */
  complaints: string[]
}

type Options = BrowserContextOptions & { url: string }

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET })
}

/** A page of its own, without cookies; it shows the service at `url`. */
export async function visit(browser: Browser, { url, ...options }: Options): Promise<Visit> {
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
    // An answer of 4xx is expected here and there; the browser says so by itself.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`asked for ${request.url()}`)
  })
  return { page, complaints }
}

/** Until nothing on the page stands in for what is still read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
}

export interface Browsing {
  /** A test with a page of its own, shown to somebody who has not signed in. */
  browse(title: string, run: (t: ExecutionContext, page: Page) => Promise<void>, options?: BrowserContextOptions): void
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
          // An answer that a test held back may still be on its way to a page that wants it no more.
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          await page.context().close()
        }
        t.deepEqual(complaints, [])
      })
    },
  }
}
