// Agents as administrators see them: create, read, change, freeze and delete.
import test from 'ava'
import { stateAfter } from '../../../src/domain/audit/entry.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, execute, fundedAgent, made, type Decision } from '../../support/payments.js'
import { inspect } from '../../support/integrity.js'
import { start, type Started } from '../../support/service.js'
import type { Agent, AgentList, FrozenAgent, PaymentList, WholeAgent } from '../../../sdk/api.js'

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ID = /^c[a-z0-9]{24}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

let named = 0
const newName = (): string => `Agent ${(named += 1)}`
const create = (body: object = {}) =>
  service.client.post<Agent>('/api/agents', ORGANIZATION_KEY, { name: newName(), agentType: 'CUSTOM', ...body })
const created = async (body: object = {}): Promise<Agent> => (await create(body)).body
const read = (id: string) => service.client.get<WholeAgent>(`/api/agents/${id}`, ORGANIZATION_KEY)
const patch = (id: string, body: object) =>
  service.client.send<Agent>('PATCH', `/api/agents/${id}`, ORGANIZATION_KEY, body)
const remove = (id: string) => service.client.send<{ success: true }>('DELETE', `/api/agents/${id}`, ORGANIZATION_KEY)
const freeze = (id: string) =>
  service.client.post<FrozenAgent>(`/api/agents/${id}/freeze`, ORGANIZATION_KEY, { reason: 'Odd payments' })
const unfreeze = (id: string) => service.client.post<FrozenAgent>(`/api/agents/${id}/unfreeze`, ORGANIZATION_KEY)
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const typesOf = ({ body }: Answer<Decision>) => (body.violations ?? []).map(({ type }) => type)

test('an agent is created with the given fields, and with defaults for the rest', async (t) => {
  const { status, body } = await create({ name: 'Buyer', agentType: 'FRAMEWORK_A' })
  t.is(status, 201)
  t.regex(body.id, ID)
  t.regex(body.publicKey, /^0x[0-9a-fA-F]{40}$/)
  t.regex(body.createdAt, TIME)
  t.like(body, {
    name: 'Buyer',
    agentType: 'FRAMEWORK_A',
    status: 'ACTIVE',
    description: null,
    externalId: null,
    allowedContexts: [],
    callbackUrl: null,
    webhookConfigured: false,
    updatedAt: body.createdAt,
  })
  const given = { description: 'Buys maps', externalId: 'crm-7', allowedContexts: ['prod', 'test'] }
  t.like((await create({ ...given, agentType: 'PROVIDER_B_AGENT' })).body, { ...given, agentType: 'PROVIDER_B_AGENT' })
})

test('a public key is accepted in any letter case and shown with its checksum', async (t) => {
  for (const publicKey of [
    CHECKSUMMED.toLowerCase(),
    CHECKSUMMED,
    CHECKSUMMED.replace('aA', 'Aa'),
    `0x${CHECKSUMMED.slice(2).toUpperCase()}`,
  ]) {
    t.is((await create({ publicKey })).body.publicKey, CHECKSUMMED)
  }
  const keys = await Promise.all(Array.from({ length: 10 }, async () => (await created()).publicKey))
  t.is(new Set(keys).size, 10)
})

const REFUSED: [why: string, body: object, code: string, path?: string][] = [
  ['an empty name', { name: '' }, 'VALIDATION_ERROR', 'name'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'VALIDATION_ERROR', 'name'],
  ['a name with a line feed', { name: 'a\nb' }, 'VALIDATION_ERROR', 'name'],
  ['a name with a lone surrogate', { name: 'a\ud800' }, 'VALIDATION_ERROR', 'name'],
  ['no name', { name: undefined }, 'VALIDATION_ERROR', 'name'],
  ['a name that is a number', { name: 7 }, 'VALIDATION_ERROR', 'name'],
  ['an unknown type', { agentType: 'ROBOT' }, 'VALIDATION_ERROR', 'agentType'],
  ['no type', { agentType: undefined }, 'VALIDATION_ERROR', 'agentType'],
  ['a description of 501 characters', { description: 'x'.repeat(501) }, 'VALIDATION_ERROR', 'description'],
  ['a short public key', { publicKey: '0x12' }, 'INVALID_ADDRESS'],
  ['a Solana public key', { publicKey: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }, 'INVALID_ADDRESS'],
  ['contexts that are not a list', { allowedContexts: 'prod' }, 'VALIDATION_ERROR', 'allowedContexts'],
  ['a status', { status: 'PAUSED' }, 'VALIDATION_ERROR', 'status'],
]

