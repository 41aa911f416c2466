// A shared budget opens with what its agents have spent, and from then on counts every payment under its policy.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import { startStage, type Stage } from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const SHARED = (amount: number, period = 'TOTAL') => {
  return { ruleType: 'BUDGET_CAP', value: { amount, period, of: 'POLICY' } }
}
const paid = async (amount: number): Promise<FundedAgent> => {
  const agent = await stage.agent()
  await stage.pay(agent, amount)
  return agent
}
/** The sum that the budget of the agent's only policy reports in a denial. */
const counted = async (agent: FundedAgent, more?: object): Promise<number | undefined> => {
  const { violations = [] } = await stage.ask(agent, 900_000, more)
  return violations.find(({ type }) => type === 'BUDGET_EXCEEDED')?.current
}

test.serial("an organization's budget opens with what all its agents spent, including deleted ones", async (t) => {
  const gone = await paid(5)
  await stage.must('DELETE', `/api/agents/${gone.agentId}`)
  const agent = await paid(7)
  const { id } = await stage.policy([SHARED(100)], { scope: 'organization' })
  t.is(await counted(agent), 12)
  await stage.must('DELETE', `/api/policies/${id}`)
})

test.serial("a wallet's budget opens with what all its agents spent, including one that lost it", async (t) => {
  const [agent, colleague, former] = [await paid(5), await paid(6), await paid(7)]
  for (const { agentId } of [colleague, former]) {
    await stage.must('POST', `/api/agents/${agentId}/wallets`, { walletId: agent.walletId })
  }
  await stage.must('DELETE', `/api/agents/${former.agentId}/wallets?walletId=${agent.walletId}`)
  const { id: policyId } = await stage.policy([SHARED(100)])
  await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId })
  t.is(await counted(agent), 18)
})

test.serial('an agent assigned both directly and through its wallet is counted once', async (t) => {
  const agent = await paid(5)
  const { id: policyId } = await stage.policy([SHARED(100)], { agentIds: [agent.agentId] })
  await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId })
  t.is(await counted(agent), 5)
})

for (const period of ['TOTAL', 'DAILY', 'WEEKLY', 'MONTHLY']) {
  test.serial(
    `an agent adds to an open ${period} budget what it has spent, once, and leaving removes none`,
    async (t) => {
      const [agent, colleague] = [await paid(5), await paid(60)]
      const policy = await stage.policy([SHARED(100, period)], { agentIds: [agent.agentId] })
      t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
      await stage.assign(policy.id, colleague)
      t.is(await counted(agent), 75)
      t.is((await stage.pay(colleague, 20)).status, 'EXECUTED')
      t.is(await counted(agent), 95)
      await stage.must('DELETE', `/api/agents/${colleague.agentId}/policies?policyId=${policy.id}`)
      t.is(await counted(agent), 95)
      t.is((await stage.pay(colleague, 3)).status, 'EXECUTED')
      await stage.assign(policy.id, colleague)
      t.is(await counted(agent), 98)
      t.is((await stage.pay(agent, 3)).status, 'DENIED')
      t.is((await stage.pay(agent, 2)).status, 'EXECUTED')
    },
  )
}

test.serial('what an agent spent before it joins a budget counts, whoever has left the budget', async (t) => {
  const [agent, colleague] = [await stage.agent(), await paid(60)]
  const policy = await stage.policy([SHARED(200)], { agentIds: [agent.agentId] })
  t.is((await stage.pay(agent, 90)).status, 'EXECUTED')
  await stage.must('DELETE', `/api/agents/${agent.agentId}/policies?policyId=${policy.id}`)
  await stage.assign(policy.id, colleague)
  t.is(await counted(colleague), 150)
  t.is((await stage.pay(agent, 7)).status, 'EXECUTED')
  await stage.assign(policy.id, agent)
  t.is(await counted(agent), 157)
})

test.serial(
  'a budget of all agents that becomes one of some keeps its sum and adds what others spent since',
  async (t) => {
    const agent = await stage.agent()
    const policy = await stage.policy([SHARED(10_000)], { scope: 'organization' })
    const path = `/api/policies/${policy.id}`
    t.is((await stage.pay(agent, 1)).status, 'EXECUTED')
    const all = (await counted(agent))!
    await stage.must('PATCH', path, { scope: 'assigned' })
    t.is((await stage.pay(agent, 3)).status, 'EXECUTED')
    await stage.assign(policy.id, agent)
    t.is(await counted(agent), all + 3)
  },
)

test.serial('agents that pay from a wallet that joins an open budget add what they have spent', async (t) => {
  const [agent, colleague] = [await paid(5), await paid(60)]
  const policy = await stage.policy([SHARED(100)], { agentIds: [agent.agentId] })
  t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
  await stage.must('POST', `/api/wallets/${colleague.walletId}/policies`, { policyId: policy.id })
  t.is(await counted(agent), 75)
})

test.serial(
  'an edit of a policy adds no spending to its open budget, a scope of the organization that of all',
  async (t) => {
    const [agent, { walletId }] = [await stage.agent(), await stage.agent()]
    await stage.must('POST', `/api/agents/${agent.agentId}/wallets`, { walletId, delegationType: 'FULL' })
    const policy = await stage.policy([SHARED(100)])
    const path = `/api/policies/${policy.id}`
    await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId: policy.id })
    t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
    t.is((await stage.pay(agent, 30, { walletId })).status, 'EXECUTED')
    await stage.must('PATCH', path, { name: 'Renamed' })
    t.is(await counted(agent, { walletId: agent.walletId }), 10)
    await stage.must('DELETE', `/api/wallets/${agent.walletId}/policies?policyId=${policy.id}`)
    await stage.must('PATCH', path, { scope: 'organization' })
    const all = (await counted(agent))!
    t.true(all > 100, 'the spending of the agents of this file is missing')
    t.is((await stage.pay(agent, 1)).status, 'DENIED')
    await stage.must('DELETE', path)
  },
)

test.serial('a payment approved before another agent joined its budget is executed only within it', async (t) => {
  const [agent, colleague] = [await stage.agent(), await paid(60)]
  const policy = await stage.policy([SHARED(100)], { agentIds: [agent.agentId] })
  const [large, small] = [await stage.ask(agent, 41), await stage.ask(agent, 40)]
  await stage.assign(policy.id, colleague)
  t.like((await stage.execute(agent, large.requestId)).body, { code: 'LIMIT_EXCEEDED' })
  t.is((await stage.execute(agent, small.requestId)).status, 200)
  t.is(await counted(agent), 100)
})

test.serial('a payment approved before an inactive policy existed counts in its budget once executed', async (t) => {
  const [agent, colleague] = [await stage.agent(), await stage.agent()]
  const { requestId, policyDecision } = await stage.ask(agent, 30)
  const agentIds = [agent.agentId, colleague.agentId]
  const { id } = await stage.policy([SHARED(100)], { agentIds, isActive: false })
  t.is((await stage.pay(colleague, 20)).status, 'EXECUTED')
  t.is((await stage.execute(agent, requestId)).status, 200)
  t.deepEqual((await stage.traced(requestId)).policyDecision, policyDecision)
  await stage.must('PATCH', `/api/policies/${id}`, { isActive: true })
  t.is(await counted(agent), 50)
})
