// What an agent may spend now: the smaller of what its delegation and its policies leave.
import test from 'ava'
import type { AgentLimits } from '../../../sdk/api.js'
import { wholeFile } from '../../support/process.js'
import { HOUR_MS, NOON, startStage, type Stage } from '../../support/policies.js'
import { OPEN, type FundedAgent } from '../../support/payments.js'

const scope = wholeFile(test)
let stage: Stage

test.before(async () => {
  stage = await startStage(scope)
})

async function limitsOf(agent: FundedAgent): Promise<AgentLimits> {
  const { status, body } = await stage.client.get<AgentLimits>('/api/sdk/limits', agent.key)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

test('without limits there is null, and any recipient', async (t) => {
  const agent = await stage.agent({ terms: { spendLimitPerTx: null } })
  const limits = await limitsOf(agent)
  const [wallet] = limits.wallets
  t.deepEqual(wallet!.remaining, { day: null, week: null, month: null })
  t.is(wallet!.perPayment, null)
  t.true(wallet!.openNow)
  t.is(limits.recipients, 'ANY')
  t.false('approvalAbove' in limits)
  t.true(JSON.stringify(limits).length < 1024)
})

test('the smaller of delegation and policies is left, less what is reserved and spent', async (t) => {
  const agent = await stage.agent({ terms: { spendLimitPerTx: 300, spendLimitDaily: 500, spendLimitWeekly: 5_000 } })
  const rules = [
    { ruleType: 'MAX_AMOUNT', operator: 'LT', value: 200 },
    { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 400 },
    { ruleType: 'BUDGET_CAP', operator: 'LTE', value: { amount: 1_000, period: 'MONTHLY', of: 'POLICY' } },
    { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 150 },
    { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['UNKNOWN', 'TRUSTED'] },
  ]
  await stage.assign((await stage.policy(rules)).id, agent)
  await stage.pay(agent, 30)
  await stage.ask(agent, 20)
  const limits = await limitsOf(agent)
  t.like(limits, { approvalAbove: 150, recipients: 'ANY' })
  t.like(limits.wallets[0], { perPayment: 199.999999, remaining: { day: 350, week: 4_950, month: 950 } })
  t.is(Date.parse(limits.wallets[0]!.resetsAt.day) % (24 * HOUR_MS), 0)
})

test('closed hours of delegation and policies say when they end', async (t) => {
  const agent = await stage.agent({ terms: { allowedHoursStart: 13, allowedHoursEnd: 20 } })
  t.like((await limitsOf(agent)).wallets[0], { openNow: false, opensAt: new Date(NOON + HOUR_MS).toISOString() })
  const rule = {
    ruleType: 'TIME_WINDOW',
    operator: 'BETWEEN',
    value: { start: '15:00', end: '16:00', timezone: 'UTC' },
  }
  await stage.assign((await stage.policy([rule])).id, agent)
  t.like((await limitsOf(agent)).wallets[0], { openNow: false, opensAt: new Date(NOON + 3 * HOUR_MS).toISOString() })
})

test('a frozen agent has no time at which it may pay; a PREAPPROVED delegation asks for every amount', async (t) => {
  const frozen = await stage.agent()
  await stage.must('POST', `/api/agents/${frozen.agentId}/freeze`, { reason: 'Test' })
  const { openNow, opensAt } = (await limitsOf(frozen)).wallets[0]!
  t.deepEqual([openNow, opensAt], [false, undefined])
  const asked = await stage.agent({ terms: { delegationType: 'PREAPPROVED' } })
  t.is((await limitsOf(asked)).approvalAbove, 0)
})

const MAX = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const RECIPIENT_STATUS = (value: string[]) => ({ ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value })

test('limits inside composites are seen as they are enforced', async (t) => {
  const agent = await stage.agent({ terms: { spendLimitPerTx: null } })
  const rules = [{ ruleType: 'ANY_OF', value: [MAX(20), { ruleType: 'ALL_OF', value: [MAX(70), MAX(60)] }] }]
  const asking = [
    { ruleType: 'ALL_OF', action: 'REQUIRE_APPROVAL', value: [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 40 }] },
  ]
  await stage.assign((await stage.policy([rules[0]!, ...asking])).id, agent)
  const limits = await limitsOf(agent)
  t.like(limits, { approvalAbove: 40, recipients: 'ANY' })
  t.is(limits.wallets[0]!.perPayment, 60)
})

