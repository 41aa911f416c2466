// The API reference in a browser: filter and links, a phone's width, light and dark themes, accessibility by axe, and
// its use without scripts.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'ava'
import type { Page } from 'playwright-core'
import { start } from '../../support/service.js'
import { wholeFile } from '../../support/process.js'
import { browsing, LAPTOP, PHONE } from './browser.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const scope = wholeFile(test)
let url: string
test.before('the service runs', async () => {
  url = (await start(scope)).url
})
const { browse } = browsing(test, () => url)

const shown = (page: Page): Promise<number> => page.locator('.operation:visible').count()

browse('the filter leaves only operations with every word, in the index and on the page', async (t, page) => {
  await page.goto(`${url}/docs`)
  const all = await shown(page)
  t.true(all > 100)
  await page.getByLabel('Filter').fill('freeze agents')
  t.deepEqual(await page.locator('.operation:visible .path').allTextContents(), [
    '/api/agents/{agentId}/freeze',
    '/api/agents/{agentId}/unfreeze',
  ])
  t.is(await page.locator('nav li:visible').count(), 3 + 2)
  await page.getByLabel('Filter').fill('')
  t.is(await shown(page), all)
})

browse('a link of the index leads to its operation, whose answers expand', async (t, page) => {
  await page.goto(`${url}/docs`)
  await page
    .getByRole('link', { name: /Execute an approved payment/ })
    .first()
    .click()
  t.true(page.url().endsWith('#executePayment'))
  const section = page.locator('#executePayment')
  await section.getByText('200', { exact: true }).click()
  await section.getByText('settlementMode').waitFor()
  t.true((await section.boundingBox())!.y < LAPTOP.height)
})

browse(
  'without scripts every operation is shown, and nothing is wider than a phone',
  async (t, page) => {
    await page.goto(`${url}/docs`)
    t.true((await shown(page)) > 100)
    t.false(await page.getByLabel('Filter').isVisible())
    t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  },
  { viewport: PHONE, javaScriptEnabled: false },
)

for (const colorScheme of ['light', 'dark'] as const) {
  browse(
    `axe finds no serious problem in the ${colorScheme} theme`,
    async (t, page) => {
      await page.goto(`${url}/docs`)
      // A few of each kind, because axe would take too long on all of them.
      const rest = '.operation:nth-of-type(n+4), [id^=schema-]'
      await page.evaluate(`document.querySelectorAll('${rest}').forEach((part) => part.remove())`)
      await page.evaluate(axe)
      const found = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as { violations: Violation[] }
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      t.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
      )
    },
    { colorScheme },
  )
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}
