// An approved payment whose policies have changed since is evaluated again when it is executed.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import { balanceOf, delegationOf, type FundedAgent } from '../../support/payments.js'
import { startStage, type Stage } from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const SHARED = (amount: number) => ({ ruleType: 'BUDGET_CAP', value: { amount, period: 'TOTAL', of: 'POLICY' } })
const put = (policyId: string, rules: unknown[]) => stage.must('PUT', `/api/policies/${policyId}/rules`, { rules })

test('if policies now deny the payment, execute answers LIMIT_EXCEEDED and the payment is DENIED', async (t) => {
  const { agent, policy } = await stage.governed([MOST(100)])
  const { requestId } = await stage.ask(agent, 50)
  await put(policy.id, [MOST(49), { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'] }])
  const { status, body } = await stage.execute(agent, requestId)
  t.is(status, 400)
  const { code, reasons } = body as unknown as { code: string; reasons: string[] }
  t.is(code, 'LIMIT_EXCEEDED')
  t.is(reasons.length, 2)
  const payment = await stage.traced(requestId)
  t.like(payment, { status: 'DENIED', reasons })
  t.like(payment.violations![0], {
    type: 'AMOUNT_LIMIT',
    policyId: policy.id,
    policyVersion: 2,
    limit: 49,
    current: 50,
  })
  t.is((await delegationOf(stage.client, agent)).reserved, 0)
  t.is(await balanceOf(stage.client, agent), 1_000_000)
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
})

test('a payment that is stopped stays approved, whatever policies say by now', async (t) => {
  const becomes = (path: string, field: object) => stage.must('PATCH', path, field)
  const { agent, policy } = await stage.governed([MOST(100)])
  const paths = [`/api/agents/${agent.agentId}`, `/api/wallets/${agent.walletId}`]
  const { requestId } = await stage.ask(agent, 50)
  for (const [at, rules] of [[MOST(49)], [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 49 }]].entries()) {
    await put(policy.id, rules)
    await becomes(paths[at]!, { status: at === 0 ? 'PAUSED' : 'FROZEN' })
    t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
    t.is((await stage.traced(requestId)).status, 'APPROVED')
    await becomes(paths[at]!, { status: 'ACTIVE' })
  }
  await put(policy.id, [MOST(49)])
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'LIMIT_EXCEEDED' } })
  t.is((await stage.traced(requestId)).status, 'DENIED')
})

test('an approved payment of a paused wallet keeps what more lenient policies allow it', async (t) => {
  const { agent, policy } = await stage.governed([{ ruleType: 'DAILY_LIMIT', value: 100 }])
  const { requestId } = await stage.ask(agent, 60)
  await put(policy.id, [{ ruleType: 'DAILY_LIMIT', value: 1_000 }])
  t.is((await stage.pay(agent, 500)).status, 'EXECUTED')
  const wallet = `/api/wallets/${agent.walletId}`
  await stage.must('PATCH', wallet, { status: 'FROZEN' })
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
  await stage.must('PATCH', wallet, { status: 'ACTIVE' })
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test('a block ends an approved payment as a block, whatever policies say by now', async (t) => {
  const { agent, policy } = await stage.governed([{ ruleType: 'DAILY_LIMIT', value: 100 }])
  const address = '0x00000000000000000000000000000000000000b7'
  const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', { name: 'Shop', address })
  const { requestId } = await stage.ask(agent, 50, { recipientAddress: address })
  await put(policy.id, [{ ruleType: 'DAILY_LIMIT', value: 1_000 }])
  t.is((await stage.pay(agent, 500)).status, 'EXECUTED')
  await stage.must('POST', `/api/counterparties/${id}/block`, { reason: 'Fraud' })
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
  t.like(await stage.traced(requestId), { status: 'DENIED', violations: [{ type: 'BLOCKED_COUNTERPARTY' }] })
})

test('if policies now require approval, execute answers INVALID_STATUS and the payment waits for it', async (t) => {
  const { agent, policy } = await stage.governed([MOST(100)])
  const { requestId } = await stage.ask(agent, 50)
  await put(policy.id, [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 49 }])
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
  t.is((await stage.traced(requestId)).status, 'REQUIRES_APPROVAL')
  t.is((await delegationOf(stage.client, agent)).reserved, 50)
  t.is(await balanceOf(stage.client, agent), 1_000_000)
})

test('cancelling a payment that now needs approval and a new budget releases all its reservations', async (t) => {
  const { agent, policy } = await stage.governed([])
  const { requestId } = await stage.ask(agent, 50)
  await put(policy.id, [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 49 }, SHARED(60)])
  t.like(await stage.execute(agent, requestId), { status: 400, body: { code: 'INVALID_STATUS' } })
  t.is((await stage.client.post(`/api/sdk/payments/${requestId}/cancel`, agent.key)).status, 200)
  t.is((await delegationOf(stage.client, agent)).reserved, 0)
  t.is((await stage.pay(agent, 49)).status, 'EXECUTED')
  t.is((await stage.ask(agent, 11)).status, 'APPROVED')
})