for (const [why, body, code, path] of REFUSED) {
  test(`${why} is refused when an agent is created`, async (t) => {
    const answer = (await create(body)) as Answer<unknown> as Answer<Failure>
    t.deepEqual(failureOf(answer), { status: 400, code })
    if (path !== undefined)
      t.deepEqual(
        answer.body.details!.map((one) => one.path),
        [path],
      )
  })
}

test('lengths are counted in code points, after normalization', async (t) => {
  t.is((await create({ name: '😀'.repeat(100), description: '😀'.repeat(500) })).status, 201)
  t.is((await create({ name: '😀'.repeat(101) })).status, 400)
  const decomposed = 'e\u0301'.repeat(100)
  t.is((await create({ name: decomposed })).body.name, '\u00e9'.repeat(100))
  t.deepEqual(failureOf(await create({ name: '\u00e9'.repeat(100) })), { status: 409, code: 'ALREADY_EXISTS' })
})

test('a name belongs to one agent until it is renamed or deleted', async (t) => {
  const first = await created({ name: 'Taken' })
  t.deepEqual(failureOf(await create({ name: 'Taken' })), { status: 409, code: 'ALREADY_EXISTS' })
  t.is((await create({ name: 'taken' })).status, 201)
  const second = await created()
  t.deepEqual(failureOf(await patch(second.id, { name: 'Taken' })), { status: 409, code: 'ALREADY_EXISTS' })
  t.is((await read(second.id)).body.name, second.name)
  t.is((await patch(first.id, { name: 'Freed' })).body.name, 'Freed')
  t.is((await patch(second.id, { name: 'Taken' })).body.name, 'Taken')
  t.is((await remove(second.id)).status, 200)
  t.is((await create({ name: 'Taken' })).status, 201)
  t.is((await create({ name: second.name })).status, 201)
})

test('an agent can be renamed to its own name and back to a former one', async (t) => {
  const { id, name } = await created()
  t.is((await patch(id, { name })).status, 200)
  t.is((await patch(id, { name: `${name} b` })).status, 200)
  t.is((await patch(id, { name })).body.name, name)
  t.deepEqual(failureOf(await create({ name })), { status: 409, code: 'ALREADY_EXISTS' })
  t.is((await create({ name: `${name} b` })).status, 201)
})

test('an update with a name that is taken changes nothing', async (t) => {
  const { name } = await created()
  const second = await created({ description: 'Old' })
  const answer = await patch(second.id, { name, description: 'New', status: 'PAUSED' })
  t.deepEqual(failureOf(answer), { status: 409, code: 'ALREADY_EXISTS' })
  t.like((await read(second.id)).body, { name: second.name, description: 'Old', status: 'ACTIVE' })
})

test('an update changes only the fields in it, and null clears optional ones', async (t) => {
  const { id, name } = await created({ description: 'Old', externalId: 'x' })
  t.like((await patch(id, { description: 'New' })).body, {
    name,
    description: 'New',
    externalId: 'x',
    status: 'ACTIVE',
  })
  t.is((await patch(id, { description: null })).body.description, null)
  t.is((await patch(id, {})).status, 200)
  const both = await patch(id, { name: `${name} new`, status: 'PAUSED', description: 'Both' })
  t.like(both.body, { name: `${name} new`, status: 'PAUSED', description: 'Both' })
  t.like((await read(id)).body, both.body)
  for (const field of ['name', 'status']) t.is((await patch(id, { [field]: null })).status, 400, field)
  for (const field of ['publicKey', 'externalId', 'agentType', 'id'])
    t.is((await patch(id, { [field]: 'x' })).status, 400, field)
})

test('a callback URL is shown without the values of its query and fragment', async (t) => {
  const { id } = await created()
  const { body } = await patch(id, {
    callbackUrl: 'https://events.example.com/in?token=secret&b=2&token=more#key=hidden',
  })
  t.is(body.callbackUrl, 'https://events.example.com/in?token=REDACTED&b=REDACTED&token=REDACTED#REDACTED')
  t.true(body.webhookConfigured)
  t.like((await read(id)).body, { callbackUrl: body.callbackUrl, webhookConfigured: true })
  t.like((await patch(id, { callbackUrl: null })).body, { callbackUrl: null, webhookConfigured: false })
})

test('a callback URL that is sent back as it was shown stays, and no other may hold REDACTED', async (t) => {
  const { id } = await created()
  const url = 'https://events.example.com/in?token=secret#key'
  const { body: set } = await patch(id, { callbackUrl: url })
  const same = await patch(id, { callbackUrl: set.callbackUrl, description: 'Kept' })
  t.like(same.body, { callbackUrl: set.callbackUrl, description: 'Kept' })
  for (const callbackUrl of [
    'https://events.example.com/in?token=REDACTED',
    'https://events.example.com/other?token=REDACTED#REDACTED',
    'https://events.example.com/REDACTED',
  ]) {
    const refused = await patch(id, { callbackUrl })
    t.deepEqual(failureOf(refused), { status: 400, code: 'VALIDATION_ERROR' }, callbackUrl)
  }
})

