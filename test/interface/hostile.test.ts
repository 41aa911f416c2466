// Every route with invalid input: unknown and repeated parameters, bodies that are empty, deep, huge or of a wrong
// type, wrong methods, and generated nonsense. Each gets its code, and nothing gets a 5xx.
import test from 'ava'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { runs, seedOr, turnsOf } from '../support/depth.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import type { Answer, Failure } from '../support/client.js'
import { newPerson } from '../support/people.js'
import { idsFor, populate, type Population } from '../support/population.js'
import { CURSORS, objectsOf, oddNumbers, oddTexts, oddValues, valuesOf, withOneOdd } from '../support/bodies.js'
import { bodyOf, rowsOf, sample, urlOf, type Row } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'

const SEED = 20260131
const RUNS_A_ROUTE = 60
const scope = wholeFile(test)
let service: Started
let rows: Row[]
let mine: Population
/** The cookie of a signed-in person. */
let person: string

test.before('the service starts', async () => {
  service = await start(scope)
  mine = await populate(service.client, ORGANIZATION_KEY)
  person = (await newPerson(service.client, 'ADMIN')).cookie
  rows = (await rowsOf(service.url)).filter(({ key }) => key !== 'none')
})

const keyFor = ({ key }: Row): string =>
  ({ organization: ORGANIZATION_KEY, person, agent: mine.agentKey, operator: OPERATOR_KEY, none: '' })[key]
const pathFor = (row: Row): string => urlOf(row, idsFor(row, mine.ids))
const writes = (): Row[] => rows.filter(({ method }) => method !== 'GET')
const failureOf = ({ status, body }: Answer<Failure>) => ({ status, code: body.code })
/** Its schema allows additional fields, which the handler checks. */
const isFree = ({ body }: Row): boolean => body !== undefined && body.additionalProperties !== false
/** Also accept a list as body. */
const TAKES_LISTS = new Set(['PUT /api/policies/{policyId}/tests'])
const json = { 'Content-Type': 'application/json' }

function send(
  row: Row,
  body: unknown,
  headers: { [name: string]: string } = {},
  path = pathFor(row),
): Promise<Answer<Failure>> {
  return service.client.send(row.method, path, keyFor(row), body, headers)
}

test('an unknown query parameter is refused and named', async (t) => {
  for (const row of rows) {
    const path = pathFor(row)
    const body = row.method === 'GET' ? undefined : bodyOf(row, {})
    const answer = await send(row, body, {}, `${path}${path.includes('?') ? '&' : '?'}nonsense=1`)
    t.deepEqual(failureOf(answer), { status: 400, code: row.invalid }, row.title)
    t.is(answer.body.details?.[0]?.path, 'nonsense', row.title)
  }
})

test('a repeated query parameter is refused, even with the same value', async (t) => {
  for (const row of rows) {
    const { name, schema } = row.query[0] ?? { name: 'any', schema: { type: 'string' } }
    const twice = [1, 2].map(() => `${name}=${encodeURIComponent(String(sample(schema)))}`).join('&')
    const body = row.method === 'GET' ? undefined : bodyOf(row, {})
    const answer = await send(row, body, {}, `${pathFor(row).split('?')[0]}?${twice}`)
    t.deepEqual(failureOf(answer), { status: 400, code: row.invalid }, row.title)
  }
})

test('an unknown body field is refused and named', async (t) => {
  for (const [number, row] of writes().entries()) {
    for (const name of turnsOf(['nonsense', '__proto__', 'constructor', 'NAME'], number)) {
      const text = JSON.stringify({ ...bodyOf(row, {}) })
        .replace(/}$/, (end) => `,"${name}":1${end}`)
        .replace('{,', '{')
      const answer = await send(row, text)
      t.deepEqual(failureOf(answer), { status: 400, code: row.invalid }, `${row.title} with ${name}`)
      if (!isFree(row)) t.is(answer.body.details?.[0]?.path, name, row.title)
    }
  }
})

test('an empty body where one is required is INVALID_JSON, with or without a content type', async (t) => {
  const all = [{}, json, { ...json, 'Content-Length': '0' }, { 'Content-Type': 'text/plain' }]
  const requiring = writes().filter(({ bodyRequired }) => bodyRequired)
  for (const [number, row] of requiring.entries()) {
    for (const headers of turnsOf<{ [name: string]: string }>(all, number)) {
      t.deepEqual(failureOf(await send(row, undefined, headers)), { status: 400, code: 'INVALID_JSON' }, row.title)
    }
  }
})

