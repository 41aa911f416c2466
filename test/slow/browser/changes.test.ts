// Reviewing a change in a browser: it shows names and what would be different, and cannot be approved before that.
import test from 'ava'
import type { Locator, Page, Route } from 'playwright-core'
import { startApprovals, type ApprovalStage, type Workflow } from '../../support/approvals.js'
import type { Person } from '../../support/people.js'
import type { Policy } from '../../support/policies.js'
import type { FundedAgent } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const ACTIONS = ['policy.update', 'policy.assign', 'policy.rollback', 'delegation.update', 'workflow.update']
const rule = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const DAILY = { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 900 }

const scope = wholeFile(test)
let stage: ApprovalStage
let asking: Person
let deciding: Person
let agent: FundedAgent
let policy: Policy
let leaving: Person
let workflow: Workflow
test.before('an organization requires a second person for changes', async () => {
  stage = await startApprovals(scope)
  asking = await stage.person('OWNER')
  deciding = await stage.person('OWNER')
  agent = await stage.agent({ name: 'Procurement', terms: { spendLimitDaily: 500 } })
  policy = await stage.must('POST', '/api/policies', {
    name: 'Small purchases',
    policyType: 'SPEND_LIMIT',
    rules: [rule(100), DAILY],
  })
  leaving = await stage.person('OWNER')
  workflow = await stage.workflow({ name: 'Small', approverIds: [leaving.id, deciding.id] })
  await stage.asPerson(asking, 'PATCH', '/api/organization', { governance: { enabled: true, actions: ACTIONS } })
})
const { browse } = browsing(test, () => stage.url)

async function held(method: string, path: string, body: object): Promise<string> {
  const answer = await stage.asPerson<{ governanceApprovalRequestId?: string }>(asking, method, path, body)
  const { governanceApprovalRequestId: id } = answer.body
  if (id === undefined) throw new Error(`${method} ${path} was not held: ${JSON.stringify(answer.body)}`)
  return id
}

