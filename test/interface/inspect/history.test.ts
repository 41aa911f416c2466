// Edge cases of histories: actors with more changes than a history goes back, actors that no command created, and
// actors that gates changed without an audit entry.
import test from 'ava'
import { charts } from '../../../machines/index.js'
import { idOf } from '../../../src/actor/actor.js'
import { deleteAgent } from '../../../src/commands/agents/agents.js'
import { actorHistory, storyOf } from '../../../src/commands/audit/history.js'
import { createPolicy, deletePolicy, updatePolicy } from '../../../src/commands/policies/policies.js'
import { rollBack } from '../../../src/commands/policies/versions.js'
import { fundWallet } from '../../../src/commands/agents/wallets.js'
import { explainHistory, type HistoryEntry } from '../../../src/inspect/history.js'
import { done, newOrganization, openBare } from '../../support/commands.js'
import { populate } from '../../support/population.js'
import { RULE } from '../../support/routes.js'
import { start } from '../../support/service.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, execute, fundedAgent, made, RECIPIENT } from '../../support/payments.js'
import type { ActorHistory, AuditEntryList } from '../../../sdk/api.js'

const POLICY = {
  name: 'Policy',
  policyType: 'COMPOSITE',
  rules: [],
  scope: 'assigned',
  priority: 50,
  isActive: true,
} as const

const amounts = ({ changed }: Pick<ActorHistory['entries'][number], 'changed'>): unknown[] => {
  const { from, to } = changed.find(({ field }) => field === 'balance')!
  return [from, to]
}

test('a history goes back 500 commands, reports that there are more, and explains each of them', async (t) => {
  const bare = openBare(t)
  const { admin, wallet } = await newOrganization(bare)
  const id = await wallet(0)
  for (let funded = 0; funded < 520; funded += 1) done(await fundWallet(bare.services, admin, id, 1))
  const [actor] = await bare.services.host.read([`wallet/${id}`])
  let after: number | undefined
  const explained: HistoryEntry[] = []
  for (const left of [400, 300, 200, 100, 0]) {
    const page = (await actorHistory(bare.services, actor!, { limit: 100, offset: 0, after }))!
    t.like(page, { total: 500, hasMore: left > 0, isWhole: false })
    explained.push(...page.entries)
    after = page.entries.at(-1)!.sequence
  }
  t.deepEqual(
    explained.map(amounts),
    Array.from({ length: 500 }, (_, place) => [519 - place, 520 - place]),
  )
  t.deepEqual(new Set(explained.map(({ choice, from }) => `${choice} ${from}`)), new Set(['kept.FUND[1] kept.active']))
  t.deepEqual(
    explained[0]!.changed.map(({ field }) => field),
    ['balance'],
  )
  const beyond = await actorHistory(bare.services, actor!, { limit: 100, offset: 450 })
  t.deepEqual([beyond!.entries.length, beyond!.hasMore], [50, false])
  t.deepEqual((await actorHistory(bare.services, actor!, { limit: 100, offset: 900 }))!.entries, [])
  t.is(await actorHistory(bare.services, actor!, { limit: 100, offset: 0, after: 7_000 }), undefined)
  const story = await storyOf(bare.services, actor!)
  t.deepEqual([story.lines.length, story.isWhole], [100, false])
})

test('a history shows changes as logged, even if gates changed the actor in between', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client, { name: 'Buyer' })
  await ask(client, buyer.key, 5, { autoExecute: true })
  await made(client, `/api/wallets/${buyer.walletId}/fund`, { amount: 10 })
  const { body } = await client.get<ActorHistory>(
    `/api/machines/wallet/actors/${buyer.walletId}/history`,
    ORGANIZATION_KEY,
  )
  t.true(body.complete)
  const [last, first] = body.entries
  const [, before] = amounts(first!)
  t.deepEqual(amounts(last!), [Number(before) - 5_000_000, Number(before) + 5_000_000])
})

test('a whole history shows no counters that refused commands without an entry may have raised', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client)
  const { body } = await ask(client, buyer.key, 1)
  await execute(client, buyer.key, body.requestId)
  const url = `/api/machines/payment/actors/${body.requestId}/history`
  const { entries, complete } = (await client.get<ActorHistory>(url, ORGANIZATION_KEY)).body
  t.deepEqual([entries.map(({ action }) => action), complete], [['payment.execute', 'payment.request'], true])
  const fields = entries.flatMap(({ changed }) => changed.map(({ field }) => field))
  t.true(fields.includes('executedAt'))
  t.deepEqual(
    fields.filter((field) => ['sending', 'updatedAt'].includes(field)),
    [],
  )
})

test('an actor that no command created has a history from its first logged state', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client, { name: 'Buyer' })
  await ask(client, buyer.key, 5, { autoExecute: true })
  const lookup = `/api/counterparties/lookup?address=${RECIPIENT}`
  const found = await client.get<{ counterparty: { id: string } }>(lookup, ORGANIZATION_KEY)
  const { id } = found.body.counterparty
  await made(client, `/api/counterparties/${id}/block`, { reason: 'Test' })
  const { body } = await client.get<ActorHistory>(`/api/machines/counterparty/actors/${id}/history`, ORGANIZATION_KEY)
  t.deepEqual(
    body.entries.map(({ message, from, to, choice }) => [message, from, to, choice]),
    [['BLOCK', 'met.unknown', 'blocked', 'met.BLOCK[0]']],
  )
})

