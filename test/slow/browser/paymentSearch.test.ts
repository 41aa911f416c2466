// Finding payments in a browser: by search, by links of the overview, with the reason of a denial, and as CSV.
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Page } from 'playwright-core'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Stage } from '../../support/policies.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { browsing, settled } from './browser.js'
import { openAs } from './people.js'

const SHOP = `0x${'5'.repeat(40)}`
const scope = wholeFile(test)
let stage: Stage
let person: Person
let policyId: string
test.before('an agent has paid', async () => {
  stage = await startStage(scope, Date.now())
  const rule = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }
  ;({ id: policyId } = await stage.policy([rule], { name: 'Nothing above a hundred' }))
  const agent = await stage.agent({ name: 'Buyer' })
  await stage.assign(policyId, agent)
  await stage.pay(agent, 20, {
    recipientAddress: SHOP,
    recipientName: 'Shop',
    category: 'DATA',
    purpose: 'Ten =1+1 chairs',
  })
  await stage.pay(agent, 3, { category: 'COMPUTE', purpose: 'An hour of a machine' })
  await stage.ask(agent, 500, { purpose: 'A car' })
  person = await newPerson(stage.client, 'VIEWER')
})
const { browse } = browsing(test, () => stage.url)

const purposes = async (page: Page): Promise<string[]> => {
  await settled(page)
  const rows = await page.getByRole('row').allInnerTexts()
  return ['Ten =1+1 chairs', 'An hour of a machine', 'A car'].filter((text) => rows.some((row) => row.includes(text)))
}

browse('payments are searched by any of their texts, and the search stays in the address', async (t, page) => {
  await openAs(page, person, stage.url, 'payments')
  await page.getByText('A car').waitFor()
  for (const [text, found] of [
    ['shop', ['Ten =1+1 chairs']],
    ['HOUR', ['An hour of a machine']],
    ['nothing of this', []],
  ] as const) {
    await page.getByLabel('Search').fill(text)
    await page.waitForURL(new RegExp(`search=${text.replaceAll(' ', '(\\+|%20)')}`))
    t.deepEqual(await purposes(page), found)
  }
  await page.getByText('No results').waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByText('A car').waitFor()
})

browse('a denied payment says why in the list', async (t, page) => {
  await openAs(page, person, stage.url, 'payments?status=DENIED')
  const row = page.getByRole('row').filter({ hasText: 'A car' })
  t.regex(await row.innerText(), /Denied\s+.*100/s)
})

browse('what the overview sums leads to its payments, and back to all', async (t, page) => {
  for (const [card, name, found] of [
    ['By recipient', 'Shop', ['Ten =1+1 chairs']],
    ['By policy', 'Nothing above a hundred', ['Ten =1+1 chairs', 'An hour of a machine']],
  ] as const) {
    await openAs(page, person, stage.url)
    await settled(page)
    const part = page.locator('.card').filter({ has: page.getByRole('heading', { name: card }) })
    // The middle of a name in quotation marks is not where Playwright clicks.
    await part.getByRole('link', { name }).click({ position: { x: 20, y: 8 } })
    await page.getByText(/Only payments of one/).waitFor()
    t.deepEqual(await purposes(page), found, card)
  }
  await openAs(page, person, stage.url)
  await settled(page)
  const categories = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'By category' }) })
  await categories.getByRole('link', { name: 'Data' }).click()
  await page.waitForURL(/category=/)
  t.is(await page.getByRole('combobox', { name: 'Category', exact: true }).inputValue(), 'DATA')
  t.deepEqual(await purposes(page), ['Ten =1+1 chairs'])
  await openAs(page, person, stage.url, `payments?policy=${policyId}`)
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByText('Only payments of one').waitFor({ state: 'detached' })
})

browse('what is shown is downloaded as CSV', async (t, page) => {
  await openAs(page, person, stage.url, 'payments?search=chairs')
  t.deepEqual(await purposes(page), ['Ten =1+1 chairs'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  t.is(download.suggestedFilename(), 'payments.csv')
  const { body } = await stage.client.get<string>('/api/payments/export?search=chairs', ORGANIZATION_KEY)
  t.is(readFileSync(await download.path(), 'utf8'), body)
})

for (const width of [360, 768, 1440]) {
  browse(`the list fits a screen of ${width} pixels`, async (t, page) => {
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, person, stage.url, 'payments')
    await page.getByText('500.00 USDC').waitFor()
    t.true(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
  })
}
