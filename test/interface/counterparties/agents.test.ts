// Counterparties as agents create and read them: their own fields, the relationship, and what they may see.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { fundedAgent, made, type Key } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { failureOf, openStage, type Counterparty, type Stage } from './stage.js'
import type { AgentCounterparty, NamedCounterparty, RelatedCounterparties } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage

test.before('the service starts', async () => {
  stage = await openStage(scope)
})

const path = '/api/sdk/counterparties'

const upsert = (body: object, key = stage.agent.key) => stage.client.post<NamedCounterparty>(path, key, body)

test('a new counterparty has the defaults for agents', async (t) => {
  const address = randomAddress()
  const { status, body } = await upsert({ name: 'Paper Ltd', address })
  t.is(status, 200)
  const { id, ...rest } = body
  t.deepEqual(rest as object, {
    name: 'Paper Ltd',
    nameSource: 'AGENT',
    address,
    type: 'VENDOR',
    category: null,
    description: null,
    trustScore: 0.2,
    trustLevel: 'LOW',
    riskLevel: 'MEDIUM',
    created: true,
  })
  t.like((await stage.counterparty(id)).body, { trustScore: 20, category: 'OTHER', status: 'UNKNOWN' })
})

test('an upsert changes the given fields, and keeps the name, status and category of administrators', async (t) => {
  const { id, address } = await stage.register({ status: 'TRUSTED', category: 'TOOLS', notes: 'Ours' })
  await upsert({ name: 'Paper', address, type: 'SHOP', category: 'office', description: 'Paper and pens' })
  const { status, body } = await upsert({ name: 'Paper Inc', address: address.toLowerCase() })
  t.is(status, 200)
  t.like(body, {
    id,
    name: 'Paper Ltd',
    nameSource: 'PERSON',
    address,
    type: 'SHOP',
    category: 'office',
    description: 'Paper and pens',
    trustScore: 0.4,
    trustLevel: 'MEDIUM',
    riskLevel: 'LOW',
    created: true,
  })
  t.like((await stage.counterparty(id)).body, {
    name: 'Paper Ltd',
    status: 'TRUSTED',
    category: 'TOOLS',
    notes: 'Ours',
  })
})

const seenName = async (id: string) => {
  const { name, nameSource } = (await stage.counterparty(id)).body
  return [name, nameSource]
}

test("an agent renames what agents have named, and nothing after a person's word", async (t) => {
  const address = randomAddress()
  const { id } = (await upsert({ name: 'First', address })).body
  await upsert({ name: 'Second', address })
  t.deepEqual(await seenName(id), ['Second', 'AGENT'])
  t.is((await stage.put(id, { notes: 'Seen' })).status, 200)
  await upsert({ name: 'Third', address })
  t.deepEqual(await seenName(id), ['Third', 'AGENT'], 'notes are no word on the name')
  t.is((await stage.put(id, { name: 'Paper Ltd' })).status, 200)
  t.is((await upsert({ name: 'Mine', address })).body.name, 'Paper Ltd')
  t.deepEqual(await seenName(id), ['Paper Ltd', 'PERSON'])
  t.is((await stage.put(id, { name: 'Paper Inc', status: 'VERIFIED' })).status, 200)
  t.deepEqual(await seenName(id), ['Paper Inc', 'PERSON'])
})

for (const status of ['TRUSTED', 'VERIFIED']) {
  test(`an agent does not rename a counterparty that is ${status}, whoever named it`, async (t) => {
    const address = randomAddress()
    const { id } = (await upsert({ name: 'As judged', address })).body
    t.is((await stage.put(id, { status })).status, 200)
    const { status: answered, body } = await upsert({ name: 'Other', address, description: 'Sells pens' })
    t.is(answered, 200)
    t.like(body, { name: 'As judged', nameSource: 'AGENT', description: 'Sells pens', created: true })
    t.deepEqual(await seenName(id), ['As judged', 'AGENT'])
    t.is((await stage.put(id, { status: 'UNKNOWN' })).status, 200)
    await upsert({ name: 'Other', address })
    t.deepEqual(await seenName(id), ['Other', 'AGENT'])
  })
}

test('a recipient is named by the agent that pays it first, or by nobody', async (t) => {
  const sources = async (recipient: string) => {
    const path = `/api/counterparties/lookup?address=${recipient}`
    const { counterparty } = (await stage.client.get<{ counterparty: Counterparty }>(path, ORGANIZATION_KEY)).body
    return [counterparty.name, counterparty.nameSource]
  }
  const [named, unnamed, again] = [randomAddress(), randomAddress(), randomAddress()]
  await stage.pay(named, 1, { recipientName: 'The tax office' })
  t.deepEqual(await sources(named), ['The tax office', 'AGENT'])
  await stage.pay(unnamed, 1)
  t.deepEqual(await sources(unnamed), [unnamed, null])
  await upsert({ name: 'NamedCounterparty later', address: unnamed })
  t.deepEqual(await sources(unnamed), ['NamedCounterparty later', 'AGENT'])
  const { id } = await stage.register({ address: again })
  await stage.pay(again, 1, { recipientName: 'Mine' })
  t.deepEqual(await sources(again), ['Paper Ltd', 'PERSON'])
  await stage.remove(id)
  await stage.pay(again, 1, { recipientName: 'Mine' })
  t.deepEqual(await sources(again), ['Mine', 'AGENT'], 'the record was removed with its name')
})