const BROKEN = ['{', '{"a":1,}', '{"a":}', "{'a':1}", '\u0000', 'undefined', '{"a":1}{"b":2}', '{"a":"\u0001"}', 'NaN']

test('a body that is not JSON, or nests deeper than 32, is INVALID_JSON', async (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const all = [...BROKEN, nested(33), `{"a":${nested(32)}}`, nested(5000)]
  for (const [number, row] of writes().entries()) {
    for (const text of turnsOf(all, number)) {
      t.deepEqual(
        failureOf(await send(row, text)),
        { status: 400, code: 'INVALID_JSON' },
        `${row.title}: ${text.slice(0, 20)}`,
      )
    }
    const shallow = failureOf(await send(row, `{"nonsense":${nested(31)}}`))
    t.deepEqual(shallow, { status: 400, code: row.invalid }, row.title)
  }
})

test('JSON that is not an object is a validation error', async (t) => {
  for (const [number, row] of writes().entries()) {
    const lists = TAKES_LISTS.has(row.title) ? [] : ['[]', '[{}]']
    for (const text of turnsOf([...lists, '"text"', '1', 'true', 'null'], number)) {
      t.deepEqual(failureOf(await send(row, text)), { status: 400, code: row.invalid }, `${row.title}: ${text}`)
    }
  }
})

test('the last of two equal members counts, and exponents are accepted in numbers but not in text', async (t) => {
  const post = (text: string) => service.client.post<Failure & { name: string }>('/api/agents', ORGANIZATION_KEY, text)
  const twice = await post('{"name":"first","agentType":"CUSTOM","name":"second"}')
  t.deepEqual([twice.status, twice.body.name], [201, 'second'])
  t.is((await post('{"name":"good","agentType":"CUSTOM","name":""}')).status, 400)
  const { id } = (await service.client.post<{ id: string }>('/api/wallets', ORGANIZATION_KEY, WALLET)).body
  for (const [written, status, balance] of [
    ['1e1', 200, 10],
    ['25E-1', 200, 12.5],
    ['"1e1"', 400, undefined],
    ['1e-7', 400, undefined],
    ['1e9', 400, undefined],
  ] as const) {
    const path = `/api/wallets/${id}/fund`
    const answer = await service.client.post<Failure & { balance?: number }>(
      path,
      ORGANIZATION_KEY,
      `{"amount":${written}}`,
    )
    t.deepEqual([answer.status, answer.body.balance], [status, balance], written)
    if (status === 400) t.is(answer.body.code, 'INVALID_AMOUNT', written)
  }
})

const WALLET = { name: 'Exponents', custodyType: 'MANAGED' }

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
  'application/jsonp',
  'text/json',
]

test('a body without a JSON content type is refused', async (t) => {
  for (const [number, row] of writes().entries()) {
    const refused =
      row.key === 'person' ? { status: 403, code: 'CSRF' } : { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }
    for (const type of turnsOf(TYPES, number)) {
      const answer = await send(row, '{"a":1}', { 'Content-Type': type })
      t.deepEqual(failureOf(answer), refused, `${row.title}: ${type}`)
    }
    const packed = await send(row, '{"a":1}', { ...json, 'Content-Encoding': 'gzip' })
    t.deepEqual(failureOf(packed), refused, row.title)
    const other = await send(row, '{"nonsense":1}', { 'Content-Type': 'application/json; charset=UTF-8' })
    t.deepEqual(failureOf(other), { status: 400, code: row.invalid }, row.title)
  }
})

test('a body above 256 KiB, or 1 MiB for an import, 16 KiB to sign in and 32 KiB to consent, is PAYLOAD_TOO_LARGE', async (t) => {
  const KIB = 1024
  const exactly = (bytes: number): string => `{"nonsense":"${'x'.repeat(bytes - '{"nonsense":""}'.length)}"}`
  for (const [number, row] of writes().entries()) {
    const isSignIn = row.title.startsWith('POST /api/session')
    const small = isSignIn ? 16 * KIB : row.path.endsWith('consent') ? 32 * KIB : undefined
    const most = row.path.endsWith('import') ? KIB * KIB : (small ?? 256 * KIB)
    for (const [bytes, refused] of turnsOf(
      [
        [most + 1, { status: 413, code: 'PAYLOAD_TOO_LARGE' }],
        [most, { status: 400, code: row.invalid }],
      ] as const,
      number,
    ))
      t.deepEqual(failureOf(await send(row, exactly(bytes))), refused, row.title)
  }
  for (const path of ['/api/session', '/api/session/setup']) {
    const answer = await service.client.post<Failure>(path, '', exactly(16 * KIB + 1))
    t.deepEqual(failureOf(answer), { status: 413, code: 'PAYLOAD_TOO_LARGE' }, path)
  }
})