test('a rollback is explained', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const { services } = bare
  const created = await createPolicy(services, admin, POLICY)
  const { ref } = done(created)
  const policyId = idOf(ref)
  done(await updatePolicy(services, admin, policyId, { name: 'Renamed' }, {}))
  const actor = done(await rollBack(services, admin, policyId, 1, { note: 'Back' }))
  const entries = await services.auditLog.all(admin.principal.organization, { resourceId: policyId })
  t.is(entries.at(-1)!.action, 'policy.rollback')
  const explained = [...explainHistory(charts, actor, entries)].at(-1)!
  t.like(explained, { message: 'ROLL_BACK', actions: ['rollBack'] })
})

test('the deletion of a policy whose agents are deleted is explained', async (t) => {
  const bare = openBare(t)
  const { admin, agent } = await newOrganization(bare)
  const { services } = bare
  const { id } = await agent()
  const policyId = idOf(done(await createPolicy(services, admin, { ...POLICY, agentIds: [id] })).ref)
  done(await deleteAgent(services, admin, id))
  const actor = done(await deletePolicy(services, admin, policyId, {}))
  const history = (await actorHistory(services, actor, { limit: 100, offset: 0 }))!
  t.deepEqual(
    history.entries.map(({ message, choice }) => [message, choice]),
    [
      ['DELETE', 'kept.DELETE[2]'],
      ['CREATE', 'absent.CREATE[0]'],
    ],
  )
})

test('changes by one person in one millisecond are told apart', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const { services } = bare
  const policyId = idOf(done(await createPolicy(services, admin, POLICY)).ref)
  done(await updatePolicy(services, admin, policyId, { name: 'First' }, {}))
  const actor = done(await updatePolicy(services, admin, policyId, { name: 'Second' }, {}))
  const history = (await actorHistory(services, actor, { limit: 1, offset: 0 }))!
  t.like(history.entries[0], { message: 'UPDATE', choice: 'kept.UPDATE[3]' })
  // The time is fixed: what the log has of the first change, its members sorted, is the same as of the second.
  t.false(history.entries[0]!.changed.some(({ field }) => field === 'change'))
})

test('everyday changes of an organization’s actors are explained from the log', async (t) => {
  const { client } = await start(t)
  const { ids } = await populate(client, ORGANIZATION_KEY)
  const { agentId, walletId, policyId, counterpartyId } = ids
  const change = async (path: string, body: object, method: 'PATCH' | 'PUT' = 'PATCH'): Promise<void> => {
    const answer = await client.send<object>(method, `/api/${path}`, ORGANIZATION_KEY, body)
    t.true(answer.status < 300, `${path} answered ${JSON.stringify(answer.body)}`)
  }
  await change(`agents/${agentId}`, { description: 'Buys paper' })
  await made(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Short', expiresInDays: 2 })
  await change(`agents/${agentId}`, { name: 'Renamed' })
  await change(`counterparties/${counterpartyId}`, { name: 'Paper and Co' }, 'PUT')
  await change(`policies/${policyId}`, { description: 'Not more' })
  await change('organization', { name: 'Northwind' })
  await change(`policies/${policyId}/rules`, { rules: [RULE, RULE] }, 'PUT')
  await made(client, `/api/agents/${agentId}/freeze`, { reason: 'Test' })
  await change(`wallets/${walletId}`, { status: 'FROZEN' })
  const { body } = await client.get<AuditEntryList>('/api/audit-logs?limit=100', ORGANIZATION_KEY)
  const actors = new Set(body.entries.map(({ resource, resourceId }) => `${resource}/actors/${resourceId}`))
  const unexplained: string[] = []
  let explained = 0
  for (const path of actors) {
    const history = (await client.get<ActorHistory>(`/api/machines/${path}/history`, ORGANIZATION_KEY)).body
    explained += history.entries.length
    unexplained.push(...history.entries.filter(({ choice }) => choice === null).map(({ action }) => action))
  }
  t.deepEqual([unexplained, explained], [[], body.entries.length])
})

test('an approval that came after the policies had changed is explained', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client, { terms: { delegationType: 'FULL' } })
  const policy = (name: string, ruleType: string, operator: string, value: number) =>
    made(client, '/api/policies', {
      name,
      policyType: 'COMPOSITE',
      rules: [{ ruleType, operator, value }],
      agentIds: [buyer.agentId],
    })
  const asked = async (amount: number): Promise<{ requestId: string; approvalRequestId: string }> =>
    (await ask(client, buyer.key, amount)).body as never
  const approve = ({ approvalRequestId }: { approvalRequestId: string }) =>
    client.post(`/api/approval-requests/${approvalRequestId}/decision`, ORGANIZATION_KEY, { decision: 'APPROVED' })
  const choicesOf = async ({ requestId }: { requestId: string }): Promise<unknown[]> => {
    const path = `/api/machines/payment/actors/${requestId}/history`
    const { body } = await client.get<ActorHistory>(path, ORGANIZATION_KEY)
    return body.entries.map(({ action, choice, to }) => `${action} ${choice} ${to}`).reverse()
  }
  await policy('Person above 10', 'REQUIRE_APPROVAL_ABOVE', 'GREATER_THAN', 10)
  const [stale, denied] = [await asked(20), await asked(40)]
  await policy('At most 30', 'MAX_AMOUNT', 'LTE', 30)
  await policy('Person above 15', 'REQUIRE_APPROVAL_ABOVE', 'GREATER_THAN', 15)
  await approve(stale)
  await approve(denied)
  t.deepEqual(await choicesOf(stale), [
    'payment.request created.REQUEST[1] awaitingApproval',
    'payment.approve awaitingApproval.APPROVE[6] awaitingApproval',
  ])
  t.deepEqual(await choicesOf(denied), [
    'payment.request created.REQUEST[1] awaitingApproval',
    'payment.approve awaitingApproval.APPROVE[5] denied',
  ])
})
