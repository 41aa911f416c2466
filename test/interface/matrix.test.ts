// Every route with every wrong credential and with every key that lacks its scope: generated from the OpenAPI document
// that is served, so that a new route is included from its first day.
import { listOf } from '../../src/domain/values/lists.js'
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { storeKey } from '../../src/commands/people/keys.js'
import { formKey, mintKey } from '../../src/domain/access/apiKey.js'
import type { Principal } from '../../src/domain/access/principal.js'
import { AGENT_SCOPES, PRESETS } from '../../src/domain/access/scopes.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import type { Key } from '../support/payments.js'
import { done, openBare } from '../support/commands.js'
import { turnsOf } from '../support/depth.js'
import { absentIds, idsFor, populate, type Population } from '../support/population.js'
import { bodyOf, rowsOf, urlOf, type Row } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'

const DAY_MS = 86_400_000
const scope = wholeFile(test)
let service: Started
let rows: Row[]
let mine: Population
/** Authorization headers that open nothing, and for each kind of route the key that opens it. */
let wrong: { [name: string]: string }
let right: { [kind in Row['key']]: string }
/** Keys by their scopes: `ORGANIZATION_KEY with only agents:read`, `ORGANIZATION_KEY without agents:read`. */
const scoped = new Map<string, string>()

test.before('keys of all kinds exist', async () => {
  const folder = newFolder(scope)
  const env = { BURSAR_RATE_LIMITS: 'payments=1000000,reads=1000000,admin=1000000' }
  service = await start(scope, { folder, env, at: Date.now() - 3 * DAY_MS })
  mine = await populate(service.client, ORGANIZATION_KEY)
  right = { organization: ORGANIZATION_KEY, person: '', agent: mine.agentKey, operator: OPERATOR_KEY, none: '' }
  wrong = await wrongCredentials()
  await service.stop()
  await storeScopedKeys(folder, mine.ids['agentId']!)
  await service.restart()
  service.setClock(Date.now())
  rows = await rowsOf(service.url)
})

/** Keys that were live once: the service's clock is moved on before they are used. */
async function endedKeys(path: string, more: object): Promise<{ expired: string; revoked: string }> {
  const { client } = service
  const make = (body: object) => client.post<Key>(path, ORGANIZATION_KEY, { name: 'Ended', ...more, ...body })
  const { body: expired } = await make({ expiresInDays: 1 })
  const { body: revoked } = await make({})
  await client.send('DELETE', `${path}?keyId=${revoked.id}`, ORGANIZATION_KEY)
  return { expired: expired.key, revoked: revoked.key }
}

async function keyOfDeletedAgent(): Promise<string> {
  const { ids, agentKey } = await populate(service.client, ORGANIZATION_KEY)
  await service.client.send('DELETE', `/api/agents/${ids['agentId']}`, ORGANIZATION_KEY)
  return agentKey
}

const withOtherEnd = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

async function wrongCredentials(): Promise<{ [name: string]: string }> {
  const organization = await endedKeys('/api/api-keys', { scopePreset: 'ADMIN' })
  const agent = await endedKeys(`/api/agents/${mine.ids['agentId']}/sdk-keys`, {})
  const keys = {
    'no key of any form': 'nonsense',
    'a prefix alone': 'service_',
    'an organization key with a wrong checksum': withOtherEnd(ORGANIZATION_KEY),
    'an agent key with a wrong checksum': withOtherEnd(mine.agentKey),
    'an unknown organization key': formKey('organization', 'Z'.repeat(40)),
    'an unknown agent key': formKey('agent', 'Z'.repeat(40)),
    'a revoked organization key': organization.revoked,
    'a revoked agent key': agent.revoked,
    'an expired organization key': organization.expired,
    'an expired agent key': agent.expired,
    "a deleted agent's key": await keyOfDeletedAgent(),
    'almost the operator key': withOtherEnd(OPERATOR_KEY),
    'a key and more': `${ORGANIZATION_KEY} ${mine.agentKey}`,
  }
  const bearers = Object.entries(keys).map(([name, key]) => [name, `Bearer ${key}`])
  const basic = `Basic ${Buffer.from(`${ORGANIZATION_KEY}:`).toString('base64')}`
  return {
    ...Object.fromEntries(bearers),
    'another scheme': basic,
    'no scheme': ORGANIZATION_KEY,
    'an empty key': 'Bearer ',
  }
}

