// Lists in a browser: columns that a person chooses, filters in the address, rows of a phone, what a wallet's page and
// the list of agents tell, and names and ids in every list.
import test from 'ava'
import type { Page } from 'playwright-core'
import type { FundedAgent } from '../../support/payments.js'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { browsing, settled } from './browser.js'
import { openAs } from './people.js'

const SHOP = `0x${'5'.repeat(40)}`
/** With the name of its wallet, which adds to it, no longer than a name may be. */
const LONG = 'A name of ninety characters, '.repeat(4).slice(0, 89) + '.'
const scope = wholeFile(test)
let stage: Stage
let agent: FundedAgent
let person: Person
test.before('agents have paid', async () => {
  stage = await startStage(scope, Date.now())
  const rule = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }
  const { id: policyId } = await stage.policy([rule], { name: 'Nothing above a hundred' })
  agent = await stage.agent({ name: 'Buyer', terms: { spendLimitDaily: 200 } })
  const other = await stage.agent({ name: LONG })
  await stage.assign(policyId, agent)
  await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId })
  await stage.must('POST', '/api/counterparties', { name: 'Shop', address: SHOP })
  await stage.pay(other, 7, { recipientAddress: SHOP, purpose: 'Paid by another' })
  const shop = { recipientAddress: SHOP, recipientName: 'Shop' }
  await stage.pay(agent, 20, { ...shop, category: 'DATA', purpose: 'Ten chairs', reference: 'R-1' })
  await stage.ask(agent, 500, { ...shop, purpose: 'A car' })
  await stage.ask(agent, 5, { recipientAddress: SHOP, recipientName: LONG, purpose: 'Approved alone' })
  person = await newPerson(stage.client, 'ADMIN')
})
const { browse } = browsing(test, () => stage.url)

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

browse('columns are chosen, and are still there after a reload', async (t, page) => {
  await openAs(page, person, stage.url, 'payments')
  await row(page, 'Ten chairs').waitFor()
  const heads = () => page.getByRole('columnheader').allInnerTexts()
  t.deepEqual(await heads(), ['Recipient', 'Amount', 'Status', 'Agent', 'Purpose', 'Requested'])
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Reference').check()
  await page.getByLabel('Agent', { exact: true }).and(page.getByRole('checkbox')).uncheck()
  await page.keyboard.press('Escape')
  t.deepEqual(await heads(), ['Recipient', 'Amount', 'Status', 'Purpose', 'Reference', 'Requested'])
  await page.reload()
  await row(page, 'R-1').waitFor()
  t.deepEqual(await heads(), ['Recipient', 'Amount', 'Status', 'Purpose', 'Reference', 'Requested'])
})

browse('payments are filtered by amount, reason, wallet and category, all in the address', async (t, page) => {
  await openAs(page, person, stage.url, 'payments')
  await row(page, 'Ten chairs').waitFor()
  const shown = async (): Promise<string[]> => {
    await settled(page)
    const rows = await page.getByRole('row').allInnerTexts()
    const all = ['Ten chairs', 'A car', 'Approved alone', 'Paid by another']
    return all.filter((text) => rows.some((one) => one.includes(text)))
  }
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Amount from').fill('6')
  await page.getByLabel('Amount up to').fill('100')
  await page.waitForURL(/min=6&max=100/)
  t.deepEqual(await shown(), ['Ten chairs', 'Paid by another'])
  await page.getByRole('combobox', { name: 'Wallet', exact: true }).selectOption(agent.walletId)
  t.deepEqual(await shown(), ['Ten chairs'])
  await page.reload()
  await row(page, 'Ten chairs').waitFor()
  t.is(await page.getByLabel('Amount up to').inputValue(), '100')
  t.is(await page.getByRole('combobox', { name: 'Wallet', exact: true }).inputValue(), agent.walletId)
  t.deepEqual(await shown(), ['Ten chairs'])
  await openAs(page, person, stage.url, 'payments?violation=AMOUNT_LIMIT')
  await row(page, 'A car').waitFor()
  t.deepEqual(await shown(), ['A car'])
  await openAs(page, person, stage.url, 'payments?category=data')
  await row(page, 'Ten chairs').waitFor()
  t.deepEqual(await shown(), ['Ten chairs'])
  const name = row(page, 'Ten chairs').getByRole('cell').first()
  t.regex(await name.innerText(), /^\s*“?Shop[^]*0x5555…5555/)
  await name.getByRole('button', { name: 'Copy the name' }).waitFor()
  await name.getByRole('button', { name: 'Copy the address' }).waitFor()
})