/** Opens the page of a request, and waits until everything on it is there. */
async function open(page: Page, id: string): Promise<string> {
  const main = page.getByRole('main')
  await openAs(page, deciding, stage.url, `approvals/${id}`)
  await page.getByRole('heading', { name: 'Proposed change' }).waitFor()
  await page.locator('button[type=submit]:not([disabled])').waitFor()
  await page
    .getByRole('link', { name: /Procurement|Small purchases/ })
    .first()
    .waitFor()
  // Ids are shown for a moment, until the names are read.
  await main
    .getByText(/\bc[a-z0-9]{5}…/)
    .first()
    .waitFor({ state: 'detached' })
  return main.innerText()
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

async function sentences(page: Page): Promise<string[]> {
  const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  return (await rules.allInnerTexts()).map(inOneLine)
}

browse('new rules are shown as sentences, with removals and additions marked', async (t, page) => {
  const id = await held('PUT', `/api/policies/${policy.id}/rules`, { rules: [DAILY, rule(250)] })
  await open(page, id)
  t.deepEqual(await sentences(page), [
    '− Removed: Allow only if the amount is at most 100.00 USDC',
    'Allow only if the agent spends at most 900.00 USDC a day',
    '+ Added: Allow only if the amount is at most 250.00 USDC',
  ])
})

const address = (middle: string): string => `0x1111${middle.padStart(32, '0')}1111`
const allowed = (...middles: string[]) => ({
  ruleType: 'ALLOWED_COUNTERPARTIES',
  operator: 'IN_LIST',
  value: middles.map(address),
})
const OF_ADDRESSES: { [title: string]: (last: string) => object } = {
  'a long list': (last) => allowed('a', 'b', 'c', 'd', last),
  'a short list': (last) => allowed('a', last),
  'a list within a composite': (last) => ({ ruleType: 'ALL_OF', value: [rule(5), allowed('a', 'b', last)] }),
}

for (const [title, ruleWith] of Object.entries(OF_ADDRESSES)) {
  browse(`removed and added addresses are shown in full: ${title}`, async (t, page) => {
    const fields = { name: `Small purchases, ${title}`, policyType: 'COMPOSITE', rules: [ruleWith('e')] }
    const kept = await stage.must<Policy>('POST', '/api/policies', fields)
    await open(page, await held('PUT', `/api/policies/${kept.id}/rules`, { rules: [ruleWith('f')] }))
    const marked = (mark: string) => page.locator(`.sentences .items .${mark} code`)
    await marked('came').first().waitFor()
    // The service stores addresses with the checksum in the case of their letters.
    t.deepEqual(await marked('gone').allInnerTexts(), [address('E')])
    t.deepEqual(await marked('came').allInnerTexts(), [address('f')])
  })
}

/** One rule of each type that has defaults, with all of them omitted. */
const USUAL: [ruleType: string, value: unknown][] = [
  ['DAILY_LIMIT', 5],
  ['BUDGET_CAP', { amount: 5, period: 'MONTHLY' }],
  ['VELOCITY_LIMIT', { maxCount: 5, period: 'HOUR' }],
  ['REQUIRE_APPROVAL_ABOVE', '5'],
  ['DATE_RANGE', { start: '2031-01-01', end: '2032-01-01' }],
  ['BLACKOUT_PERIOD', { windows: [{ start: '2031-12-24', end: '2031-12-27' }] }],
  ['ALLOWED_CATEGORIES', ['CLOUD']],
  ['BLOCKED_CATEGORIES', ['GAMBLING']],
  ['ALLOWED_COUNTERPARTIES', ['0x1111111111111111111111111111111111111111']],
  ['BLOCKED_COUNTERPARTIES', ['0x1111111111111111111111111111111111111111']],
  ['CONTRACT_ALLOWLIST', ['0x1111111111111111111111111111111111111111']],
  ['COUNTERPARTY_STATUS', 'TRUSTED'],
  ['TRUST_SCORE', 5],
  ['NEW_COUNTERPARTY', true],
]

browse('rules that omit defaults are shown as the service reads them', async (t, page) => {
  const rules = USUAL.map(([ruleType, value]) => ({ ruleType, value }))
  const fields = { name: 'Procurement', policyType: 'COMPOSITE', rules }
  const kept = await stage.must<Policy>('POST', '/api/policies', fields)
  await open(page, await held('PUT', `/api/policies/${kept.id}/rules`, { rules: rules.toReversed() }))
  await page.getByRole('list', { name: 'Rules' }).waitFor()
  t.is(await page.locator('.gone, .came').count(), 0, await page.getByRole('main').innerText())
})

browse('an edit of one rule is shown among the rules that stay', async (t, page) => {
  const { rules } = policy as Policy & { rules: { id: string }[] }
  const id = await held('PATCH', `/api/policies/${policy.id}/rules/${rules[1]!.id}`, { value: 50 })
  await open(page, id)
  t.deepEqual(await sentences(page), [
    '− Removed: Allow only if the agent spends at most 900.00 USDC a day',
    'Allow only if the amount is at most 100.00 USDC',
    '+ Added: Allow only if the agent spends at most 50.00 USDC a day',
  ])
})

browse("an assignment shows the policy and the agent by name, and the policy's rules", async (t, page) => {
  const path = `/api/agents/${agent.agentId}/policies`
  const said = await open(page, await held('POST', path, { policyId: policy.id }))
  await page.getByRole('link', { name: 'Procurement' }).waitFor()
  await page.getByText('the amount is at most 100.00 USDC').waitFor()
  t.regex(said, /The policy would apply there/)
})

browse('changed terms are shown in money, before and after, apart from unchanged ones', async (t, page) => {
  const path = `/api/agents/${agent.agentId}/wallets/${agent.walletId}`
  const said = await open(page, await held('PATCH', path, { spendLimitDaily: null, allowedHoursStart: 0 }))
  t.regex(said, /500\.00 USDC\s+no limit/)
  t.regex(said, /Unchanged: allowed hours start/)
})

browse('a new workflow shows its agents and approvers by name', async (t, page) => {
  const large = { name: 'Large', conditions: { agentIds: [agent.agentId] }, approverIds: [asking.id] }
  await openAs(page, deciding, stage.url, `approvals/${await held('POST', '/api/approval-workflows', large)}`)
  await page.getByRole('cell', { name: 'Procurement' }).waitFor()
  await page.getByRole('cell', { name: asking.email }).waitFor()
  t.pass()
})

browse('approvers of a workflow are shown by name, with removals and additions marked', async (t, page) => {
  const change = { approverIds: [asking.id, deciding.id] }
  const id = await held('PATCH', `/api/approval-workflows/${workflow.id}`, change)
  await openAs(page, deciding, stage.url, `approvals/${id}`)
  const approvers = page.getByRole('cell').getByRole('listitem')
  await approvers.filter({ hasText: asking.email }).waitFor()
  t.deepEqual((await approvers.allInnerTexts()).map(inOneLine), [
    `− Removed: ${leaving.email}`,
    deciding.email,
    `+ Added: ${asking.email}`,
    deciding.email,
  ])
})

browse('a change cannot be approved before it is shown, and can always be denied', async (t, page) => {
  const id = await held('PUT', `/api/policies/${policy.id}/rules`, { rules: [] })
  let answer: (() => void) | undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(`**/api/policies/${policy.id}`, async (route) => {
    await answered
    await route.continue()
  })
  await openAs(page, deciding, stage.url, `approvals/${id}`)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  t.true(await approve.isDisabled())
  t.true(await page.getByRole('button', { name: 'Deny' }).isEnabled())
  answer!()
  await page.locator('button[type=submit]:not([disabled])').waitFor()
  await page.getByText('the policy allows every payment').waitFor()
})

browse('a change whose subject cannot be read says so, and cannot be approved', async (t, page) => {
  const id = await held('PUT', `/api/policies/${policy.id}/rules`, { rules: [rule(1)] })
  await page.route(`**/api/policies/${policy.id}`, (route) => route.abort())
  await openAs(page, deciding, stage.url, `approvals/${id}`)
  await page.getByText('The service did not respond').waitFor()
  t.true(await page.getByRole('button', { name: 'Approve' }).isDisabled())
})

/** Opens a new workflow whose approvers' names are read as `answer` permits; returns the button to approve. */
async function naming(page: Page, answer: (route: Route) => Promise<void>): Promise<Locator> {
  const id = await held('POST', '/api/approval-workflows', { name: 'Named', approverIds: [asking.id] })
  await page.route(/\/api\/members(\?|$)/, answer)
  await openAs(page, deciding, stage.url, `approvals/${id}`)
  await page.getByRole('heading', { name: 'Proposed change' }).waitFor()
  return page.getByRole('button', { name: 'Approve' })
}

browse('a change cannot be approved while ids are shown instead of names', async (t, page) => {
  let answer: (() => void) | undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const approve = await naming(page, async (route) => {
    await answered
    await route.continue()
  })
  t.true(await approve.isDisabled())
  t.true(await page.getByRole('button', { name: 'Deny' }).isEnabled())
  answer!()
  await page.locator('button[type=submit]:not([disabled])').waitFor()
  t.true(await page.getByRole('cell', { name: asking.email }).isVisible())
})

browse('names that could not be read are read again', async (t, page) => {
  let reads = 0
  const approve = await naming(page, (route) => {
    reads += 1
    return reads === 1 ? route.abort() : route.continue()
  })
  await page.locator('button[type=submit]:not([disabled])').waitFor()
  t.true(await approve.isEnabled())
  t.true(await page.getByRole('cell', { name: asking.email }).isVisible())
  t.is(reads, 2)
})
