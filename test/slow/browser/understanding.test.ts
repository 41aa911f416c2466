// Understanding in a browser: a payment's page tells what happened and why, the audit log in sentences, and Inspect with
// names, a timer and a chart that zooms.
import test from 'ava'
import type { Page } from 'playwright-core'
import { baseSepolia } from 'viem/chains'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import type { Person } from '../../support/people.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const MINUTE_MS = 60_000
const ACME = '0x00000000000000000000000000000000000000A1'
const RULES = [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 300 },
  { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 500 },
]

const scope = wholeFile(test)
let stage: ApprovalStage
let agent: FundedAgent
let person: Person
let policyId: string
let approved: string
let denied: string
test.before('a payment was approved after four minutes, and one denied by the delegation', async () => {
  stage = await startApprovals(scope)
  person = await stage.person('OWNER')
  agent = await stage.supervised({ name: 'Procurement', terms: { spendLimitDaily: 400 } })
  const policy = await stage.policy(RULES, { name: 'Everyday spending' })
  policyId = policy.id
  await stage.assign(policyId, agent)
  await stage.must('POST', '/api/counterparties', { name: 'ACME Ltd', address: ACME })
  const waiting = await stage.waiting(agent, { purpose: 'Seats for a year', recipientAddress: ACME })
  approved = waiting.requestId
  stage.setClock(stage.now() + 4 * MINUTE_MS)
  await stage.decide(person.cookie, waiting.approvalRequestId, 'APPROVED', 'Fine by me')
  await stage.execute(agent, approved)
  await stage.pay(agent, 90, { recipientAddress: ACME })
  await stage.pay(agent, 90, { recipientAddress: ACME })
  denied = (await stage.ask(agent, 95, { recipientAddress: ACME })).requestId
  await stage.must('PUT', `/api/policies/${policyId}/rules`, { rules: [{ ...RULES[0], value: 320 }] })
})
const { browse } = browsing(test, () => stage.url)

const open = (page: Page, place: string): Promise<void> => openAs(page, person, stage.url, place)

browse('a payment tells what happened in sentences, with who approved it and after how long', async (t, page) => {
  await open(page, `payments/${approved}`)
  const story = page.getByRole('region', { name: 'What happened' })
  await story.getByText(/Procurement asked to pay 150\.00 USDC to ACME Ltd .*for “Seats for a year”/).waitFor()
  await story.getByText('Approval required by rule “Require approval above” of policy').waitFor()
  await story.getByText('Waited for approval by an owner or admin').waitFor()
  await story.getByText(/Approved by .+ \(owner\) after 4 minutes: “Fine by me”/).waitFor()
  await story.getByText('Executed in simulation: no funds moved').waitFor()
  await page.getByRole('link', { name: 'Sequence' }).click()
  await page.locator('.story .participant').getByText('Procurement').waitFor()
  t.is(await page.getByRole('link', { name: 'Inspect' }).last().getAttribute('href'), `#/inspect/payment/${approved}`)
})

browse('a decision links its rule at the version that decided, as it was', async (t, page) => {
  const { requestId } = await stage.ask(agent, 1000, { recipientAddress: ACME })
  await stage.must('PUT', `/api/policies/${policyId}/rules`, { rules: [{ ...RULES[0], value: 330 }] })
  await open(page, `payments/${requestId}`)
  await page.getByRole('link', { name: '“Max amount” of policy “Everyday spending”, version 2' }).click()
  const version = page.getByRole('region', { name: 'Version 2' })
  await version.locator('[aria-current]').getByText('the amount is at most 320.00 USDC').waitFor()
  t.is(await version.getByText('330').count(), 0)
})

browse('each limit says what counted before, the payment, and what counts after it', async (t, page) => {
  await open(page, `payments/${denied}`)
  const policy = page.locator('.tree > li:has(> details)', { hasText: 'Everyday spending' })
  const figures = await policy.getByRole('group', { name: 'Daily limit' }).innerText()
  const told = figures.replaceAll(/\s+/g, ' ')
  t.is(told, 'Before 330.00 This payment 95.00 After 425.00 Limit 500.00')
})

browse('what a limit of the delegation denied stands in the tree, beside the policies', async (t, page) => {
  await open(page, `payments/${denied}`)
  await page.getByText("Denied by the delegation: 95 on top of 330 passes the day's limit of 400").waitFor()
  const branch = page.locator('.tree > li', { has: page.getByText('Delegation', { exact: true }) })
  t.regex(
    (await branch.innerText()).replaceAll(/\s+/g, ' '),
    /^Delegation Denied Daily limit 95 on top of 330 .* Before 330\.00 This payment 95\.00 After 425\.00 Limit 400\.00$/,
  )
  t.is(await page.locator('.tree > li:has(> details)', { hasText: 'Everyday spending' }).count(), 1)
})