browse(
  'on a phone a payment takes two lines',
  async (t, page) => {
    await openAs(page, person, stage.url, 'payments')
    await page.getByText('500.00 USDC').waitFor()
    await settled(page)
    const rows = await page.locator('tbody tr').all()
    t.is(rows.length, 4)
    for (const one of rows) t.true((await one.boundingBox())!.height <= 72)
    t.true(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
  },
  { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
)

browse("a wallet's page says what is available, who may spend, its policies and payments", async (t, page) => {
  await openAs(page, person, stage.url, 'wallets')
  await page.getByRole('link', { name: /Buyer/ }).click()
  const figure = (label: string) => page.locator('.figure').filter({ hasText: label }).innerText()
  await page.getByText('Reserved now').waitFor()
  t.regex(await figure('Reserved now'), /\n5\.00 USDC/)
  const [balance, available] = [await figure('Balance'), await figure('Available')].map((text) =>
    Number(/\n([\d,.]+) USDC/.exec(text)![1]!.replaceAll(',', '')),
  )
  t.is(available, balance! - 5)
  const spender = page.locator('.card').filter({ has: page.getByRole('link', { name: 'Buyer', exact: true }) })
  await spender.getByText('175.00 left of 200.00').waitFor()
  await page.getByRole('link', { name: 'Nothing above a hundred' }).waitFor()
  await row(page, 'Ten chairs').waitFor()
  t.is(await row(page, 'Paid by another').count(), 0)
  await page.getByRole('button', { name: 'Fund' }).click()
  await page.getByLabel('Amount, USDC').fill('1000')
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click()
  await page.waitForFunction(
    (before) => !document.querySelector('.figure')?.textContent.includes(before),
    balance!.toLocaleString('en'),
  )
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await page.getByRole('link', { name: 'View all' }).click()
  await page.waitForURL(new RegExp(`payments\\?wallet=${agent.walletId}`))
  await row(page, 'Ten chairs').waitFor()
})

browse('an agent shows its limit of today and its last payment, with few requests', async (t, page) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/^\/api\/(agents|stats|payments|approval)/.test(path)) asked.push(path)
  })
  await openAs(page, person, stage.url, 'agents')
  const buyer = row(page, 'Buyer')
  await buyer.getByText('175.00 left of 200.00').waitFor()
  await settled(page)
  await buyer.getByRole('link', { name: '5.00 USDC' }).waitFor()
  t.regex(await buyer.innerText(), /20\.00/)
  t.is(await buyer.getByRole('progressbar').getAttribute('value'), '12.5')
  t.is(asked.filter((path) => path.startsWith('/api/agents')).length, 1)
  t.is(asked.filter((path) => path.startsWith('/api/stats')).length, 2)
})

browse('lists begin with the name, and ids follow to copy', async (t, page) => {
  for (const [place, name, what] of [
    ['agents', 'Buyer', 'agent id'],
    ['policies', 'Nothing above a hundred', 'policy id'],
    ['counterparties', 'Shop', 'address'],
    ['wallets', 'Wallet of A name', 'address'],
  ] as const) {
    await openAs(page, person, stage.url, place)
    const cell = row(page, name).getByRole('cell').first()
    await cell.getByRole('button', { name: `Copy the ${what}` }).waitFor()
    t.true((await cell.innerText()).replace(/^[\s“"]+/, '').startsWith(name), place)
    t.true(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), place)
  }
})
