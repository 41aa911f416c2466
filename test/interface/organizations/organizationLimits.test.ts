// How many records an organization keeps, as its operator limits it: exactly, on every route that makes them.
import { listOf } from '../../../src/domain/values/lists.js'
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, OPEN } from '../../support/payments.js'
import type { Answer, Failure } from '../../support/client.js'
import { disagreementsIn } from '../../../src/cli/data/records.js'
import { importAgents } from '../../../src/commands/agents/imports.js'
import { createAgent, deleteAgent } from '../../../src/commands/agents/agents.js'
import { limitOrganization } from '../../../src/commands/organizations/organizations.js'
import { done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { AgentImport, CounterpartyImport, Organization } from '../../../sdk/api.js'

const NONE: Organization['limits'] = { payments: null, agents: null, policies: null, counterparties: null }
const RULES = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100, action: 'ALLOW' }]

const scope = wholeFile(test)
let service: Started
let organization: { id: string; apiKey: string }

test.before('the service starts', async () => {
  service = await start(scope)
})

async function newLimited(): Promise<void> {
  organization = (await post<typeof organization>('/api/organizations', { name: 'Limited' }, OPERATOR_KEY)).body
}

const post = <Body>(path: string, body: object, key = organization.apiKey): Promise<Answer<Body>> => {
  return service.client.post<Body>(path, key, body)
}
const limit = (limits: Partial<Organization['limits']> | null, id = organization.id, key = OPERATOR_KEY) =>
  service.client.send<{ limits: Organization['limits'] }>('PATCH', `/api/organizations/${id}`, key, { limits })