test('a payment that is still allowed is executed under the current policies', async (t) => {
  const { agent, policy } = await stage.governed([MOST(100)])
  const { requestId, policyDecision } = await stage.ask(agent, 50)
  await put(policy.id, [MOST(50)])
  const next = await stage.ask(agent, 1)
  t.is((await stage.execute(agent, requestId)).status, 200)
  const payment = await stage.traced(requestId)
  t.is(payment.status, 'EXECUTED')
  t.not(payment.policyDecision.policySetHash, policyDecision.policySetHash)
  t.is(payment.policyDecision.policySetHash, next.policyDecision.policySetHash)
  t.is(payment.trace.policies[0]!.policyVersion, 2)
})

test('a payment whose policies are unchanged keeps its decision', async (t) => {
  const { agent } = await stage.governed([MOST(100)])
  const { requestId, policyDecision } = await stage.ask(agent, 50)
  t.is((await stage.execute(agent, requestId)).status, 200)
  t.deepEqual((await stage.traced(requestId)).policyDecision, policyDecision)
})

test("a payment's own reservation does not count against its execution", async (t) => {
  const { agent, policy } = await stage.governed([{ ruleType: 'DAILY_LIMIT', value: 100 }, SHARED(100)])
  const { requestId } = await stage.ask(agent, 60)
  const limits = [
    { ruleType: 'DAILY_LIMIT', value: 60 },
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'DAY' } },
  ]
  await put(policy.id, [...limits, SHARED(60)])
  t.is((await stage.execute(agent, requestId)).status, 200)
  const { trace } = await stage.traced(requestId)
  t.deepEqual(
    trace.policies[0]!.rules.map(({ outcome }) => outcome),
    ['PASSED', 'PASSED', 'PASSED'],
  )
  t.is(trace.policies[0]!.rules[0]!.facts['dayTotal'], 60)
})

test('execution asks a shared budget that was added after the approval', async (t) => {
  const [agent, colleague] = [await stage.agent(), await stage.agent()]
  const [first, second] = [await stage.ask(agent, 60), await stage.ask(colleague, 60)]
  await stage.policy([SHARED(100)], { agentIds: [agent.agentId, colleague.agentId] })
  t.is((await stage.execute(agent, first.requestId)).status, 200)
  const refused = await stage.execute(colleague, second.requestId)
  t.like(refused, { status: 400, body: { code: 'LIMIT_EXCEEDED' } })
  const denied = await stage.traced(second.requestId)
  t.like(denied, { status: 'DENIED', violations: [{ type: 'BUDGET_EXCEEDED', limit: 100, current: 60 }] })
  t.is((await delegationOf(stage.client, colleague)).reserved, 0)
  t.is((await stage.ask(agent, 40.000001)).status, 'DENIED')
  t.is((await stage.ask(agent, 40)).status, 'APPROVED')
})

test('the facts of an execution count its amount in a new budget that does not hold it yet', async (t) => {
  const [agent, colleague] = [await stage.agent(), await stage.agent()]
  const early = await stage.ask(agent, 30)
  await stage.policy([SHARED(100)], { agentIds: [agent.agentId, colleague.agentId] })
  t.is((await stage.pay(colleague, 20)).status, 'EXECUTED')
  t.is((await stage.execute(agent, early.requestId)).status, 200)
  const [policy] = (await stage.traced(early.requestId)).trace.policies
  const [rule] = policy!.rules
  t.is(rule!.facts[`budget:${policy!.policyId}:TOTAL`], 50)
})

test('concurrent executions never exceed a budget that was added after the approvals', async (t) => {
  const agent = await stage.agent()
  const asked = await Promise.all(Array.from({ length: 30 }, () => stage.ask(agent, 1)))
  await stage.policy([SHARED(12)], { agentIds: [agent.agentId] })
  const executed = await Promise.all(asked.map(({ requestId }) => stage.execute(agent, requestId)))
  t.is(executed.filter(({ status }) => status === 200).length, 12)
  t.is(await balanceOf(stage.client, agent), 1_000_000 - 12)
})

const LIFTS: { [how: string]: (policyId: string, agent: FundedAgent) => Promise<unknown> } = {
  'made inactive': (policyId) => stage.must('PATCH', `/api/policies/${policyId}`, { isActive: false }),
  unassigned: (policyId, { agentId }) => stage.must('DELETE', `/api/agents/${agentId}/policies?policyId=${policyId}`),
}

for (const [how, lift] of Object.entries(LIFTS)) {
  test(`a policy that was assigned after the approval, and then ${how}, does not block the execution`, async (t) => {
    const agent = await stage.agent()
    const { requestId } = await stage.ask(agent, 50)
    const strict = await stage.policy([MOST(1)], { agentIds: [agent.agentId] })
    t.is((await stage.ask(agent, 50)).status, 'DENIED')
    await lift(strict.id, agent)
    t.is((await stage.execute(agent, requestId)).status, 200)
  })
}

// Alone, because it applies to the whole organization: only such a policy can be deleted while it applies.
test.serial('a policy that was deleted after the approval does not block the execution', async (t) => {
  const agent = await stage.agent()
  const { requestId } = await stage.ask(agent, 50)
  const strict = await stage.policy([MOST(1)], { scope: 'organization' })
  t.is((await stage.ask(agent, 50)).status, 'DENIED')
  await stage.must('DELETE', `/api/policies/${strict.id}`)
  t.is((await stage.execute(agent, requestId)).status, 200)
})
