// A shared budget opens with what its agents have spent, and from then on counts every payment under its policy.
import test from 'ava'
import { wholeFile } from '../service/service.js'
import type { FundedAgent } from '../service/setup.js'
import { startStage, type Stage } from './stage.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const SHARED = (amount: number) => ({ ruleType: 'BUDGET_CAP', value: { amount, period: 'TOTAL', of: 'POLICY' } })
const paid = async (amount: number): Promise<FundedAgent> => {
  const agent = await stage.agent()
  await stage.pay(agent, amount)
  return agent
}
/** The sum that the budget of the agent's only policy reports in a denial. */
const counted = async (agent: FundedAgent): Promise<number | undefined> => {
  const { violations = [] } = await stage.ask(agent, 900_000)
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

test.serial('an agent that joins an open budget adds no earlier spending, and leaving removes none', async (t) => {
  const [agent, colleague] = [await paid(5), await paid(60)]
  const policy = await stage.policy([SHARED(100)], { agentIds: [agent.agentId] })
  t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
  await stage.assign(policy.id, colleague)
  t.is(await counted(colleague), 15)
  t.is((await stage.pay(colleague, 20)).status, 'EXECUTED')
  await stage.must('DELETE', `/api/agents/${colleague.agentId}/policies?policyId=${policy.id}`)
  t.is(await counted(agent), 35)
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
