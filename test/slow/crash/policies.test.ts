// What consists of several parts is created in one commit, or completed by a repetition of the request: a service that
// stops half-way leaves nothing that the repetition would duplicate.
import type { Actor } from '../../../src/actor/actor.js'
import { type Ref } from '../../../src/domain/limits/gate.js'
import { listOf } from '../../../src/domain/values/lists.js'
import test from 'ava'
import { importAgents } from '../../../src/commands/agents/imports.js'
import { createOrganization } from '../../../src/commands/organizations/organizations.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import type { IdempotencyRecord } from '../../../src/domain/outcomes/idempotencyRecord.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { deleteWallet } from '../../../src/commands/agents/wallets.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { interrupted, killedBefore } from '../../support/interrupted.js'

const FIELDS = { name: 'Limits', policyType: 'SPEND_LIMIT', scope: 'assigned', priority: 50, isActive: true } as const
const KILLED = { message: 'killed' }

test('a policy, its assignments and its idempotency record are one commit', async (t) => {
  const bare = openBare(t)
  const { admin, agent } = await newOrganization(bare)
  const agentIds = [(await agent()).id, (await agent()).id]
  const memory: IdempotencyRecord = { key: 'k', bodyHash: '', status: 201, body: {}, expiresAt: null }
  const remembered: number[] = []
  const caller = {
    ...admin,
    record: (made: Actor) => {
      remembered.push((made as Actor<'policy'>).context.agents.length)
      return memory
    },
  }
  const actor = done(
    await killedBefore(bare.services, 'policy ASSIGN', (services) =>
      createPolicy(services, caller, { ...FIELDS, rules: [], agentIds }),
    ),
  )
  t.deepEqual(
    actor.context.agents.map(({ subjectId }) => subjectId),
    agentIds,
  )
  t.is(new Set(actor.context.agents.map(({ id }) => id)).size, 2)
  t.deepEqual(remembered, [2])
  for (const id of agentIds) t.deepEqual(bare.services.query.refs(listOf(`agent-policies/${id}`)), [actor.ref])
})

test('repeating the request completes an organization that was created only in part', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const half = { idempotencyKey: 'a' }
  const begun = killedBefore(services, 'key CREATE', (then) => createOrganization(then, 'Half', half))
  await t.throwsAsync(begun, KILLED)
  const [unfinished] = services.query.refs(listOf('organizations'))
  const made = done(await createOrganization(services, 'Half', half))
  t.is(made.organization.ref as Ref, unfinished!)
  t.deepEqual(services.query.refs(listOf('organizations')), [unfinished!])
  t.is(services.query.refs(listOf(`keys/${unfinished!.slice('organization/'.length)}`)).length, 1)
  const other = done(await createOrganization(services, 'Half', { idempotencyKey: 'b' }))
  t.not(other.organization.ref, unfinished!)
})

test('the idempotency key of a complete organization creates another if no answer is stored', async (t) => {
  const { services } = openBare(t)
  const first = done(await createOrganization(services, 'One', { idempotencyKey: 'a' }))
  const second = done(await createOrganization(services, 'One', { idempotencyKey: 'a' }))
  t.not(first.organization.ref, second.organization.ref)
})

test('repeating the request completes an import that stopped half-way', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const keys = [1, 2, 3].map(randomAddress)
  const entries = keys.map((publicKey, index) => {
    return { ok: true, agent: { name: `Agent ${index}`, agentType: 'CUSTOM', publicKey } } as const
  })
  await importAgents(bare.services, admin, entries.slice(0, 1), true)
  const begun = killedBefore(bare.services, 'agent CREATE', (then) => importAgents(then, admin, entries, true), 2)
  await t.throwsAsync(begun, KILLED)
  t.like(await importAgents(bare.services, admin, entries, true), { imported: 1, resumed: 1, skipped: 1, errors: [] })
  t.is(bare.services.query.refs(listOf(`agents/${admin.principal.organization}`)).length, 3)
})

test('a wallet keeps its delegations if a payment reserves from it just before its deletion', async (t) => {
  const bare = openBare(t)
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  const walletId = await wallet(10_000_000)
  await delegate(id, walletId, { delegationType: 'FULL', allowedDays: ['Thu'] })
  const wanted = {
    amount: 1_000_000,
    recipientAddress: addressOf(randomAddress()),
    urgency: 'NORMAL',
    autoExecute: false,
  } as const
  const meanwhile = () => requestPayment(bare.services, caller, wanted)
  const refused = await interrupted(bare.services, { before: 'wallet DELETE' }, meanwhile, (services) =>
    deleteWallet(services, admin, walletId),
  )
  t.like(refused, { ok: false, refusal: { code: 'INVALID_STATUS' } })
  const [delegation] = await bare.services.query.all(listOf(`wallet-delegations/${walletId}`))
  t.is(delegation!.state, 'active')
})
