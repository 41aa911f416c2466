// Keys of both kinds: their scopes, their lifetime, and that their text is shown once.
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import test from 'ava'
import { parseKey } from '../../../src/domain/access/apiKey.js'
import { AGENT_SCOPES, PRESETS } from '../../../src/domain/access/scopes.js'
import type { Answer, Failure } from '../../support/client.js'
import { raw } from '../../support/rawClient.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, fundedAgent, made, type Key } from '../../support/payments.js'
import { start, type Started } from '../../support/service.js'
import type { KeyList, ListedKey, Setup } from '../../../sdk/api.js'

const DAY_MS = 86_400_000
const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started
let agentId: string

test.before('the service starts', async () => {
  service = await start(scope, { at: NOON })
  agentId = await newAgent()
})

let named = 0
const newAgent = async (): Promise<string> =>
  (await made<{ id: string }>(service.client, '/api/agents', { name: `Agent ${(named += 1)}`, agentType: 'CUSTOM' })).id

const pathOf = (agent: string | null): string => (agent === null ? '/api/api-keys' : `/api/agents/${agent}/sdk-keys`)
const make = (agent: string | null, body: object = {}, key = ORGANIZATION_KEY) => {
  const preset = agent === null ? { scopePreset: 'STANDARD' } : {}
  return service.client.post<Key>(pathOf(agent), key, { name: 'Key', ...preset, ...body })
}
const list = async (agent: string | null): Promise<ListedKey[]> =>
  (await service.client.get<KeyList>(pathOf(agent), ORGANIZATION_KEY)).body.keys
const revoke = (agent: string | null, keyId: string) =>
  service.client.send<{ success: true; descendants: object[] }>(
    'DELETE',
    `${pathOf(agent)}?keyId=${keyId}`,
    ORGANIZATION_KEY,
  )
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const setup = (key: string) => service.client.get<Setup>('/api/sdk/setup', key)

test('an organization key has the scopes of its preset', async (t) => {
  for (const scopePreset of ['READ_ONLY', 'STANDARD', 'ADMIN'] as const) {
    const { status, body } = await make(null, { name: scopePreset, scopePreset })
    t.is(status, 201)
    t.deepEqual(Object.keys(body).sort(), ['createdAt', 'id', 'key', 'keyPrefix', 'name', 'scopes'])
    t.is(parseKey(body.key)?.kind, 'organization')
    t.regex(body.key, /^service_[0-9A-Za-z]{46}$/)
    t.is(body.keyPrefix, body.key.slice(0, 'service_'.length + 6))
    t.deepEqual([...body.scopes].sort(), [...PRESETS[scopePreset]].sort())
    const reads = [
      'agents',
      'wallets',
      'policies',
      'counterparties',
      'transactions',
      'approvals',
      'webhooks',
      'audit',
      'keys',
      'organization',
    ]
    t.true(reads.every((noun) => body.scopes.includes(`${noun}:read`)))
    t.is((await service.client.get('/api/agents', body.key)).status, 200)
    const write = await service.client.post('/api/wallets', body.key, { name: 'W', custodyType: 'MANAGED' })
    t.is(write.status, scopePreset === 'READ_ONLY' ? 403 : 201)
    t.is((await make(null, {}, body.key)).status, scopePreset === 'ADMIN' ? 201 : 403)
  }
})

test('an agent key has all agent scopes, or those that it is given', async (t) => {
  const { status, body } = await make(agentId)
  t.is(status, 201)
  t.regex(body.key, /^service_agent_[0-9A-Za-z]{46}$/)
  t.is(body.keyPrefix, body.key.slice(0, 'service_agent_'.length + 6))
  t.deepEqual([...body.scopes].sort(), [...AGENT_SCOPES].sort())
  const scopes = ['payments:read', 'wallets:read']
  t.deepEqual((await make(agentId, { scopes })).body.scopes, scopes)
})

