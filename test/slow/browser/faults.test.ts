// An error on a page stays there: the page says what is wrong, and the other pages can still be reached.
import test from 'ava'
import type { Page } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

/** Goes to another page by the navigation. */
async function leadsOn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Wallets' }).first().click()
  await page.getByRole('heading', { name: 'Wallets', exact: true }).waitFor()
}

const DAYLESS = ['payments', 'audit'].flatMap((page) => [`${page}?from=yesterday`, `${page}?until=2031-13-45`])
for (const place of DAYLESS) {
  browse(`an invalid day in the address is named beside its filter: ${place}`, async (t, page) => {
    await openAs(page, await stage.person(), stage.url, place)
    await page.getByText(`“${place.split('=')[1]}” in the URL is not a date`).waitFor()
    await page.getByLabel(place.includes('from') ? 'From' : 'To', { exact: true }).fill('2031-07-01')
    await page.getByText('is not a date').waitFor({ state: 'detached' })
    await leadsOn(page)
    t.pass()
  })
}

for (const place of ['payments/%', 'agents/%E0%A4%A', 'inspect/payment/%zz']) {
  browse(`a malformed address shows that there is no such page: ${place}`, async (t, page) => {
    await openAs(page, await stage.person(), stage.url, place)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await leadsOn(page)
    t.pass()
  })
}

browse('the theme can be changed even if the browser denies storage', async (t, page) => {
  await page.addInitScript(() => {
    const denied = (): never => {
      throw new DOMException('The document is denied storage', 'SecurityError')
    }
    Object.defineProperty(globalThis, 'localStorage', { get: denied })
  })
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('button', { name: 'Theme: system' }).first().click()
  await page.getByText('The browser does not store settings').waitFor()
  t.is(await page.evaluate('document.documentElement.dataset.theme'), 'light')
  await leadsOn(page)
})

browse('a page that cannot be rendered says so, and is rendered once it can be', async (t, page) => {
  const { id, name } = await stage.policy([])
  await page.route(`**/api/policies/${id}`, (route) => route.fulfill({ json: { name } }))
  await openAs(page, await stage.person(), stage.url, `policies/${id}`)
  await page.getByRole('alert').getByText('Something went wrong on this page').waitFor()
  await leadsOn(page)
  await page.unroute(`**/api/policies/${id}`)
  await page.goBack()
  await page.getByRole('heading', { name }).waitFor()
  t.is(await page.getByText('Something went wrong on this page').count(), 0)
})