for (const [name, rule, recipients] of [
  ['known statuses', RECIPIENT_STATUS(['TRUSTED', 'VERIFIED']), 'LISTED'],
  ['every status', RECIPIENT_STATUS(['TRUSTED', 'VERIFIED', 'UNKNOWN']), 'ANY'],
  [
    'a status or a trust score',
    { ruleType: 'ANY_OF', value: [RECIPIENT_STATUS(['TRUSTED']), RECIPIENT_STATUS(['UNKNOWN'])] },
    'ANY',
  ],
  ['a status inside of a composite', { ruleType: 'ALL_OF', value: [RECIPIENT_STATUS(['TRUSTED'])] }, 'LISTED'],
  ['no new recipients', { ruleType: 'NEW_COUNTERPARTY', action: 'DENY', value: true }, 'LISTED'],
] as const) {
  test(`recipients under a rule that allows ${name} are ${recipients}`, async (t) => {
    const agent = await stage.agent()
    await stage.assign((await stage.policy([rule])).id, agent)
    t.is((await limitsOf(agent)).recipients, recipients)
  })
}

test('a used-up number of payments and a rail that is not allowed close a wallet', async (t) => {
  const counted = await stage.agent()
  const count = { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 1, period: 'HOUR' } }
  await stage.assign((await stage.policy([count])).id, counted)
  t.true((await limitsOf(counted)).wallets[0]!.openNow)
  await stage.pay(counted, 1)
  const { openNow, opensAt } = (await limitsOf(counted)).wallets[0]!
  t.false(openNow)
  t.true(Date.parse(opensAt!) > NOON && Date.parse(opensAt!) <= stage.now() + HOUR_MS)
  const railed = await stage.agent()
  await stage.assign(
    (await stage.policy([{ ruleType: 'ALLOWED_RAILS', operator: 'IN_LIST', value: ['CARD'] }])).id,
    railed,
  )
  t.deepEqual((await limitsOf(railed)).wallets[0]!.openNow, false)
  const free = await stage.agent()
  await stage.assign(
    (await stage.policy([{ ruleType: 'ALLOWED_RAILS', operator: 'IN_LIST', value: ['TRANSFER'] }])).id,
    free,
  )
  t.true((await limitsOf(free)).wallets[0]!.openNow)
})

test('what binds says when it begins anew, also in another zone than that of the delegation', async (t) => {
  const agent = await stage.agent({ terms: { spendLimitDaily: 500, timezone: 'Asia/Tokyo' } })
  const own = Date.parse((await limitsOf(agent)).wallets[0]!.resetsAt.day)
  await stage.assign((await stage.policy([{ ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 }])).id, agent)
  const [wallet] = (await limitsOf(agent)).wallets
  t.is(wallet!.remaining.day, 100)
  t.not(Date.parse(wallet!.resetsAt.day), own)
})

test('a wallet that cannot pay decides nothing about the others', async (t) => {
  const agent = await stage.agent({ terms: { delegationType: 'ALLOWLIST' } })
  const other = await stage.agent()
  const seen = { ...OPEN, walletId: other.walletId, delegationType: 'VIEW_ONLY' }
  await stage.must('POST', `/api/agents/${agent.agentId}/wallets`, seen)
  const { recipients, wallets } = await limitsOf(agent)
  t.is(recipients, 'LISTED')
  t.deepEqual(wallets.map(({ openNow }) => openNow).sort(), [false, true])
})