/** Stores keys with sets of scopes that no preset has. */
async function storeScopedKeys(folder: string, agentId: string): Promise<void> {
  const bare = openBare(scope, folder)
  const [organization] = bare.services.query.refs(listOf('organizations'))
  const id = organization!.slice('organization/'.length)
  const principal: Principal = { type: 'OPERATOR', id: 'test', name: '', keyPrefix: '', organization: id, scopes: [] }
  const store = async (name: string, type: 'ORGANIZATION_KEY' | 'AGENT_KEY', scopes: string[]): Promise<void> => {
    const secret = mintKey(type === 'AGENT_KEY' ? 'agent' : 'organization', randomBytes)
    const owner = type === 'AGENT_KEY' ? agentId : null
    const given = { type, name, agentId: owner, scopePreset: null, scopes, expiresInDays: undefined }
    done(await storeKey(bare.services, { principal, requestId: undefined }, given, secret))
    scoped.set(name, secret)
  }
  for (const [type, all] of [
    ['ORGANIZATION_KEY', PRESETS.ADMIN],
    ['AGENT_KEY', AGENT_SCOPES],
  ] as const) {
    for (const one of all) {
      await store(`${type} with only ${one}`, type, [one])
      const others = all.filter((other) => other !== one)
      await store(`${type} without ${one}`, type, others)
    }
  }
  await bare.close()
}

interface Raw {
  status: number
  text: string
  /** All headers but those that differ between any two answers. */
  headers: { [name: string]: string }
}

async function send(row: Row, authorization: string | undefined, body: unknown): Promise<Raw> {
  const hasBody = body !== undefined && row.method !== 'GET'
  const response = await fetch(service.url + urlOf(row, idsFor(row, absentIds())), {
    method: row.method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, text: await response.text(), headers }
}

const BROKEN = '{"broken":'
const codeIn = ({ text }: Raw): unknown => (JSON.parse(text) as { code?: unknown }).code
const isKeyed = ({ key }: Row): boolean => key !== 'none'

test('every route answers every wrong credential with the same 401', async (t) => {
  const [first] = rows.filter(isKeyed)
  const expected = await send(first!, undefined, BROKEN)
  t.is(expected.status, 401)
  t.is(codeIn(expected), 'AUTH_FAILED')
  t.regex(expected.headers['www-authenticate'] ?? '', /^Bearer/)
  t.deepEqual(
    Object.keys(expected.headers).filter((name) => name.startsWith('ratelimit')),
    [],
  )
  for (const [number, row] of rows.filter(isKeyed).entries()) {
    const others = Object.entries(right).filter(([kind, key]) => key !== '' && kind !== row.key)
    const ofOtherKinds = others.map(([kind, key]) => [`a live ${kind} key`, `Bearer ${key}`] as const)
    const all = [['no header', undefined] as const, ...Object.entries(wrong), ...ofOtherKinds]
    for (const [name, authorization] of turnsOf(all, number)) {
      t.deepEqual(await send(row, authorization, BROKEN), expected, `${row.title}: ${name}`)
    }
  }
})

test('a route without authentication answers with no key and with any key', async (t) => {
  for (const [number, row] of rows.filter((one) => !isKeyed(one) && one.method === 'GET').entries()) {
    // The only one of these routes that needs an existing resource.
    const status = row.path === '/assets/{file}' ? 404 : 200
    for (const authorization of [undefined, ...turnsOf(Object.values(wrong), number)])
      t.is((await send(row, authorization, undefined)).status, status)
  }
})

test('every route refuses a live key without its scope, before it checks the body', async (t) => {
  for (const row of rows.filter(({ scope, key }) => scope !== undefined && key !== 'person')) {
    const type = row.key === 'agent' ? 'AGENT_KEY' : 'ORGANIZATION_KEY'
    const lacking = await send(row, `Bearer ${scoped.get(`${type} without ${row.scope}`)}`, BROKEN)
    t.is(lacking.status, 403, row.title)
    t.deepEqual(Object.keys(JSON.parse(lacking.text) as object).sort(), ['code', 'error'])
    t.is(codeIn(lacking), 'INSUFFICIENT_SCOPE')
    t.truthy(lacking.headers['ratelimit-limit'], row.title)
  }
})

test('the scope that a route names is sufficient', async (t) => {
  for (const row of rows.filter(({ scope, key }) => scope !== undefined && key !== 'person')) {
    const type = row.key === 'agent' ? 'AGENT_KEY' : 'ORGANIZATION_KEY'
    const answer = await send(row, `Bearer ${scoped.get(`${type} with only ${row.scope}`)}`, bodyOf(row, {}))
    t.false([401, 403, 500].includes(answer.status), `${row.title}: ${answer.status} ${answer.text}`)
  }
})

test('a key opens the routes of its kind, with its rate limit headers', async (t) => {
  for (const row of rows.filter(({ key }) => right[key] !== '')) {
    const answer = await send(row, `Bearer ${right[row.key]}`, bodyOf(row, {}))
    t.true(
      answer.status < 500 && answer.status !== 401 && answer.status !== 403,
      `${row.title}: ${answer.status} ${answer.text}`,
    )
    for (const name of ['limit', 'remaining', 'reset'])
      t.regex(answer.headers[`ratelimit-${name}`] ?? '', /^\d+$/, row.title)
  }
  t.deepEqual(service.logged, [])
})

test('every scope that a route names is one that a preset or an agent key can have', (t) => {
  const known: string[] = [...PRESETS.ADMIN, ...AGENT_SCOPES]
  for (const row of rows) t.true(row.scope === undefined || known.includes(row.scope), row.title)
  t.true(rows.filter(isKeyed).length >= 40)
})