test('an upsert never lifts a block', async (t) => {
  const { id, address } = await stage.register({ status: 'BLOCKED' })
  t.like((await upsert({ name: 'Innocent', address })).body, { trustLevel: 'LOW', riskLevel: 'HIGH' })
  t.is((await stage.counterparty(id)).body.status, 'BLOCKED')
})

for (const [how, method, change, body] of [
  ['paused', 'PATCH', '', { status: 'PAUSED' }],
  ['revoked', 'PATCH', '', { status: 'REVOKED' }],
  ['frozen', 'POST', '/freeze', { reason: 'Stolen' }],
] as const) {
  test(`an agent that is ${how} cannot rename a counterparty, though its key still reads`, async (t) => {
    const { id, address } = await stage.register({ status: 'TRUSTED', name: 'Paper Ltd' })
    const { agentId, key } = await fundedAgent(stage.client, { name: `Agent that is ${how}` })
    const changed = await stage.client.send(method, `/api/agents/${agentId}${change}`, ORGANIZATION_KEY, body)
    t.is(changed.status, 200)
    t.deepEqual(failureOf(await upsert({ name: 'Mine', address }, key)), { status: 400, code: 'INVALID_STATUS' })
    t.is((await stage.counterparty(id)).body.name, 'Paper Ltd')
    t.is((await stage.client.get('/api/sdk/setup', key)).status, 200)
  })
}

const relatedTo = async (agentId: string, on: Stage = stage) =>
  (await on.client.get<RelatedCounterparties>(`/api/agents/${agentId}/counterparties`, ORGANIZATION_KEY)).body

test('agent and counterparty are related once, until the counterparty is deleted', async (t) => {
  const own = await openStage(t)
  const { agentId, key } = own.agent
  const address = randomAddress()
  const name = (called: string) => own.client.post<NamedCounterparty>(path, key, { name: called, address })
  t.is((await relatedTo(agentId, own)).pagination.total, 0)
  await Promise.all([name('One'), name('Two'), name('Three')])
  const { id } = (await name('Last')).body
  const { counterparties, pagination } = await relatedTo(agentId, own)
  t.is(pagination.total, 1)
  t.like(counterparties[0], { id, name: 'Last', address, relationship: { kind: 'TRANSACTS_WITH' } })
  await own.remove(id)
  t.is((await relatedTo(agentId, own)).pagination.total, 0)
  await name('Again')
  t.is((await relatedTo(agentId, own)).pagination.total, 1)
  const { id: other } = await made<{ id: string }>(own.client, '/api/agents', { name: 'Other', agentType: 'CUSTOM' })
  t.is((await relatedTo(other, own)).pagination.total, 0)
})

test('concurrent upserts and deletions never leave a relationship to a deleted counterparty', async (t) => {
  const own = await openStage(t)
  const { agentId, key } = own.agent
  const address = randomAddress()
  const { id } = (await own.client.post<NamedCounterparty>(path, key, { name: 'One', address })).body
  for (let round = 0; round < 20; round += 1) {
    const name = () => own.client.post<NamedCounterparty>(path, key, { name: 'One', address })
    await Promise.all([name(), own.remove(id), name(), own.remove(id)])
    const isThere = (await own.counterparty(id)).status === 200
    t.is((await relatedTo(agentId, own)).pagination.total, isThere ? 1 : 0)
  }
})

const REFUSED: [title: string, body: object, code: string][] = [
  ['no name', { address: randomAddress() }, 'INVALID_INPUT'],
  ['a long name', { name: 'x'.repeat(201), address: randomAddress() }, 'INVALID_INPUT'],
  ['a long description', { name: 'x', address: randomAddress(), description: 'x'.repeat(501) }, 'INVALID_INPUT'],
  ['a status', { name: 'x', address: randomAddress(), status: 'TRUSTED' }, 'INVALID_INPUT'],
  ['a bad address', { name: 'x', address: 'x' }, 'INVALID_ADDRESS'],
  ['the zero address', { name: 'x', address: `0x${'0'.repeat(40)}` }, 'INVALID_ADDRESS'],
]

for (const [title, body, code] of REFUSED) {
  test(`${title} is refused with ${code}`, async (t) =>
    t.deepEqual(failureOf(await upsert(body)), { status: 400, code }))
}

test("an agent reads what is known about an address, and network trust if its key's scopes allow it", async (t) => {
  const { address, id } = await stage.register({ status: 'VERIFIED' })
  const asked = (key: string, of = address) => stage.client.get<AgentCounterparty>(`${path}?address=${of}`, key)
  const { body } = await asked(stage.agent.key)
  t.true(body.found)
  t.like(body.counterparty, { id, status: 'VERIFIED', trustScore: 0.3, type: 'VENDOR' })
  t.is(body.networkTrust?.transactionCount, 0)
  t.like((await asked(stage.agent.key, randomAddress())).body, { found: false, counterparty: null })
  const scopes = ['counterparties:read']
  const narrow = await made<Key>(stage.client, `/api/agents/${stage.agent.agentId}/sdk-keys`, {
    name: 'Narrow',
    scopes,
  })
  t.is((await asked(narrow.key)).body.networkTrust, undefined)
  t.deepEqual(failureOf(await upsert({ name: 'x', address }, narrow.key)), { status: 403, code: 'INSUFFICIENT_SCOPE' })
})
