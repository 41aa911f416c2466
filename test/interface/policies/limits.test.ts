// Limits on sums and counts hold under concurrent requests and edits, and count payments made before the policy.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import { startStage, type Decided, type Policy, type Stage } from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const DAILY = (value: number) => ({ ruleType: 'DAILY_LIMIT', value })
const SHARED = (amount: number, period = 'TOTAL') => ({
  ruleType: 'BUDGET_CAP',
  value: { amount, period, of: 'POLICY' },
})
const VELOCITY = (maxCount: number) => ({ ruleType: 'VELOCITY_LIMIT', value: { maxCount, period: 'HOUR' } })
const many = <Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const withStatus = (decided: Decided[], status: string): Decided[] => decided.filter((one) => one.status === status)

test('100 concurrent requests do not exceed a daily limit', async (t) => {
  const { agent, policy } = await stage.governed([DAILY(37)])
  const decided = await many(100, (index) => stage.ask(agent, 1, { autoExecute: index % 2 === 0 }))
  t.is(withStatus(decided, 'EXECUTED').length + withStatus(decided, 'APPROVED').length, 37)
  const denied = withStatus(decided, 'DENIED')
  t.is(denied.length, 63)
  for (const { violations, reasons } of denied) {
    t.like(violations![0], {
      type: 'DAILY_LIMIT',
      limit: 37,
      policyId: policy.id,
      policyVersion: 1,
      ruleId: policy.rules[0]!.id,
    })
    t.is(reasons.length, 1)
  }
})

test('100 concurrent requests of five agents do not exceed their shared budget', async (t) => {
  const agents = await many(5, () => stage.agent())
  await stage.policy([SHARED(41)], { agentIds: agents.map(({ agentId }) => agentId) })
  const decided = await many(100, (index) => stage.ask(agents[index % 5]!, 1, { autoExecute: index % 3 === 0 }))
  t.is(withStatus(decided, 'DENIED').length, 59)
  t.is(withStatus(decided, 'EXECUTED').length + withStatus(decided, 'APPROVED').length, 41)
})

test('100 concurrent requests do not exceed a velocity limit', async (t) => {
  const { agent } = await stage.governed([VELOCITY(23)])
  const decided = await many(100, () => stage.ask(agent, 1))
  t.is(withStatus(decided, 'APPROVED').length, 23)
  const [denied] = withStatus(decided, 'DENIED')
  t.like(denied!.violations![0], { type: 'VELOCITY_LIMIT', limit: 23 })
})

test('a denial by a velocity limit claims no number of payments beyond the limit', async (t) => {
  const agent = await stage.agent()
  await stage.pay(agent, 1)
  const policy = await stage.policy([VELOCITY(1)], { agentIds: [agent.agentId] })
  const reached = (await stage.ask(agent, 1)).violations![0]!
  t.like(reached, { limit: 1, current: 1, message: 'This is payment 2 within an hour, at most 1 is allowed' })
  await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [] })
  for (let paid = 1; paid < 7; paid += 1) t.is((await stage.pay(agent, 1)).status, 'EXECUTED')
  await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [VELOCITY(2)] })
  const { violations, hint } = await stage.ask(agent, 1)
  const [passed] = violations!
  t.is(passed!.message, 'At most 2 payments within an hour are allowed, and there are more already')
  t.is(passed!.limit, 2)
  t.false('current' in passed!)
  t.is(hint, 'Wait until there are fewer payments in the period')
})

test('limit and current of a low balance say what is free, and the description of the answer says so', async (t) => {
  const agent = await stage.agent({ balance: 100 })
  t.is((await stage.ask(agent, 25)).status, 'APPROVED')
  const { violations, wallet } = await stage.ask(agent, 80)
  const { type, limit, current } = violations![0]!
  t.deepEqual([type, limit, current], ['INSUFFICIENT_BALANCE', 100, 25])
  t.is(limit! - current!, (wallet as { availableBalance: number }).availableBalance)
  const { body } = await stage.client.get<object>('/openapi.json', '')
  t.regex(JSON.stringify(body), /"current":\{[^}]*what other payments hold of the balance\. Of PER_TX_LIMIT/)
})

test('a cancelled payment frees its room under every limit', async (t) => {
  const { agent } = await stage.governed([DAILY(10), VELOCITY(1), SHARED(10)])
  const first = await stage.ask(agent, 10)
  t.is(first.status, 'APPROVED')
  t.is((await stage.ask(agent, 10)).status, 'DENIED')
  t.is((await stage.client.post(`/api/sdk/payments/${first.requestId}/cancel`, agent.key)).status, 200)
  t.is((await stage.ask(agent, 10)).status, 'APPROVED')
})

test('a payment that waits for approval is reserved', async (t) => {
  const { agent } = await stage.governed([DAILY(10), { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 5 }])
  t.is((await stage.ask(agent, 6)).status, 'REQUIRES_APPROVAL')
  t.is((await stage.ask(agent, 4.000001)).status, 'DENIED')
  t.is((await stage.ask(agent, 4)).status, 'APPROVED')
})