test('autoExecute has no effect with a key that may not execute', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Asks only' })
  const { body } = await make(agent.agentId, { scopes: ['payments:request'] })
  const asked = await ask(service.client, body.key, 1, { autoExecute: true })
  t.like(asked.body, { status: 'APPROVED', autoExecuteError: { code: 'INSUFFICIENT_SCOPE' } })
  const denied = (await ask(service.client, body.key, 1_000_000, { autoExecute: true })).body
  t.like(denied, { status: 'DENIED', autoExecuteError: undefined })
  t.is((await ask(service.client, agent.key, 1, { autoExecute: true })).body.status, 'EXECUTED')
})

const REFUSED: [why: string, body: object][] = [
  ['no name', { name: undefined }],
  ['an empty name', { name: '' }],
  ['a long name', { name: 'x'.repeat(101) }],
  ['0 days', { expiresInDays: 0 }],
  ['3651 days', { expiresInDays: 3651 }],
  ['half a day', { expiresInDays: 1.5 }],
  ['days as text', { expiresInDays: '1' }],
  ['null days', { expiresInDays: null }],
]

for (const [why, body] of REFUSED) {
  test(`a key with ${why} is refused`, async (t) => {
    for (const agent of [null, agentId])
      t.deepEqual(failureOf(await make(agent, body)), { status: 400, code: 'VALIDATION_ERROR' })
  })
}

test('scopes and presets of the other kind are refused', async (t) => {
  for (const scopes of [
    ['agents:read'],
    ['payments:read', 'nonsense'],
    [],
    'payments:read',
    Array<string>(12).fill('payments:read'),
  ]) {
    t.deepEqual(failureOf(await make(agentId, { scopes })), { status: 400, code: 'VALIDATION_ERROR' })
  }
  t.deepEqual(failureOf(await make(agentId, { scopePreset: 'ADMIN' })), { status: 400, code: 'VALIDATION_ERROR' })
  t.deepEqual(failureOf(await make(null, { scopePreset: 'OWNER' })), { status: 400, code: 'VALIDATION_ERROR' })
  t.deepEqual(failureOf(await make(null, { scopePreset: undefined })), { status: 400, code: 'VALIDATION_ERROR' })
  t.deepEqual(failureOf(await make(null, { scopes: ['agents:read'] })), { status: 400, code: 'VALIDATION_ERROR' })
})

for (const kind of ['organization', 'agent']) {
  test(`a revoked ${kind} key fails from the next request on, and is revoked once`, async (t) => {
    const agent = kind === 'agent' ? await newAgent() : null
    const route = kind === 'agent' ? '/api/sdk/setup' : '/api/wallets'
    const { id, key } = (await make(agent)).body
    t.is((await service.client.get(route, key)).status, 200)
    t.deepEqual((await revoke(agent, id)).body, { success: true, descendants: [] })
    t.deepEqual(failureOf(await service.client.get(route, key)), { status: 401, code: 'AUTH_FAILED' })
    t.deepEqual(failureOf(await revoke(agent, id)), { status: 404, code: 'NOT_FOUND' })
    t.is((await list(agent)).find((one) => one.id === id)?.status, 'REVOKED')
  })
}

test('a key that is revoked while its request is on the way opens nothing', async (t) => {
  const { key, id } = (await make(null, { scopePreset: 'ADMIN' })).body
  const body = JSON.stringify({ name: 'Successor', scopePreset: 'ADMIN' })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length }
  const slow = request(`${service.url}/api/api-keys`, { method: 'POST', headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => slow.on('response', resolve).on('error', reject))
  await new Promise((resolve) => slow.write(body.slice(0, -1), resolve))
  // Once this is answered, the service has read the other request's headers, too.
  await setup(key)
  t.is((await revoke(null, id)).status, 200)
  slow.end(body.slice(-1))
  t.is((await answered).statusCode, 401)
  t.deepEqual(
    (await list(null)).filter(({ name }) => name === 'Successor'),
    [],
  )
})