browse('audit rows are sentences with amount, recipient, outcome and old and new values', async (t, page) => {
  await open(page, 'audit')
  for (const says of [
    /Procurement asked to pay 95\.00 USDC to ACME Ltd 0x0000…00A1: Denied, daily limit/,
    /approved 150\.00 USDC to ACME Ltd 0x0000…00A1: Pending approval → Approved/,
    /funded wallet Wallet of Procurement: balance 0\.00 USDC → is now 1,000,000\.00 USDC/,
    /assigned policy Everyday spending to agent Procurement/,
  ]) {
    await page
      .locator('.entry-says')
      .getByText(says)
      .or(page.locator('.entry-says', { hasText: says }))
      .first()
      .waitFor()
  }
  const rows = page.locator('.entries > li')
  const count = await rows.count()
  for (let at = 0; at < count; at += 1) await rows.nth(at).locator('summary').click()
  const details = await page.locator('.entries').innerText()
  for (const internal of ['Reviews', 'Review\n', 'none', 'Content hash', 'Policy set hash', 'Asks person', 'Count:'])
    t.false(details.includes(internal), internal)
  t.notRegex(details, /\b\d{13}\b/)
})

browse('the audit log reads a payment once, however many pages have entries about it', async (t, page) => {
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/payments/${approved}`)) reads.push(request.url())
  })
  await open(page, 'audit?action=payment.execute')
  const says = (text: string): Promise<void> => page.locator('.entry-says', { hasText: text }).first().waitFor()
  await says('asked to execute 150.00 USDC to ACME Ltd')
  await page.evaluate(() => location.assign('#/audit?action=payment.approve'))
  await says('approved 150.00 USDC to ACME Ltd')
  t.is(reads.length, 1)
})

browse('Inspect names its actors, says when a payment expires, and steps by keys', async (t, page) => {
  const { requestId } = await stage.ask(agent, 5, { recipientAddress: ACME })
  await page.clock.install({ time: stage.now() - 4 * MINUTE_MS - 30_000 })
  await open(page, `inspect/payment/${requestId}`)
  await page.getByRole('heading', { level: 1, name: 'Payment 5.00 USDC to 0x0000…00A1' }).waitFor()
  await page.getByRole('timer').getByText('Expires in 9 minutes').waitFor()
  await page.clock.runFor(2 * MINUTE_MS)
  await page.getByRole('timer').getByText('Expires in 7 minutes').waitFor()
  await page.locator('.travel-side').getByRole('link', { name: 'Agent Procurement' }).waitFor()
  await page.goto(`${stage.url}/#/inspect/payment/${approved}`)
  await page.getByText('step through the history').waitFor()
  const step = page.locator('.time-line output')
  await step.getByText('Step 3 of 3').waitFor()
  await page.locator('h1').focus()
  await page.keyboard.press('ArrowLeft')
  await step.getByText('Step 2 of 3').waitFor()
  t.pass()
})

browse('the chart zooms by buttons, keys and the wheel, and is dragged', async (t, page) => {
  await open(page, `inspect/payment/${approved}`)
  const chart = page.locator('.chart-box')
  await chart.locator('.state.lit').waitFor()
  const width = (): Promise<number> => chart.locator('svg').evaluate((svg) => svg.getBoundingClientRect().width)
  const full = await width()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  t.true(Math.abs((await width()) / full - 1.25) < 0.01)
  await chart.focus()
  await page.keyboard.press('-')
  t.true(Math.abs((await width()) / full - 1) < 0.01)
  await chart.hover()
  await page.mouse.wheel(0, -200)
  await page.getByLabel('Zoom level').getByText('149 %').waitFor()
  const left = (): Promise<number> => chart.evaluate((box) => box.scrollLeft)
  await chart.evaluate((box) => box.scrollTo(300, 0))
  await chart.hover()
  await page.mouse.down()
  const before = await left()
  const { x, y } = (await chart.boundingBox())!
  await page.mouse.move(x + 20, y + 100)
  await page.mouse.up()
  t.not(await left(), before)
  await page.getByRole('button', { name: 'Fit width' }).click()
  t.true((await width()) <= (await chart.evaluate((box) => box.clientWidth)) + 1 || (await width()) / full < 0.26)
})

browse('a transfer is told with its block and a link to the explorer of its chain', async (t, page) => {
  const txHash = `0x${'ab'.repeat(32)}`
  await page.route(`**/api/payments/${approved}`, async (route) => {
    const payment = (await (await route.fetch()).json()) as object
    const transaction = { id: 'tx', status: 'CONFIRMED', settlementMode: 'live', txHash }
    await route.fulfill({ json: { ...payment, transaction } })
  })
  await page.route('**/api/audit-logs?*', async (route) => {
    const { entries, pagination } = (await (await route.fetch()).json()) as { entries: object[]; pagination: object }
    const confirmed = { action: 'payment.confirmed', sequence: 999, data: { block: { to: 1234567 } } }
    const data = { state: { from: 'approved', to: 'denied' }, causes: { to: [{ message: 'Too much today' }] } }
    const refused = { action: 'payment.attempt', sequence: 998, data }
    const added = [confirmed, refused].map((one) => ({ ...entries[0], ...one }))
    await route.fulfill({ json: { entries: [...added, ...entries], pagination } })
  })
  await open(page, `payments/${approved}`)
  await page.getByText('The payment was confirmed in block 1,234,567').waitFor()
  await page.getByText(/tried to execute it$/).waitFor()
  t.is(await page.getByText('Too much today').count(), 1)
  const link = page.getByRole('link', { name: 'View in the explorer' })
  t.is(await link.getAttribute('href'), `${baseSepolia.blockExplorers.default.url}/tx/${txHash}`)
})