/** An agent of the organization that can pay. */
async function payer(): Promise<{ agentId: string; key: string }> {
  const made = async (path: string, body: object) => (await post<{ id: string; key: string }>(path, body)).body
  const { id: agentId } = await made('/api/agents', { name: 'Buyer', agentType: 'CUSTOM' })
  const { id: walletId } = await made('/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
  await made(`/api/wallets/${walletId}/fund`, { amount: 10_000 })
  await made(`/api/agents/${agentId}/wallets`, { walletId, ...OPEN })
  const { key } = await made(`/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
  return { agentId, key }
}

const full = (name: keyof Organization['limits']) => ({ status: 409, code: 'LIMIT_REACHED', path: `limits.${name}` })
function failureOf({ status, body }: Answer<unknown>) {
  const { code, details } = body as Failure & { details?: { path: string }[] }
  return { status, code, path: details?.[0]?.path }
}

test.serial('the operator sets limits, one by one, and the organization reads them', async (t) => {
  await newLimited()
  const read = async () => (await service.client.get<Organization>('/api/organization', organization.apiKey)).body
  t.deepEqual((await read()).limits, NONE)
  t.deepEqual((await limit({ agents: 5, payments: 0 })).body.limits, { ...NONE, agents: 5, payments: 0 })
  t.deepEqual((await limit({ payments: null })).body.limits, { ...NONE, agents: 5 })
  t.deepEqual((await read()).limits, { ...NONE, agents: 5 })
  t.deepEqual((await limit(null)).body.limits, NONE)
  t.is((await limit({ agents: -1 })).status, 400)
  t.is((await limit({ wallets: 1 } as object)).status, 400)
  t.is((await limit({ agents: 1 }, organization.id, ORGANIZATION_KEY)).status, 401)
  t.is((await limit({ agents: 1 }, 'c00000000000000000000000')).status, 404)
})

test.serial('agents beyond the limit are refused, imported ones too, until one is deleted', async (t) => {
  await newLimited()
  await limit({ agents: 2 })
  const make = (name: string) => post<{ id: string }>('/api/agents', { name, agentType: 'CUSTOM' })
  const { body: first } = await make('One')
  const agents = ['Two', 'Three'].map((name) => ({ name, publicKey: randomAddress() }))
  const { body } = await post<AgentImport>('/api/agents/bulk-import', { agents })
  t.like(body, { imported: 1, errors: [{ index: 1, code: 'LIMIT_REACHED' }] })
  t.deepEqual(failureOf(await make('Four')), full('agents'))
  await service.client.send('DELETE', `/api/agents/${first.id}`, organization.apiKey)
  t.is((await make('Four')).status, 201)
  t.deepEqual(failureOf(await make('Five')), full('agents'))
  await limit({ agents: 3 })
  t.is((await make('Five')).status, 201)
})

test.serial('policies beyond the limit are refused', async (t) => {
  await newLimited()
  await limit({ policies: 1 })
  const make = () => post('/api/policies', { name: 'Most', policyType: 'SPEND_LIMIT', rules: RULES })
  t.is((await make()).status, 201)
  const refused = await make()
  t.deepEqual(failureOf(refused), full('policies'))
  const { error } = refused.body as Failure
  t.is(error, 'limits.policies allows 1 policy, and the organization has 1: remove some, or have the operator raise it')
})

test.serial('advice on the limit of payments does not ask to remove what cannot be removed', async (t) => {
  await newLimited()
  const { key } = await payer()
  await limit({ payments: 0 })
  const { error } = (await ask(service.client, key, 1)).body as unknown as Failure
  t.is(
    error,
    'limits.payments allows 0 payments, and the organization has 0: they cannot be removed, so have the operator raise it',
  )
})

test.serial('counterparties beyond the limit are refused, by whichever way they would come', async (t) => {
  await newLimited()
  const agent = await payer()
  await limit({ counterparties: 2 })
  const entry = () => ({ name: 'Acme', address: randomAddress() })
  const { body: made } = await post<{ id: string; address: string }>('/api/counterparties', entry())
  const rows = [entry(), entry()]
  const { body } = await post<CounterpartyImport>('/api/counterparties/import', {
    counterparties: rows,
  })
  t.like(body, { imported: 1, errors: [{ index: 1, code: 'LIMIT_REACHED' }] })
  t.deepEqual(failureOf(await post('/api/counterparties', entry())), full('counterparties'))
  t.deepEqual(failureOf(await post('/api/sdk/counterparties', entry(), agent.key)), full('counterparties'))
  t.deepEqual(
    failureOf(await ask(service.client, agent.key, 1, { recipientAddress: randomAddress() })),
    full('counterparties'),
  )
  t.is((await ask(service.client, agent.key, 1, { recipientAddress: rows[0]!.address })).status, 200)
  await service.client.send('DELETE', `/api/counterparties/${made.id}`, organization.apiKey)
  t.is((await ask(service.client, agent.key, 1, { recipientAddress: randomAddress() })).status, 200)
})

test.serial(
  'payments beyond the limit are refused, denied ones and dry runs too, and known ones are answered',
  async (t) => {
    await newLimited()
    const agent = await payer()
    const asked = (more: object, amount = 1) => ask(service.client, agent.key, amount, more)
    t.is((await asked({ idempotencyKey: 'a' })).status, 200)
    await limit({ payments: 1 })
    t.is((await asked({ idempotencyKey: 'a' })).status, 200)
    t.deepEqual(failureOf(await asked({})), full('payments'))
    t.deepEqual(failureOf(await asked({}, 1_000_000)), full('payments'))
    const payment = { amount: 1, recipientAddress: randomAddress() }
    t.deepEqual(failureOf(await post('/api/policies/evaluate', { agentId: agent.agentId, payment })), full('payments'))
    await limit({ payments: 2 })
    t.is((await asked({ idempotencyKey: 'b' })).status, 200)
    t.deepEqual(failureOf(await asked({})), full('payments'))
  },
)

test('of 200 agents at once a limit of 50 lets exactly 50 be made, and what is deleted makes room once', async (t) => {
  const bare = openBare(t)
  const { services, store } = bare
  const { admin } = await newOrganization(bare)
  const { organization: id } = admin.principal
  done(await limitOrganization(services, { requestId: undefined }, id, { agents: 50 }))
  const make = (count: number, of: string) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => {
        return createAgent(services, admin, { name: `${of} ${at}`, agentType: 'CUSTOM', publicKey: randomAddress() })
      }),
    )
  const entries = Array.from({ length: 40 }, (_, at) => {
    return { ok: true, agent: { name: `Import ${at}`, agentType: 'CUSTOM', publicKey: randomAddress() } } as const
  })
  const [one, imported, two] = await Promise.all([
    make(80, 'one'),
    importAgents(services, admin, entries, true),
    make(80, 'two'),
  ])
  const made = [...one, ...two].filter(({ ok }) => ok).length
  t.is(made + imported.imported, 50)
  const agents = services.query.refs(listOf(`agents/${id}`)).slice(0, 5)
  await Promise.all([
    ...agents.map((ref) => deleteAgent(services, admin, ref.slice('agent/'.length))),
    make(20, 'three'),
  ])
  await make(20, 'four')
  t.is(services.query.size(listOf(`agents/${id}`)), 50)
  t.deepEqual(disagreementsIn(store), [])
})

test('a number of records that is not that of the list is a finding of the check of records', async (t) => {
  const bare = openBare(t)
  const { store } = bare
  const { admin, agent } = await newOrganization(bare)
  await agent()
  const list = `agents/${admin.principal.organization}`
  store.counts.put(list, 7)
  await store.flushed()
  t.deepEqual(disagreementsIn(store), [`${list} counts 7, and has 1`])
})