test.serial('a key opens nothing after its revocation, also when both requests arrive at once', async (t) => {
  const { key, id } = (await make(null, { scopePreset: 'ADMIN' })).body
  // So that neither key's next use has to be recorded first, and nothing is on its way to the disk.
  for (const used of [key, ORGANIZATION_KEY]) await service.client.get('/api/agents', used)
  await newAgent()
  const body = JSON.stringify({ name: 'Too late', agentType: 'CUSTOM' })
  const head = (line: string, by: string) => `${line} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${by}\r\n`
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const revoking = `${head(`DELETE /api/api-keys?keyId=${id}`, ORGANIZATION_KEY)}\r\n`
  const both = revoking + head('POST /api/agents', key) + content
  const answers = await raw(service.url, [both], { answers: 2 })
  t.deepEqual(answers.match(/(?<=HTTP\/1.1 )\d+/g), ['200', '401'])
})

test('a key can be revoked only under its own agent or organization', async (t) => {
  const other = await newAgent()
  const [agents, organizations] = [(await make(agentId)).body, (await make(null)).body]
  for (const [agent, keyId] of [
    [other, agents.id],
    [null, agents.id],
    [agentId, organizations.id],
  ] as const) {
    t.deepEqual(failureOf(await revoke(agent, keyId)), { status: 404, code: 'NOT_FOUND' })
  }
  t.is((await setup(agents.key)).status, 200)
  const none = await service.client.send('DELETE', pathOf(agentId), ORGANIZATION_KEY)
  t.deepEqual(failureOf(none), { status: 400, code: 'VALIDATION_ERROR' })
})

test('a key expires exactly at its expiresAt, and is then shown as EXPIRED', async (t) => {
  const own = await start(t, { at: NOON })
  const { id: agent } = await made<{ id: string }>(own.client, '/api/agents', { name: 'Short', agentType: 'CUSTOM' })
  const { id, key, createdAt, expiresAt } = await made<Key>(own.client, pathOf(agent), {
    name: 'Short',
    expiresInDays: 2,
  })
  t.is(Date.parse(expiresAt!) - Date.parse(createdAt), 2 * DAY_MS)
  const shown = (await own.client.get<Setup>('/api/sdk/setup', key)).body.key
  t.like(shown, { name: 'Short', keyPrefix: key.slice(0, 20), expiresAt })
  own.setClock(Date.parse(expiresAt!) - 5000)
  t.is((await own.client.get('/api/sdk/setup', key)).status, 200)
  own.setClock(Date.parse(expiresAt!))
  t.deepEqual(failureOf(await own.client.get('/api/sdk/setup', key)), { status: 401, code: 'AUTH_FAILED' })
  const { keys } = (await own.client.get<KeyList>(pathOf(agent), ORGANIZATION_KEY)).body
  t.deepEqual(
    keys.map((one) => [one.id, one.status, one.expiresAt]),
    [[id, 'EXPIRED', expiresAt!]],
  )
})

test('a list shows keys newest first, with their last use and no secret', async (t) => {
  const agent = await newAgent()
  const minted = [(await make(agent, { name: 'A' })).body, (await make(agent, { name: 'B', expiresInDays: 1 })).body]
  await setup(minted[0]!.key)
  const keys = await list(agent)
  t.deepEqual(
    keys.map(({ name }) => name),
    ['B', 'A'],
  )
  for (const [at, { name, key: _key, expiresAt, ...rest }] of [minted[1]!, minted[0]!].entries()) {
    t.like(keys[at], { ...rest, name, status: 'ACTIVE', expiresAt: expiresAt ?? null })
  }
  t.is(keys[0]!.lastUsedAt, null)
  t.true(Math.abs(Date.parse(keys[1]!.lastUsedAt!) - service.now()) < 60_000)
  t.deepEqual(Object.keys(keys[0]!).sort(), [
    'createdAt',
    'createdBy',
    'expiresAt',
    'id',
    'keyPrefix',
    'lastUsedAt',
    'name',
    'scopes',
    'status',
    'type',
  ])
})