test('a limit holds while its policy is edited concurrently', async (t) => {
  const { agent, policy } = await stage.governed([DAILY(20), SHARED(20)])
  const path = `/api/policies/${policy.id}`
  const edits = many(20, (index) => stage.must<Policy>('PATCH', path, { description: `Edit ${index}` }))
  const decided = await many(60, () => stage.ask(agent, 1))
  await edits
  t.is(withStatus(decided, 'APPROVED').length, 20)
})

test('payments made before a policy was created count', async (t) => {
  const rules = [DAILY(10), SHARED(10), VELOCITY(2), { ruleType: 'BUDGET_CAP', value: { amount: 10, period: 'TOTAL' } }]
  for (const rule of rules) {
    const agent = await stage.agent()
    t.is((await stage.pay(agent, 4)).status, 'EXECUTED')
    t.is((await stage.pay(agent, 4)).status, 'EXECUTED')
    const policy = await stage.policy([rule], { agentIds: [agent.agentId] })
    const { status, violations } = await stage.ask(agent, 2.000001)
    t.is(status, 'DENIED', rule.ruleType)
    const current = rule.ruleType === 'VELOCITY_LIMIT' ? 2 : 8
    t.like(violations![0], { policyId: policy.id, current })
  }
})

test('a shared budget counts what all its agents spent before it was created', async (t) => {
  const agents = await many(3, () => stage.agent())
  for (const agent of agents) t.is((await stage.pay(agent, 5)).status, 'EXECUTED')
  await stage.policy([SHARED(17, 'DAILY')], { agentIds: agents.map(({ agentId }) => agentId) })
  t.is((await stage.ask(agents[0]!, 2.000001)).status, 'DENIED')
  t.is((await stage.ask(agents[1]!, 2)).status, 'APPROVED')
  t.is((await stage.ask(agents[2]!, 0.000001)).status, 'DENIED')
})

test('editing a policy, or switching it off and on, loses no spending', async (t) => {
  const { agent, policy } = await stage.governed([DAILY(10), SHARED(10), VELOCITY(3)])
  const path = `/api/policies/${policy.id}`
  t.is((await stage.pay(agent, 6)).status, 'EXECUTED')
  await stage.must('PUT', `${path}/rules`, { rules: [] })
  t.is((await stage.pay(agent, 2)).status, 'EXECUTED')
  await stage.must('PATCH', path, { isActive: false })
  t.is((await stage.pay(agent, 1)).status, 'EXECUTED')
  await stage.must('PATCH', path, { isActive: true })
  for (const rule of [DAILY(10), SHARED(10), SHARED(10, 'DAILY')]) {
    await stage.must('PUT', `${path}/rules`, { rules: [rule] })
    const { status, violations } = await stage.ask(agent, 1.000001)
    t.is(status, 'DENIED', JSON.stringify(rule))
    t.like(violations![0], { limit: 10, current: 9 })
  }
  await stage.must('PUT', `${path}/rules`, { rules: [VELOCITY(3)] })
  t.like((await stage.ask(agent, 1)).violations![0], { limit: 3, current: 3 })
})

test('policies of the organization and of the wallet apply, too', async (t) => {
  const agent = await stage.agent()
  const other = await stage.agent()
  const policy = await stage.policy([MOST(10)])
  await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId: policy.id })
  t.is((await stage.ask(agent, 11)).status, 'DENIED')
  t.is((await stage.ask(other, 11)).status, 'APPROVED')
  const first = await stage.ask(agent, 10)
  t.is(first.status, 'APPROVED')
  const all = await stage.policy([MOST(900_000)], { scope: 'organization' })
  for (const one of [agent, other]) {
    const decided = await stage.ask(one, 900_000.5)
    t.true(decided.violations!.some(({ policyId }) => policyId === all.id))
  }
  await stage.must('DELETE', `/api/policies/${all.id}`)
})

test('a change of a policy takes effect with the next request', async (t) => {
  const { agent, policy } = await stage.governed([MOST(10)])
  const path = `/api/policies/${policy.id}`
  const status = async (): Promise<string> => (await stage.ask(agent, 11)).status
  t.is(await status(), 'DENIED')
  await stage.must('PATCH', path, { isActive: false })
  t.is(await status(), 'APPROVED')
  await stage.must('PATCH', path, { isActive: true })
  t.is(await status(), 'DENIED')
  await stage.must('PATCH', `${path}/rules/${policy.rules[0]!.id}`, { value: 11 })
  t.is(await status(), 'APPROVED')
  await stage.must('POST', `${path}/versions/1/rollback`, { note: 'Back' })
  t.is(await status(), 'DENIED')
  await stage.must('DELETE', `/api/agents/${agent.agentId}/policies?policyId=${policy.id}`)
  t.is(await status(), 'APPROVED')
})

test('two policies of one agent keep their own budgets', async (t) => {
  const agent = await stage.agent()
  await stage.policy([SHARED(10)], { agentIds: [agent.agentId], priority: 80 })
  const tight = await stage.policy([SHARED(4)], { agentIds: [agent.agentId], priority: 20 })
  t.is((await stage.pay(agent, 3)).status, 'EXECUTED')
  const { violations } = await stage.ask(agent, 2)
  t.deepEqual(
    violations!.map(({ policyId, limit, current }) => ({ policyId, limit, current })),
    [{ policyId: tight.id, limit: 4, current: 3 }],
  )
})