const PRIVATE = [
  'http://events.example.com/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.1.2.3/',
  'https://169.254.169.254/',
  'https://0x7f.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://printer.local/',
  'https://user:pass@example.com/',
  'https://events.example.com:0/',
  'ftp://example.com/',
  'example.com',
  '',
  7,
]

test('a callback URL that is not public HTTPS is refused', async (t) => {
  const { id } = await created()
  for (const callbackUrl of PRIVATE) {
    t.deepEqual(
      failureOf(await patch(id, { callbackUrl })),
      { status: 400, code: 'VALIDATION_ERROR' },
      String(callbackUrl),
    )
  }
})

test('an agent can change between all statuses, but not leave REVOKED', async (t) => {
  const { id } = await created()
  for (const status of [
    'PAUSED',
    'SUSPENDED',
    'ACTIVE',
    'SUSPENDED',
    'PAUSED',
    'PAUSED',
    'ACTIVE',
    'ACTIVE',
    'REVOKED',
    'REVOKED',
  ] as const) {
    t.is((await patch(id, { status })).body.status, status)
  }
  for (const status of ['ACTIVE', 'PAUSED', 'SUSPENDED']) {
    t.deepEqual(failureOf(await patch(id, { status, description: 'No' })), { status: 400, code: 'INVALID_STATUS' })
  }
  t.deepEqual(failureOf(await freeze(id)), { status: 400, code: 'INVALID_STATUS' })
  t.deepEqual(failureOf(await unfreeze(id)), { status: 400, code: 'INVALID_STATUS' })
  t.like((await read(id)).body, { status: 'REVOKED', description: null })
  t.is((await patch(id, { description: 'Gone' })).body.description, 'Gone')
})

for (const status of ['PAUSED', 'SUSPENDED', 'REVOKED']) {
  test(`a ${status} agent is denied, and its approved payments are not executed`, async (t) => {
    const agent = await fundedAgent(service.client, { name: newName() })
    const approved = (await ask(service.client, agent.key, 5)).body.requestId
    t.is((await patch(agent.agentId, { status })).status, 200)
    const denied = await ask(service.client, agent.key, 1)
    t.deepEqual([denied.status, denied.body.status, typesOf(denied)], [200, 'DENIED', ['AGENT_NOT_ACTIVE']])
    const stopped = (await execute(service.client, agent.key, approved)) as Answer<unknown> as Answer<Failure>
    t.deepEqual(failureOf(stopped), { status: 400, code: 'INVALID_STATUS' })
    t.is(stopped.body.reasons!.length, 1)
    if (status === 'REVOKED') return
    await patch(agent.agentId, { status: 'ACTIVE' })
    t.is((await execute(service.client, agent.key, approved)).status, 200)
  })
}

test('a frozen agent is SUSPENDED, and an unfreeze restores its former status', async (t) => {
  const { id } = await created()
  const frozen = await freeze(id)
  t.is(frozen.status, 200)
  t.deepEqual(Object.keys(frozen.body).sort(), ['agent', 'auditSequence', 'outstanding'])
  t.like(frozen.body.agent, { id, status: 'SUSPENDED' })
  const back = await unfreeze(id)
  t.is(back.body.agent.status, 'ACTIVE')
  t.true(Number.isInteger(frozen.body.auditSequence) && back.body.auditSequence > frozen.body.auditSequence)
  t.deepEqual(failureOf(await unfreeze(id)), { status: 400, code: 'INVALID_STATUS' })
  await patch(id, { status: 'PAUSED' })
  await freeze(id)
  t.is((await unfreeze(id)).body.agent.status, 'PAUSED')
  await patch(id, { status: 'SUSPENDED' })
  t.is((await unfreeze(id)).body.agent.status, 'PAUSED')
  await patch(id, { status: 'SUSPENDED' })
  await freeze(id)
  await freeze(id)
  t.is((await unfreeze(id)).body.agent.status, 'PAUSED')
})