test('an agent has at most 20 live keys; those that ended do not count', async (t) => {
  const agent = await newAgent()
  const minted: Key[] = []
  for (let made = 0; made < 20; made += 1) minted.push((await make(agent)).body)
  t.deepEqual(failureOf(await make(agent)), { status: 409, code: 'LIMIT_REACHED' })
  await revoke(agent, minted[0]!.id)
  t.is((await make(agent)).status, 201)
  t.deepEqual(failureOf(await make(agent)), { status: 409, code: 'LIMIT_REACHED' })
  t.is((await make(await newAgent())).status, 201)
  const own = await start(t, { at: NOON })
  const { id } = await made<{ id: string }>(own.client, '/api/agents', { name: 'Agent', agentType: 'CUSTOM' })
  const another = (more: object = {}) =>
    own.client.post(pathOf(id), ORGANIZATION_KEY, { name: 'Key', ...more }).then(({ status }) => status)
  for (const expiresInDays of [...Array<number>(19).fill(2), 1]) t.is(await another({ expiresInDays }), 201)
  t.is(await another(), 409)
  own.setClock(NOON + DAY_MS + 60_000)
  t.is(await another(), 201)
  t.is(await another(), 409)
})

test('of 40 keys that are created concurrently an agent gets 20', async (t) => {
  const agent = await newAgent()
  const answers = await Promise.all(Array.from({ length: 40 }, () => make(agent)))
  t.is(answers.filter(({ status }) => status === 201).length, 20)
  t.is((await list(agent)).length, 20)
})

test('new keys work at once', async (t) => {
  const agent = await fundedAgent(service.client, { name: `Agent ${(named += 1)}` })
  const minted = await Promise.all(Array.from({ length: 10 }, () => make(agent.agentId)))
  const asked = await Promise.all(minted.map(({ body }) => ask(service.client, body.key, 1)))
  t.true(asked.every(({ status }) => status === 200))
})

test('after a restart a key still works and a revoked one stays revoked', async (t) => {
  const own = await start(t)
  const { id: agent } = await made<{ id: string }>(own.client, '/api/agents', { name: 'Kept', agentType: 'CUSTOM' })
  const [kept, revoked] = [
    await made<Key>(own.client, pathOf(agent), { name: 'A' }),
    await made<Key>(own.client, pathOf(agent), { name: 'B' }),
  ]
  await own.client.send('DELETE', `${pathOf(agent)}?keyId=${revoked.id}`, ORGANIZATION_KEY)
  await own.restart()
  t.is((await own.client.get('/api/sdk/setup', kept.key)).status, 200)
  t.is((await own.client.get('/api/sdk/setup', revoked.key)).status, 401)
})

test('no file in the data folder contains the text of a key or an unkeyed hash of it', async (t) => {
  const own = await start(t)
  const { key } = await made<Key>(own.client, '/api/api-keys', { name: 'Secret', scopePreset: 'ADMIN' })
  await own.stop()
  const files = readdirSync(own.folder, { recursive: true }).map((name) => join(own.folder, String(name)))
  const contents = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file))
  t.true(contents.length > 0)
  const plain = createHmac('sha256', '').update(key).digest('hex')
  for (const needle of [key, key.slice('service_'.length), plain])
    t.false(contents.some((bytes) => bytes.includes(needle)))
})

test('an agent is not told what would freeze it', async (t) => {
  const { id, key } = await made<{ id: string; key: string }>(service.client, '/api/agents', {
    name: 'Watched',
    agentType: 'CUSTOM',
  }).then(async ({ id: agent }) => ({ ...(await make(agent, { name: 'Own' })).body, id: agent }))
  t.is((await service.client.send('PATCH', `/api/agents/${id}`, ORGANIZATION_KEY, { autoFreeze: {} })).status, 200)
  const { agent } = (await setup(key)).body as unknown as { agent: object }
  t.like(agent, { id, name: 'Watched' })
  t.deepEqual(
    Object.keys(agent).filter((field) => ['autoFreeze', 'frozenFor'].includes(field)),
    [],
  )
})
