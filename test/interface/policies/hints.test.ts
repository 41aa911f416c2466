// The hint of a denial fits its specific cause, not only its type.
import test from 'ava'
import { VIOLATION_HINTS } from '../../../src/commands/payments/hints.js'
import { CODES } from '../../../src/domain/outcomes/codes.js'
import { wholeFile } from '../../support/process.js'
import { anotherAddress, startStage, type Decided, type Stage } from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const RECIPIENT = '0x00000000000000000000000000000000000000c1'
const WAIT = 'Wait for the next'

type Case = [title: string, rule: object, amount: number, hint: string]

const CASES: Case[] = [
  // Must be first, while nobody has paid the recipient.
  [
    'a recipient that was never paid',
    { ruleType: 'NEW_COUNTERPARTY', value: true, action: 'DENY' },
    1,
    'Choose a recipient that was paid before, or have the policy changed to let a first payment pass',
  ],
  [
    'a daily limit with room tomorrow',
    { ruleType: 'DAILY_LIMIT', value: 100 },
    60,
    `${WAIT} day, choose a smaller purchase, or have the daily limit raised`,
  ],
  [
    'the daily limit',
    { ruleType: 'DAILY_LIMIT', value: 100 },
    200,
    'Choose a smaller purchase, or have the daily limit raised',
  ],
  [
    'the weekly limit',
    { ruleType: 'WEEKLY_LIMIT', value: 100 },
    200,
    'Choose a smaller purchase, or have the weekly limit raised',
  ],
  [
    'the monthly limit',
    { ruleType: 'MONTHLY_LIMIT', value: 100 },
    200,
    'Choose a smaller purchase, or have the monthly limit raised',
  ],
  ['a daily limit of 0', { ruleType: 'DAILY_LIMIT', value: 0 }, 1, 'Have the daily limit raised: it is 0'],
  [
    'a total budget without enough left',
    { ruleType: 'BUDGET_CAP', value: { amount: 100, period: 'TOTAL' } },
    60,
    `${WAIT} period, if the budget has one, choose a smaller purchase, or have the budget raised`,
  ],
  [
    'an amount above the whole budget',
    { ruleType: 'BUDGET_CAP', value: { amount: 100, period: 'TOTAL' } },
    200,
    'Choose a smaller purchase, or have the budget raised',
  ],
  [
    'a velocity limit of 0',
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 0, period: 'DAY' } },
    1,
    'Have the number of payments that the policy allows raised: it is 0',
  ],
  [
    'a recipient on a list that denies',
    { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT], action: 'DENY' },
    1,
    'Choose a recipient that the policy does not list, or have the policy changed',
  ],
  [
    'a recipient that is not on the allowlist',
    { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT.replace('c1', 'c2')] },
    1,
    'Choose a recipient that the policy lists, or have this one listed',
  ],
  [
    'a blocked recipient',
    { ruleType: 'BLOCKED_COUNTERPARTIES', value: [RECIPIENT] },
    1,
    'Choose a recipient that the policy does not list, or have the policy changed',
  ],
  [
    'a contract on a list that denies',
    { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT], action: 'DENY' },
    1,
    'Choose a contract that the policy does not list, or have the policy changed',
  ],
]

for (const [title, rule, amount, hint] of CASES) {
  test.serial(`the hint fits a denial because of ${title}`, async (t) => {
    const { agent, policy } = await stage.governed([])
    if (amount === 60) await stage.pay(agent, 50, { recipientAddress: RECIPIENT })
    await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [rule] })
    const denied = await stage.ask(agent, amount, { recipientAddress: RECIPIENT })
    t.like(denied, { status: 'DENIED', hint })
    t.deepEqual(stepsOf(denied), [hint])
  })
}

test.serial("the hint tells the recipient's category from the payment's", async (t) => {
  const { agent } = await stage.governed([{ ruleType: 'ALLOWED_CATEGORIES', operator: 'IN_LIST', value: ['TOOLS'] }])
  const recipientAddress = anotherAddress()
  await stage.must('POST', '/api/counterparties', { name: 'Vendor', address: recipientAddress, category: 'VENDOR' })
  const hint = async (category: string) => (await stage.ask(agent, 1, { recipientAddress, category })).hint
  t.is(await hint('TOOLS'), "Choose another recipient, or have this one's category or the policy changed")
  t.is(await hint('FOOD'), 'Name a category that the policy allows')
})

/** The next steps, except those that depend on the facts of this payment. */
const stepsOf = ({ context }: Decided): string[] =>
  context!.nextSteps.filter((step) => !step.startsWith('Request it again'))

test.serial('the hint suggests setting an agent ACTIVE only if that helps', async (t) => {
  const agent = await stage.agent()
  const setStatus = (status: string) => stage.must('PATCH', `/api/agents/${agent.agentId}`, { status })
  const hint = async () => (await stage.ask(agent, 1)).hint
  await setStatus('PAUSED')
  t.is(await hint(), 'The agent cannot pay until an administrator sets it ACTIVE')
  await setStatus('ACTIVE')
  await stage.must('POST', '/api/organization/freeze', { reason: 'Test' })
  t.is(await hint(), 'No agent can pay until an administrator unfreezes the organization')
  await stage.must('POST', '/api/organization/unfreeze')
  await setStatus('REVOKED')
  t.is(await hint(), 'The agent can never pay again: have a new one registered')
})

test('no hint advises to split a payment', (t) => {
  const advice = [...Object.values(VIOLATION_HINTS), ...Object.values(CODES).map(({ message }) => message)]
  // Less of the same purchase is a part of it.
  const SPLITS = /split|parts|instal|several|slice|smaller (payment|amount)|pay less/i
  for (const hint of advice) t.notRegex(hint, SPLITS)
})

const ASKS = (value: number) => ({ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value })
const AT_MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })

test.serial('a denial names no amount that would only avoid a person, but one that keeps the person', async (t) => {
  const cases: [rules: object[], nearest: number | undefined, step: RegExp | undefined][] = [
    [[ASKS(20), AT_MOST(50)], 50, /^Request it again for 50 or less .*: it would require approval$/],
    [[ASKS(60), AT_MOST(50)], undefined, undefined],
    [[ASKS(20), ASKS(70), AT_MOST(50)], undefined, undefined],
    [[ASKS(90), AT_MOST(50)], 50, /^Request it again for 50 or less .*: it would be approved now$/],
  ]
  for (const [rules, most, step] of cases) {
    const { agent } = await stage.governed(rules)
    const denied = await stage.ask(agent, 80, { recipientAddress: anotherAddress() })
    t.deepEqual([denied.status, denied.nearest!.maxAmountNow], ['DENIED', most], JSON.stringify(rules))
    const steps = denied.context!.nextSteps.filter((one) => one.startsWith('Request it again for'))
    t.is(steps.length, step ? 1 : 0)
    if (step) t.regex(steps[0]!, step)
    if (most !== undefined) t.not((await stage.ask(agent, most)).status, 'DENIED')
  }
})
