// What a denial says helps is true of its very cause, not of its type alone.
import test from 'ava'
import { wholeFile } from '../service/service.js'
import { startStage, type Decided, type Stage } from './stage.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const RECIPIENT = '0x00000000000000000000000000000000000000c1'
const WAIT = 'Wait for the next'

type Case = [title: string, rule: object, amount: number, hint: string]

const CASES: Case[] = [
  // First, while nobody has paid the recipient.
  [
    'those that were never paid',
    { ruleType: 'NEW_COUNTERPARTY', value: true, action: 'DENY' },
    1,
    'Choose a recipient that was paid before, or have the policy changed to let a first payment pass',
  ],
  [
    'a day with room',
    { ruleType: 'DAILY_LIMIT', value: 100 },
    60,
    `${WAIT} day, pay less, or have the daily limit raised`,
  ],
  ['no day', { ruleType: 'DAILY_LIMIT', value: 100 }, 200, 'Pay less, or have the daily limit raised'],
  ['no week', { ruleType: 'WEEKLY_LIMIT', value: 100 }, 200, 'Pay less, or have the weekly limit raised'],
  ['no month', { ruleType: 'MONTHLY_LIMIT', value: 100 }, 200, 'Pay less, or have the monthly limit raised'],
  ['a limit of 0', { ruleType: 'DAILY_LIMIT', value: 0 }, 1, 'Have the daily limit raised: it is 0'],
  [
    'a budget for ever',
    { ruleType: 'BUDGET_CAP', value: { amount: 100, period: 'TOTAL' } },
    60,
    `${WAIT} period, if the budget has one, pay less, or have the budget raised`,
  ],
  [
    'a budget that never suffices',
    { ruleType: 'BUDGET_CAP', value: { amount: 100, period: 'TOTAL' } },
    200,
    'Pay less, or have the budget raised',
  ],
  [
    'no payment within a day',
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 0, period: 'DAY' } },
    1,
    'Have the number of payments that the policy allows raised: it is 0',
  ],
  [
    'those that are listed',
    { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT], action: 'DENY' },
    1,
    'Choose a recipient that the policy does not list, or have the policy changed',
  ],
  [
    'those that are not listed',
    { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT.replace('c1', 'c2')] },
    1,
    'Choose a recipient that the policy lists, or have this one listed',
  ],
  [
    'those that are blocked',
    { ruleType: 'BLOCKED_COUNTERPARTIES', value: [RECIPIENT] },
    1,
    'Choose a recipient that the policy does not list, or have the policy changed',
  ],
  [
    'contracts that are listed',
    { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT], action: 'DENY' },
    1,
    'Choose a contract that the policy does not list, or have the policy changed',
  ],
]

for (const [title, rule, amount, hint] of CASES) {
  test.serial(`what helps is true of ${title}`, async (t) => {
    const { agent, policy } = await stage.governed([])
    if (amount === 60) await stage.pay(agent, 50, { recipientAddress: RECIPIENT })
    await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [rule] })
    const denied = await stage.ask(agent, amount, { recipientAddress: RECIPIENT })
    t.like(denied, { status: 'DENIED', hint })
    t.deepEqual(stepsOf(denied), [hint])
  })
}

/** But those that the facts of this very payment give. */
const stepsOf = ({ context }: Decided): string[] => context!.nextSteps.filter((step) => !step.startsWith('Ask again'))

test.serial('who cannot be set ACTIVE again, or is ACTIVE, is not said to wait for that', async (t) => {
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
  t.is(await hint(), 'The agent can never pay again: have another one registered')
})
