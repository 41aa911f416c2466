// What an edit leaves as it is: one that changes nothing leaves all, and a rollback whether the policy is active.
import test from 'ava'
import { startGovernance } from '../../support/governance.js'
import { startStage, type Policy, type Stage, type Version } from '../../support/policies.js'
import type { PolicyList, VersionList } from '../../../sdk/api.js'

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })

const versionsOf = async (stage: Stage, id: string): Promise<Version[]> =>
  (await stage.must<VersionList>('GET', `/api/policies/${id}/versions`)).versions

test('an edit that changes nothing appends no version and asks nobody, even where policies are governed', async (t) => {
  const stage = await startGovernance(t, { actions: ['policy.update'] })
  const policy = await stage.policy([MOST(5), MOST(6)], { description: 'Most' })
  const path = `/api/policies/${policy.id}`
  for (const [method, to, body] of [
    ['PATCH', path, {}],
    ['PATCH', path, { name: policy.name, description: 'Most', priority: 50 }],
    ['PUT', `${path}/rules`, { rules: [MOST(5), MOST(6)] }],
    ['PUT', `${path}/rules`, { rules: policy.rules }],
    ['PATCH', `${path}/rules/${policy.rules[0]!.id}`, { value: 5 }],
  ] as const) {
    const answer = await stage.admin<Policy>(method, to, body)
    t.deepEqual([answer.status, answer.body], [200, policy], `${method} ${to}`)
  }
  t.is((await versionsOf(stage, policy.id)).length, 1)
  t.is((await stage.admin('PATCH', path, { priority: 51 })).status, 202)
  t.is((await stage.admin('PUT', `${path}/rules`, { rules: [MOST(6), MOST(5)] })).status, 202)
})

test('a rollback leaves a policy active that is active now, and its note may be left out', async (t) => {
  const stage = await startStage(t)
  const { id } = await stage.policy([MOST(5)], { isActive: false })
  await stage.must('PATCH', `/api/policies/${id}`, { isActive: true })
  await stage.must('PUT', `/api/policies/${id}/rules`, { rules: [MOST(9)] })
  const back = await stage.must<Policy>('POST', `/api/policies/${id}/versions/1/rollback`, {})
  t.like(back, { version: 4, isActive: true, rules: [{ value: 5 }] })
  await stage.must('PATCH', `/api/policies/${id}`, { isActive: false })
  const off = await stage.must<Policy>('POST', `/api/policies/${id}/versions/3/rollback`, { note: 'Nine again' })
  t.like(off, { version: 6, isActive: false, rules: [{ value: 9 }] })
  t.like(await stage.must<Policy>('POST', `/api/policies/${id}/versions/4/rollback`), { rules: [{ value: 5 }] })
  t.deepEqual(
    (await versionsOf(stage, id)).map(({ note }) => note),
    [null, 'Nine again', null, null, null, null, null],
  )
})

test('agents and wallets that are deleted leave the assignments of their policies', async (t) => {
  const stage = await startStage(t)
  const [one, other] = [await stage.agent(), await stage.agent()]
  const { id } = await stage.policy([], { agentIds: [one.agentId, other.agentId] })
  const wallet = await stage.must<{ id: string }>('POST', '/api/wallets', { name: 'Till', custodyType: 'MANAGED' })
  await stage.must('POST', `/api/wallets/${wallet.id}/policies`, { policyId: id })
  const assigned = async () => (await stage.must<Policy>('GET', `/api/policies/${id}`)).assignments
  t.deepEqual(await assigned(), { agents: [one.agentId, other.agentId], wallets: [wallet.id], cards: [] })
  await stage.must('DELETE', `/api/agents/${one.agentId}`)
  await stage.must('DELETE', `/api/wallets/${wallet.id}`)
  t.deepEqual(await assigned(), { agents: [other.agentId], wallets: [], cards: [] })
})

test('the impact of a policy that does not exist yet is that of the same policy once it is made', async (t) => {
  const stage = await startStage(t)
  const [agent, other] = [await stage.agent(), await stage.agent()]
  for (const amount of [4, 6, 7]) await stage.pay(agent, amount)
  await stage.pay(other, 8)
  interface Impact {
    policyId: string | null
    version: number
    replayed: number
    changed: number
    changes: object[]
  }
  const policy = { name: 'Small', policyType: 'SPEND_LIMIT', rules: [MOST(5)] }
  const path = '/api/policies/impact'
  const found = await stage.must<Impact>('POST', path, { policy, agentIds: [agent.agentId] })
  const changes = [{ before: 'APPROVED', after: 'DENIED', count: 2 }]
  t.like(found, { policyId: null, version: 0, replayed: 3, changed: 2, changes })
  const wide = await stage.must<Impact>('POST', path, { policy: { ...policy, scope: 'organization' } })
  t.like(wide, { replayed: 4, changed: 3 })
  const { policies } = await stage.must<PolicyList>('GET', '/api/policies')
  t.deepEqual(policies, [])
  t.is((await stage.admin('POST', path, { policy, agentIds: ['a'.repeat(25)] })).status, 404)
  t.is((await stage.admin('POST', path, { policy: { ...policy, rules: [MOST(-1)] } })).status, 400)
})