test('concurrent freezes of an agent return the sequence of their own audit entry each', async (t) => {
  const { id } = await created()
  const answers = await Promise.all(Array.from({ length: 20 }, () => freeze(id)))
  t.true(answers.every(({ status, body }) => status === 200 && body.agent.status === 'SUSPENDED'))
  const path = `/api/audit-logs?resourceId=${id}&action=agent.freeze`
  const { entries } = (await service.client.get<{ entries: { sequence: number }[] }>(path, ORGANIZATION_KEY)).body
  const newestFirst = answers.map(({ body }) => body.auditSequence).sort((one, other) => other - one)
  t.deepEqual(
    newestFirst,
    entries.map(({ sequence }) => sequence),
  )
  t.is((await unfreeze(id)).body.agent.status, 'ACTIVE')
})

const NO_REASON = [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: 7 }, { reason: 'a', more: 1 }]

test('a freeze needs a reason of 1 to 500 characters', async (t) => {
  const { id } = await created()
  for (const body of NO_REASON) {
    const answer = await service.client.post(`/api/agents/${id}/freeze`, ORGANIZATION_KEY, body)
    t.deepEqual(failureOf(answer), { status: 400, code: 'VALIDATION_ERROR' })
  }
  t.is((await read(id)).body.status, 'ACTIVE')
})

test('a deleted agent is gone with its keys and delegations, and its history remains', async (t) => {
  const agent = await fundedAgent(service.client, { name: newName() })
  const paid = (await ask(service.client, agent.key, 5, { autoExecute: true })).body
  const open = (await ask(service.client, agent.key, 5)).body
  t.is((await read(agent.agentId)).body._count.sentTransactions, 1)
  t.deepEqual((await remove(agent.agentId)).body, { success: true })
  t.deepEqual(failureOf(await read(agent.agentId)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await remove(agent.agentId)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await patch(agent.agentId, {})), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await freeze(agent.agentId)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await ask(service.client, agent.key, 1)), { status: 401, code: 'AUTH_FAILED' })
  for (const id of [paid.requestId, open.requestId])
    t.is((await service.client.get(`/api/payments/${id}`, ORGANIZATION_KEY)).status, 200)
  t.is((await service.client.get(`/api/transactions/${paid.execution!.transactionId}`, ORGANIZATION_KEY)).status, 200)
  const payments = await service.client.get<PaymentList>(`/api/payments?agentId=${agent.agentId}`, ORGANIZATION_KEY)
  t.is(payments.body.payments.length, 2)
  const again = await made<{ id: string }>(service.client, '/api/agents', { name: newName(), agentType: 'CUSTOM' })
  const delegated = await service.client.post(`/api/agents/${again.id}/wallets`, ORGANIZATION_KEY, {
    walletId: agent.walletId,
  })
  t.is(delegated.status, 201)
})

test('a single read adds wallets, policies and a count to the record in the list', async (t) => {
  const agent = await fundedAgent(service.client, { name: newName() })
  const { wallets, policies, _count, ...record } = (await read(agent.agentId)).body
  t.deepEqual(
    wallets.map(({ walletId }) => walletId),
    [agent.walletId],
  )
  t.deepEqual(policies, [])
  t.deepEqual(_count, { sentTransactions: 0 })
  const list = await service.client.get<AgentList>(
    `/api/agents?search=${encodeURIComponent(record.name)}`,
    ORGANIZATION_KEY,
  )
  t.deepEqual(
    list.body.agents.find(({ id }) => id === agent.agentId),
    record,
  )
})

test('no payment of an agent executes after the audit entry of its freeze', async (t) => {
  const own = await start(t)
  const agent = await fundedAgent(own.client, { balance: 1000 })
  const asked = await Promise.all(Array.from({ length: 60 }, () => ask(own.client, agent.key, 1)))
  const sent = asked.map(async ({ body }, index) => {
    if (index === 30) return freezeOf(own, agent.agentId)
    return (await execute(own.client, agent.key, body.requestId)).status
  })
  const answers = await Promise.all(sent)
  const sequence = answers[30]!
  const executed = answers.filter((answer) => answer === 200).length
  await own.stop()
  const { chains, problems } = await inspect(own.folder)
  t.deepEqual(problems, [])
  const entries = [...chains.values()].flat()
  const executions = entries.filter(
    ({ action, data }) => action === 'payment.execute' && stateAfter(data) === 'executed',
  )
  t.is(executions.length, executed)
  t.is(entries.filter(({ action }) => action === 'payment.execute').length, executed)
  t.true(executions.every((entry) => entry.sequence < sequence))
  t.is(entries.find((entry) => entry.sequence === sequence)?.action, 'agent.freeze')
})

async function freezeOf({ client }: Started, id: string): Promise<number> {
  const answer = await client.post<FrozenAgent>(`/api/agents/${id}/freeze`, ORGANIZATION_KEY, {
    reason: 'Odd payments',
  })
  return answer.body.auditSequence
}
