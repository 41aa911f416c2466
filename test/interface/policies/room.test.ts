// How many policies may apply, and how many wallets may be delegated: one more is refused, also among many at once.
import test from 'ava'
import { MAX_POLICIES } from '../../../src/domain/parties/policy.js'
import type { Failure } from '../../support/client.js'
import { another, startStage, type Policy, type Stage } from '../../support/policies.js'
import type { DelegationList, PolicyList } from '../../../sdk/api.js'

const body = (more: object): object => ({ name: another('Policy'), policyType: 'COMPOSITE', rules: [], ...more })

const make = async (stage: Stage, more: object) => stage.admin<Policy & Failure>('POST', '/api/policies', body(more))

/** Of one more than the room has, all asked for at once, exactly one is refused. */
async function fill(count: number, ask: () => Promise<{ status: number; body: Failure }>): Promise<Failure[]> {
  const answers = await Promise.all(Array.from({ length: count + 1 }, ask))
  return answers.filter(({ status }) => status === 409).map((answer) => answer.body)
}

test('an organization has at most 100 policies that apply to all of its agents', async (t) => {
  const stage = await startStage(t)
  const refused = await fill(MAX_POLICIES, () => make(stage, { scope: 'organization' }))
  t.is(refused.length, 1)
  t.like(refused[0], { code: 'LIMIT_REACHED' })
  t.regex(refused[0]!.error, /^There are at most 100 policies that apply to all agents of an organization/)
  const { body: assigned } = await make(stage, {})
  const widened = await stage.admin<Failure>('PATCH', `/api/policies/${assigned.id}`, { scope: 'organization' })
  t.like(widened, { status: 409, body: { code: 'LIMIT_REACHED' } })
  const { policies } = await stage.must<PolicyList>('GET', '/api/policies?limit=2')
  await stage.must('DELETE', `/api/policies/${policies[1]!.id}`)
  t.is((await stage.admin('PATCH', `/api/policies/${assigned.id}`, { scope: 'organization' })).status, 200)
})

test('an agent has at most 100 policies, and one that it has already is no more', async (t) => {
  const stage = await startStage(t)
  const { agentId } = await stage.agent()
  const one = await stage.policy([], { agentIds: [agentId] })
  const refused = await fill(MAX_POLICIES - 1, () => make(stage, { agentIds: [agentId] }))
  t.deepEqual(
    refused.map(({ code }) => code),
    ['LIMIT_REACHED'],
  )
  const { id } = await stage.policy([])
  const assign = (policyId: string) => stage.admin<Failure>('POST', `/api/agents/${agentId}/policies`, { policyId })
  t.like(await assign(id), { status: 409, body: { code: 'LIMIT_REACHED', details: [{ path: 'policies' }] } })
  t.is((await assign(one.id)).status, 200)
})

test('an agent has at most 100 delegations in force', async (t) => {
  const stage = await startStage(t)
  const { agentId } = await stage.agent()
  const wallets: string[] = []
  const delegate = async () => {
    const { id } = await stage.must<{ id: string }>('POST', '/api/wallets', {
      name: another('W'),
      custodyType: 'MANAGED',
    })
    wallets.push(id)
    return stage.admin<Failure>('POST', `/api/agents/${agentId}/wallets`, { walletId: id })
  }
  const refused = await fill(99, delegate)
  t.deepEqual(
    refused.map(({ code }) => code),
    ['LIMIT_REACHED'],
  )
  await stage.must('DELETE', `/api/agents/${agentId}/wallets?walletId=${await firstOf(stage, agentId)}`)
  t.is((await delegate()).status, 201)
  t.is((await delegate()).status, 409)
})

async function firstOf(stage: Stage, agentId: string): Promise<string> {
  const { wallets } = await stage.must<DelegationList>('GET', `/api/agents/${agentId}/wallets`)
  return wallets[0]!.walletId
}
