// Assigning policies to agents and wallets, unassigning them, and what an assignment prevents.
import test from 'ava'
import type { Failure } from '../../support/client.js'
import { wholeFile } from '../../support/process.js'
import { startStage, type Policy, type Stage } from '../../support/policies.js'
import type { Assignment, PolicyList, WholeAgent } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const read = (id: string) => stage.must<Policy>('GET', `/api/policies/${id}`)

test.serial('repeating the assignment of an agent or a wallet returns the existing one', async (t) => {
  const agent = await stage.agent()
  const policy = await stage.policy([])
  for (const [subjects, field, id] of [
    ['agents', 'agentId', agent.agentId],
    ['wallets', 'walletId', agent.walletId],
  ] as const) {
    const path = `/api/${subjects}/${id}/policies`
    const first = await stage.admin<Assignment>('POST', path, { policyId: policy.id })
    t.is(first.status, 201)
    t.deepEqual(Object.keys(first.body).sort(), ['createdAt', field, 'id', 'policyId'].sort())
    t.like(first.body, { [field]: id, policyId: policy.id })
    const again = await stage.admin<Assignment>('POST', path, { policyId: policy.id })
    t.is(again.status, 200)
    t.deepEqual(again.body, first.body)
    t.deepEqual((await read(policy.id)).assignments[subjects], [id])
    t.deepEqual(await stage.must('DELETE', `${path}?policyId=${policy.id}`), { success: true })
    t.like(await stage.admin<Failure>('DELETE', `${path}?policyId=${policy.id}`), {
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    t.deepEqual((await read(policy.id)).assignments[subjects], [])
  }
  t.is((await read(policy.id)).version, 1)
})

test.serial('20 concurrent assignments of one agent make one', async (t) => {
  const agent = await stage.agent()
  const policy = await stage.policy([])
  const path = `/api/agents/${agent.agentId}/policies`
  const body = { policyId: policy.id }
  const answers = await Promise.all(Array.from({ length: 20 }, () => stage.admin<Assignment>('POST', path, body)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [...Array<number>(19).fill(200), 201])
  t.is(new Set(answers.map((answer) => answer.body.id)).size, 1)
  t.deepEqual((await read(policy.id)).assignments.agents, [agent.agentId])
})

test.serial('an agent shows its policies and those of the organization', async (t) => {
  const agent = await stage.agent()
  const own = await stage.policy([], { priority: 10, agentIds: [agent.agentId] })
  const all = await stage.policy([], { priority: 90, scope: 'organization', isActive: false })
  const { policies } = await stage.must<WholeAgent>('GET', `/api/agents/${agent.agentId}`)
  const short = ({ id, name, policyType, priority, isActive }: Policy) => ({ id, name, policyType, priority, isActive })
  t.deepEqual(policies, [short(all), short(own)])
  await stage.must('DELETE', `/api/policies/${all.id}`)
})

test.serial('an agent sees its own policies and those of its wallets, and no others', async (t) => {
  const [agent, other] = [await stage.agent(), await stage.agent()]
  const [own, ofWallet, elsewhere] = [
    await stage.policy([], { priority: 10 }),
    await stage.policy([]),
    await stage.policy([]),
  ]
  await stage.must('POST', `/api/agents/${agent.agentId}/policies`, { policyId: own.id })
  await stage.must('POST', `/api/wallets/${agent.walletId}/policies`, { policyId: ofWallet.id })
  await stage.must('POST', `/api/agents/${agent.agentId}/policies`, { policyId: ofWallet.id })
  await stage.must('POST', `/api/wallets/${other.walletId}/policies`, { policyId: elsewhere.id })
  const { client } = stage
  const idsAt = async (path: string, key: string) =>
    (await client.get<{ policies: { id: string }[] }>(path, key)).body.policies.map(({ id }) => id)
  t.deepEqual(await idsAt('/api/sdk/policies', agent.key), [ofWallet.id, own.id])
  t.deepEqual(await idsAt('/api/sdk/policies?limit=1&offset=1', agent.key), [own.id])
  t.deepEqual(await idsAt('/api/sdk/setup', agent.key), [ofWallet.id, own.id])
  const wholeAgent = await stage.must<WholeAgent>('GET', `/api/agents/${agent.agentId}`)
  t.deepEqual(
    wholeAgent.policies.map(({ id }) => id),
    [ofWallet.id, own.id],
  )
  await stage.must('DELETE', `/api/agents/${agent.agentId}/wallets?walletId=${agent.walletId}`)
  await stage.must('DELETE', `/api/agents/${agent.agentId}/policies?policyId=${ofWallet.id}`)
  t.deepEqual(await idsAt('/api/sdk/policies', agent.key), [own.id])
})

test.serial('every route for rules answers with the whole policy', async (t) => {
  const policy = await stage.policy([MOST(10)])
  const path = `/api/policies/${policy.id}/rules`
  t.deepEqual(await stage.must('GET', path), policy)
  const added = await stage.must<Policy>('POST', path, { rules: [MOST(9), MOST(8)] })
  t.deepEqual([added.version, added.rules.length], [2, 3])
  const edited = await stage.must<Policy>('PATCH', `${path}/${policy.rules[0]!.id}`, { value: 7 })
  t.deepEqual([edited.version, edited.rules[0]!.value], [3, 7])
  const shorter = await stage.must<Policy>('DELETE', `${path}/${policy.rules[0]!.id}`)
  t.deepEqual([shorter.version, shorter.rules], [4, added.rules.slice(1)])
  const replaced = await stage.must<Policy>('PUT', path, { rules: [MOST(6)] })
  t.deepEqual([replaced.version, replaced.rules.length], [5, 1])
  t.deepEqual(await stage.must('GET', path), replaced)
})

test.serial('agentIds assigns agents when a policy is created', async (t) => {
  const agents = [await stage.agent(), await stage.agent()]
  const agentIds = agents.map(({ agentId }) => agentId)
  const policy = await stage.policy([MOST(10)], { agentIds: [...agentIds, agentIds[0]] })
  t.deepEqual(policy.assignments, { agents: agentIds, wallets: [], cards: [] })
  t.is(policy.version, 1)
  t.is((await stage.ask(agents[1]!, 11)).status, 'DENIED')
  const named = { name: 'Named', policyType: 'COMPOSITE' }
  const refusals: [number, object][] = [
    [404, { agentIds: [agentIds[0], 'c'.repeat(25)] }],
    [400, { agentIds: [1] }],
    [400, { agentIds: 'all' }],
    [400, { agentIds: Array(101).fill(agentIds[0]) }],
    [400, { agentIds, scope: 'organization' }],
  ]
  for (const [status, more] of refusals) {
    const answer = await stage.admin<Failure>('POST', '/api/policies', { ...named, ...more })
    t.is(answer.status, status, JSON.stringify(more))
    if (status === 400) t.regex(answer.body.details![0]!.path, /^agentIds/)
  }
  const { policies } = await stage.must<PolicyList>('GET', '/api/policies?limit=100')
  t.false(policies.some(({ name }) => name === named.name))
})

test.serial('an assigned policy can neither be deleted nor become organization-scoped', async (t) => {
  const agent = await stage.agent()
  for (const at of [`/api/agents/${agent.agentId}/policies`, `/api/wallets/${agent.walletId}/policies`]) {
    const policy = await stage.policy([])
    const path = `/api/policies/${policy.id}`
    await stage.must('POST', at, { policyId: policy.id })
    for (const answer of [
      await stage.admin<Failure>('DELETE', path),
      await stage.admin<Failure>('PATCH', path, { scope: 'organization' }),
    ]) {
      t.like(answer, { status: 409, body: { code: 'POLICY_HAS_ASSIGNMENTS' } })
    }
    t.like(await read(policy.id), { version: 1, scope: 'assigned' })
    t.is((await stage.admin('PATCH', path, { scope: 'assigned' })).status, 200)
    await stage.must('POST', `${path}/versions/1/rollback`, { note: 'Fine' })
    await stage.must('DELETE', `${at}?policyId=${policy.id}`)
    await stage.must('PATCH', path, { scope: 'organization' })
    const refused = await stage.admin<Failure>('POST', at, { policyId: policy.id })
    t.like(refused, { status: 400, body: { code: 'INVALID_STATUS' } })
    await stage.must('DELETE', path)
  }
})

test.serial(
  'a policy of deleted agents and wallets alone becomes organization-scoped, by edit and by rollback',
  async (t) => {
    const { agentId, walletId } = await stage.agent()
    const { id } = await stage.policy([], { scope: 'organization' })
    const path = `/api/policies/${id}`
    await stage.must('PATCH', path, { scope: 'assigned' })
    await stage.must('POST', `/api/agents/${agentId}/policies`, { policyId: id })
    await stage.must('POST', `/api/wallets/${walletId}/policies`, { policyId: id })
    await stage.must('DELETE', `/api/agents/${agentId}`)
    t.is((await stage.admin('PATCH', path, { scope: 'organization' })).status, 409)
    await stage.must('DELETE', `/api/wallets/${walletId}`)
    await stage.must('PATCH', path, { scope: 'organization' })
    await stage.must('PATCH', path, { scope: 'assigned' })
    t.like(await stage.must('POST', `${path}/versions/1/rollback`, { note: 'Back' }), { scope: 'organization' })
    const { entries } = await stage.must<{ entries: { choice: string | null }[] }>(
      'GET',
      `/api/machines/policy/actors/${id}/history`,
    )
    t.true(entries.every(({ choice }) => choice !== null))
    await stage.must('DELETE', path)
  },
)

test.serial('a policy of deleted agents and wallets alone is deleted', async (t) => {
  const { agentId, walletId } = await stage.agent()
  const { id } = await stage.policy([])
  await stage.must('POST', `/api/agents/${agentId}/policies`, { policyId: id })
  await stage.must('POST', `/api/wallets/${walletId}/policies`, { policyId: id })
  await stage.must('DELETE', `/api/agents/${agentId}`)
  t.is((await stage.admin('DELETE', `/api/policies/${id}`)).status, 409)
  await stage.must('DELETE', `/api/wallets/${walletId}`)
  await stage.must('DELETE', `/api/policies/${id}`)
})

test.serial('a refused deletion of a policy ends no assignment', async (t) => {
  const { agentId } = await stage.agent()
  const other = await stage.agent()
  const { id } = await stage.policy([], { agentIds: [agentId, other.agentId] })
  await stage.must('DELETE', `/api/agents/${agentId}`)
  t.is((await stage.admin('DELETE', `/api/policies/${id}`)).status, 409)
  const { assignments } = await stage.must<Policy>('GET', `/api/policies/${id}`)
  t.deepEqual(assignments.agents, [other.agentId], 'a deleted agent is listed no longer')
})

test.serial('a rollback to an organization-scoped version is refused while the policy is assigned', async (t) => {
  const agent = await stage.agent()
  const policy = await stage.policy([MOST(1)], { scope: 'organization' })
  const path = `/api/policies/${policy.id}`
  await stage.must('PATCH', path, { scope: 'assigned' })
  for (const at of [`/api/agents/${agent.agentId}/policies`, `/api/wallets/${agent.walletId}/policies`]) {
    await stage.must('POST', at, { policyId: policy.id })
    const refused = await stage.admin<Failure>('POST', `${path}/versions/1/rollback`, { note: 'Back' })
    t.like(refused, { status: 409, body: { code: 'POLICY_HAS_ASSIGNMENTS' } })
    await stage.must('DELETE', `${at}?policyId=${policy.id}`)
  }
  t.is((await read(policy.id)).version, 2)
  const rolled = await stage.must<Policy>('POST', `${path}/versions/1/rollback`, { note: 'Back' })
  t.like(rolled, { scope: 'organization', version: 3 })
  t.is((await stage.ask(agent, 2)).status, 'DENIED')
  await stage.must('DELETE', path)
  t.is((await stage.ask(agent, 2)).status, 'APPROVED')
})

test.serial('a concurrent assignment and change of scope or deletion never both succeed', async (t) => {
  const agent = await stage.agent()
  for (let round = 0; round < 10; round += 1) {
    const { id } = await stage.policy([])
    const [assigned, covered, deleted] = await Promise.all([
      stage.admin('POST', `/api/agents/${agent.agentId}/policies`, { policyId: id }),
      stage.admin('PATCH', `/api/policies/${id}`, { scope: 'organization' }),
      stage.admin('DELETE', `/api/policies/${id}`),
    ])
    const done = [assigned.status === 201, covered.status === 200 || deleted.status === 200]
    t.deepEqual(done.filter(Boolean).length, 1, `${assigned.status} ${covered.status} ${deleted.status}`)
  }
})

test.serial('a policy can be unassigned from a deleted agent', async (t) => {
  const agent = await stage.agent()
  const policy = await stage.policy([], { agentIds: [agent.agentId] })
  await stage.must('DELETE', `/api/agents/${agent.agentId}`)
  await stage.must('DELETE', `/api/agents/${agent.agentId}/policies?policyId=${policy.id}`)
  const path = `/api/policies/${policy.id}`
  t.deepEqual((await stage.must<{ assignments: { agents: unknown[] } }>('GET', path)).assignments.agents, [])
  await stage.must('DELETE', path)
})

test.serial('assignments of missing agents, wallets or policies, and malformed ones, are refused', async (t) => {
  const agent = await stage.agent()
  const { id: policyId } = await stage.policy([])
  const gone = await stage.policy([])
  await stage.must('DELETE', `/api/policies/${gone.id}`)
  const absent = 'c'.repeat(25)
  const refused: [string, unknown, number][] = [
    [`/api/agents/${absent}/policies`, { policyId }, 404],
    [`/api/wallets/${absent}/policies`, { policyId }, 404],
    [`/api/agents/${agent.walletId}/policies`, { policyId }, 404],
    [`/api/agents/${agent.agentId}/policies`, { policyId: absent }, 404],
    [`/api/agents/${agent.agentId}/policies`, { policyId: gone.id }, 404],
    [`/api/agents/${agent.agentId}/policies`, {}, 400],
    [`/api/agents/${agent.agentId}/policies`, { policyId: 7 }, 400],
    [`/api/agents/${agent.agentId}/policies`, { policyId, more: 1 }, 400],
  ]
  for (const [path, body, status] of refused) t.is((await stage.admin('POST', path, body)).status, status, path)
  for (const path of [`/api/agents/${agent.agentId}/policies`, `/api/wallets/${agent.walletId}/policies`]) {
    t.is((await stage.admin('DELETE', path)).status, 400)
    t.is((await stage.admin('DELETE', `${path}?policyId=${absent}`)).status, 404)
  }
})