/** All methods that a request may have; HEAD is accepted wherever GET is. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test('a wrong method is answered with the methods of exactly that path', async (t) => {
  const all = await rowsOf(service.url)
  for (const [number, path] of [...new Set(all.map((row) => row.path))].entries()) {
    const own = all.filter((row) => row.path === path).map(({ method }) => method)
    const taken = [...own, ...(own.includes('GET') ? ['HEAD'] : [])].sort()
    const url = path.replace(/\{\w+\}/g, 'x')
    const callers = [
      ['nobody', ''],
      [ORGANIZATION_KEY, ''],
      [mine.agentKey, '?any=1'],
    ] as const
    for (const [key, query] of turnsOf(callers, number)) {
      for (const method of METHODS.filter((one) => !taken.includes(one))) {
        const body = ['PUT', 'PATCH'].includes(method) ? {} : undefined
        const { status, headers, body: said } = await service.client.send<Failure>(method, url + query, key, body)
        t.deepEqual([status, headers['allow']], [405, taken.join(', ')], `${method} ${url}${query}`)
        if (method !== 'HEAD') t.is(said.code, 'METHOD_NOT_ALLOWED')
      }
    }
  }
})

test('an unknown path is NOT_FOUND, with or without a valid key', async (t) => {
  for (const path of [
    '/api',
    '/api/agents/',
    '/api/Agents',
    '/api/sdk',
    '/api/agents/x/y/z',
    '/api//agents',
    '/%61pi/agents/x/none',
  ]) {
    for (const key of [ORGANIZATION_KEY, 'nobody']) {
      t.deepEqual(failureOf(await service.client.get(path, key)), { status: 404, code: 'NOT_FOUND' }, path)
    }
  }
})

function checkError(row: Row, { status, headers, body }: Answer<Failure>): void {
  assert.ok(status < 500, `${row.title} answered ${status}`)
  assert.ok(typeof headers['x-request-id'] === 'string')
  if (status < 400) return
  assert.ok(typeof body.error === 'string' && typeof body.code === 'string', row.title)
  if (['VALIDATION_ERROR', 'INVALID_INPUT'].includes(body.code))
    assert.ok((body.details ?? []).length > 0, JSON.stringify(body))
}

const settings = { numRuns: runs(RUNS_A_ROUTE), seed: seedOr(SEED) }

test('no generated body makes a route fail', async (t) => {
  for (const row of writes().filter(({ body }) => body)) {
    const bodies = fc.oneof({ weight: 15, arbitrary: objectsOf(row.body!) }, { weight: 1, arbitrary: oddValues })
    const property = fc.asyncProperty(bodies, async (body) => {
      checkError(row, await send(row, JSON.stringify(body)))
    })
    await fc.assert(property, settings)
  }
  t.deepEqual(service.logged, [])
})

test('no generated query makes a route fail', async (t) => {
  for (const row of rows.filter(({ query }) => query.length > 0)) {
    // A stream could last for an hour; with `seconds` 0 it ends at once.
    const isStream = row.query.some(({ name }) => name === 'seconds')
    const named = row.query.filter(({ name }) => name !== 'seconds')
    const values = named.map(({ name, schema }) => [name, valuesOf(schema).map(String)] as const)
    const odd = fc.oneof(oddTexts, fc.string({ unit: 'binary' }), oddNumbers.map(String), CURSORS)
    const queries = withOneOdd(Object.fromEntries(values), [], odd)
    const property = fc.asyncProperty(queries, async (query) => {
      const written = Object.entries(query).map(
        ([name, value]) => `${name}=${encodeURIComponent((value as string).toWellFormed())}`,
      )
      const path = `${pathFor(row).split('?')[0]}?${[...written, ...(isStream ? ['seconds=0'] : [])].join('&')}`
      checkError(row, await send(row, undefined, {}, path))
    })
    await fc.assert(property, settings)
  }
  t.deepEqual(service.logged, [])
})

test('a query that cannot be decoded is refused', async (t) => {
  for (const [number, row] of rows.filter(({ method }) => method === 'GET').entries()) {
    for (const query of turnsOf(['%', '%zz=1', 'limit=%ff', '%c3%28=1'], number)) {
      const answer = await send(row, undefined, {}, `${pathFor(row).split('?')[0]}?${query}`)
      t.deepEqual(failureOf(answer), { status: 400, code: row.invalid }, `${row.title} ${query}`)
    }
  }
})
