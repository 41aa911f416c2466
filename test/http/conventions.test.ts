// The conventions of every route, over real HTTP: the status and code of each mistake, and the order of the checks.
import test from 'ava'
import { ask, type Request } from '../support/rawClient.js'
import { AGENT, ORGANIZATION, OPERATOR, READER, startToy } from './toy.js'

const deep = (levels: number): string => `${'{"context":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const agent = (member: string): string => `{"name":"a",${member}}`
const CREATE = { method: 'POST', key: ORGANIZATION }
const DELETE = { method: 'DELETE', key: ORGANIZATION }
const PAY = { method: 'POST', key: AGENT }
const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const WRONG_CASE = '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913'
const GZIP = { 'content-encoding': 'gzip' }
const LATIN = { 'content-type': 'application/json; charset=iso-8859-1' }
const UTF_8 = { 'content-type': 'Application/JSON; charset="UTF-8"' }
const TEXT = { 'content-type': 'text/plain' }

const BAD_AMOUNTS = [0, -1, 1e9, 0.1234567, 1e-7, null, true, [], {}, '', '1e3', ' 1', '-1', '0x1', '1000000000']

type Row = [title: string, path: string, request: Request, status: number, code?: string, path?: string]

const ROWS: Row[] = [
  ['an unknown route', '/api/nothing', {}, 404, 'NOT_FOUND'],
  ['a trailing slash', '/api/agents/', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['another letter case', '/API/agents', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['bad percent-encoding', '/api/agents/%zz', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['percent-encoding that is not UTF-8', '/api/agents/%ff', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['a NUL in an id', '/api/agents/%00', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['an id of 5000 characters', `/api/agents/${'a'.repeat(5000)}`, { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['a wrong method', '/api/agents', { method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', '/api/agents', { method: 'OPTIONS' }, 405, 'METHOD_NOT_ALLOWED'],
  [
    'a path that also fits a parameter',
    '/api/agents/lookup',
    { ...CREATE, method: 'PATCH', body: '{}' },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['a fixed path and a query', '/api/agents/import?x=1', { key: ORGANIZATION }, 405, 'METHOD_NOT_ALLOWED'],
  ['a path without GET', '/api/agents/import', { method: 'HEAD', key: ORGANIZATION }, 405],
  ['an operator route without an operator', '/api/organizations', { method: 'POST' }, 404, 'NOT_FOUND'],
  ['another method on an operator route', '/api/organizations', {}, 404, 'NOT_FOUND'],
  ['no key', '/api/agents', {}, 401, 'AUTH_FAILED'],
  ['no key and other mistakes', '/api/agents?x=1', { method: 'POST', body: '{' }, 401, 'AUTH_FAILED'],
  ['an unknown key', '/api/agents', { key: 'service_other' }, 401, 'AUTH_FAILED'],
  ['a key called __proto__', '/api/agents', { key: '__proto__' }, 401, 'AUTH_FAILED'],
  ['an agent key', '/api/agents', { key: AGENT }, 401, 'AUTH_FAILED'],
  ['an organization key', '/api/sdk/setup', { key: ORGANIZATION }, 401, 'AUTH_FAILED'],
  ['a missing scope', '/api/agents', { method: 'POST', key: READER, body: '{' }, 403, 'INSUFFICIENT_SCOPE'],
  ['a truncated body', '/api/agents?x=1', { ...CREATE, body: '{"name":' }, 400, 'INVALID_JSON'],
  ['white space only', '/api/agents', { ...CREATE, body: ' ' }, 400, 'INVALID_JSON'],
  ['no body', '/api/agents', CREATE, 400, 'INVALID_JSON'],
  ['an empty body with a type', '/api/agents', { ...CREATE, body: '' }, 400, 'INVALID_JSON'],
  ['no body and another type', '/api/agents', { ...CREATE, headers: TEXT }, 400, 'INVALID_JSON'],
  ['33 levels', '/api/agents', { ...CREATE, body: deep(33) }, 400, 'INVALID_JSON'],
  ['100,000 levels', '/api/agents', { ...CREATE, body: '['.repeat(100_000) }, 400, 'INVALID_JSON'],
  ['100,000 levels that end', '/api/agents', { ...CREATE, body: deep(20_000) }, 400, 'INVALID_JSON'],
  ['deep __proto__', '/api/agents', { ...CREATE, body: `{"__proto__":${deep(33)}}` }, 400, 'INVALID_JSON'],
  ['text', '/api/agents', { ...CREATE, body: '{}', headers: TEXT }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another charset', '/api/agents', { ...CREATE, body: '{}', headers: LATIN }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['gzip', '/api/agents', { ...CREATE, body: '{}', headers: GZIP }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['257 KiB', '/api/agents', { ...CREATE, body: agent(`"x":"${'x'.repeat(257 * 1024)}"`) }, 413, 'PAYLOAD_TOO_LARGE'],
  ['a list', '/api/agents', { ...CREATE, body: '[]' }, 400, 'VALIDATION_ERROR', ''],
  ['a number', '/api/agents', { ...CREATE, body: '5' }, 400, 'VALIDATION_ERROR', ''],
  ['null', '/api/agents', { ...CREATE, body: 'null' }, 400, 'VALIDATION_ERROR', ''],
  ['text as JSON', '/api/agents', { ...CREATE, body: '"a"' }, 400, 'VALIDATION_ERROR', ''],
  ['an empty object', '/api/agents', { ...CREATE, body: '{}' }, 400, 'VALIDATION_ERROR', 'name'],
  ['32 levels', '/api/agents', { ...CREATE, body: deep(32) }, 400, 'VALIDATION_ERROR', 'name'],
  ['an unknown field', '/api/agents', { ...CREATE, body: agent('"x":1') }, 400, 'VALIDATION_ERROR', 'x'],
  ['__proto__', '/api/agents', { ...CREATE, body: agent('"__proto__":{"a":1}') }, 400, 'VALIDATION_ERROR', '__proto__'],
  ['constructor', '/api/agents', { ...CREATE, body: agent('"constructor":1') }, 400, 'VALIDATION_ERROR', 'constructor'],
  ['toString', '/api/agents', { ...CREATE, body: agent('"toString":1') }, 400, 'VALIDATION_ERROR', 'toString'],
  [
    'an unknown nested field',
    '/api/agents',
    { ...CREATE, body: agent('"nested":{"x":1}') },
    400,
    'VALIDATION_ERROR',
    'nested.x',
  ],
  ['empty text', '/api/agents', { ...CREATE, body: '{"name":""}' }, 400, 'VALIDATION_ERROR', 'name'],
  ['a number in place of text', '/api/agents', { ...CREATE, body: '{"name":1}' }, 400, 'VALIDATION_ERROR', 'name'],
  ['a control character', '/api/agents', { ...CREATE, body: '{"name":"a\\u0000"}' }, 400, 'VALIDATION_ERROR', 'name'],
  ['a lone surrogate', '/api/agents', { ...CREATE, body: '{"name":"\\ud800"}' }, 400, 'VALIDATION_ERROR', 'name'],
  ['a long list', '/api/agents', { ...CREATE, body: agent('"tags":[1,2,3,4]') }, 400, 'VALIDATION_ERROR', 'tags'],
  ['a bad item', '/api/agents', { ...CREATE, body: agent('"tags":["a",""]') }, 400, 'VALIDATION_ERROR', 'tags.1'],
  [
    'free JSON with __proto__',
    '/api/agents',
    { ...CREATE, body: agent('"context":{"a":{"__proto__":1}}') },
    400,
    'VALIDATION_ERROR',
    'context',
  ],
  [
    'free JSON with an infinite number',
    '/api/agents',
    { ...CREATE, body: agent('"context":{"a":1e400}') },
    400,
    'VALIDATION_ERROR',
    'context',
  ],
  [
    'free JSON that is a list',
    '/api/agents',
    { ...CREATE, body: agent('"context":[]') },
    400,
    'VALIDATION_ERROR',
    'context',
  ],
  [
    'free JSON of 8193 bytes',
    '/api/agents',
    { ...CREATE, body: agent(`"context":{"a":"${'é'.repeat(4093)}"}`) },
    400,
    'VALIDATION_ERROR',
    'context',
  ],
  ['a body where none belongs', '/api/agents/a1/unfreeze', { ...CREATE, body: { a: 1 } }, 400, 'VALIDATION_ERROR', 'a'],
  ['a list where none belongs', '/api/agents/a1/unfreeze', { ...CREATE, body: '[]' }, 400, 'VALIDATION_ERROR', ''],
  ['a body where none is allowed', '/api/agents/a1', { ...DELETE, body: { a: 1 } }, 400, 'VALIDATION_ERROR', 'a'],
  ['an unknown parameter', '/api/agents?x=1', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'x'],
  ['a parameter on a route without any', '/api/agents/a1?x', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'x'],
  ['an unknown parameter', '/api/agents?x=1', { ...CREATE, body: '{"name":"a"}' }, 400, 'VALIDATION_ERROR', 'x'],
  ['a parameter on a system route', '/healthz?x=1', {}, 400, 'VALIDATION_ERROR', 'x'],
  ['?__proto__', '/api/agents?__proto__=1', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', '__proto__'],
  ['a repeated parameter', '/api/agents?limit=1&limit=1', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['an encoded repetition', '/api/agents?limit=1&li%6Dit=1', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['an undecodable parameter', '/api/agents?limit=%zz', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR'],
  ['limit 0', '/api/agents?limit=0', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['limit 101', '/api/agents?limit=101', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['limit 1.5', '/api/agents?limit=1.5', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['an empty limit', '/api/agents?limit=', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'limit'],
  ['offset -1', '/api/agents?offset=-1', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'offset'],
  ['an empty cursor', '/api/agents?cursor=', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'cursor'],
  ['an unknown enum value', '/api/agents?status=active', { key: ORGANIZATION }, 400, 'VALIDATION_ERROR', 'status'],
  ["a route's own code", '/api/agents/lookup?x=1', { key: ORGANIZATION }, 400, 'INVALID_INPUT', 'address'],
  ["a route's own code in a body", '/api/agents/import', { ...CREATE, body: '{"x":1}' }, 400, 'INVALID_INPUT', 'text'],
  ['a bad address', '/api/agents/lookup?address=0x12', { key: ORGANIZATION }, 400, 'INVALID_ADDRESS'],
  ['a bad checksum', `/api/agents/lookup?address=${WRONG_CASE}`, { key: ORGANIZATION }, 400, 'INVALID_ADDRESS'],
  ['a null address', '/api/agents', { ...CREATE, body: agent('"address":null') }, 400, 'INVALID_ADDRESS'],
  [
    'no amount',
    '/api/sdk/payments',
    { ...PAY, body: { recipientAddress: ADDRESS } },
    400,
    'VALIDATION_ERROR',
    'amount',
  ],
  ['no address', '/api/sdk/payments', { ...PAY, body: { amount: 1 } }, 400, 'VALIDATION_ERROR', 'recipientAddress'],
  ['a limit below 0', '/api/agents', { ...CREATE, body: agent('"limit":-1') }, 400, 'INVALID_AMOUNT'],
  ...BAD_AMOUNTS.map((amount): Row => [
    `the amount ${JSON.stringify(amount)}`,
    '/api/sdk/payments',
    { ...PAY, body: { amount, recipientAddress: ADDRESS } },
    400,
    'INVALID_AMOUNT',
  ]),
  [
    'the amount 1e400',
    '/api/sdk/payments',
    { ...PAY, body: `{"amount":1e400,"recipientAddress":"${ADDRESS}"}` },
    400,
    'INVALID_AMOUNT',
  ],
  ['an object that does not exist', '/api/agents/missing', { key: ORGANIZATION }, 404, 'NOT_FOUND'],
  ['a handler that throws', '/api/broken', {}, 500, 'INTERNAL_ERROR'],
  ['a list', '/api/agents', { key: ORGANIZATION }, 200],
  ['HEAD', '/api/agents', { method: 'HEAD', key: ORGANIZATION }, 200],
  ['a path that also fits a parameter', `/api/agents/lookup?address=${ADDRESS}`, { key: ORGANIZATION }, 200],
  ['a byte order mark', '/api/agents', { ...CREATE, body: `\ufeff${agent('"limit":0')}` }, 201],
  ['a full body', '/api/agents', { ...CREATE, body: agent(`"limit":0,"address":"${ADDRESS}","tags":["a"]`) }, 201],
  ['U+FFFD', '/api/agents', { ...CREATE, body: '{"name":"\ufffd"}' }, 201],
  ['a charset', '/api/agents', { ...CREATE, body: '{"name":"a"}', headers: UTF_8 }, 201],
  ['no body where none belongs', '/api/agents/a1/unfreeze', CREATE, 200],
  ['an empty object where no body belongs', '/api/agents/a1/unfreeze', { ...CREATE, body: '{}' }, 200],
  ['an empty text where no body belongs', '/api/agents/a1/unfreeze', { ...CREATE, body: '', headers: TEXT }, 200],
  ['512 KiB where that is allowed', '/api/agents/import', { ...CREATE, body: { text: 'x'.repeat(512 * 1024) } }, 200],
  ['nothing else', '/api/agents/a1', DELETE, 200],
]

/** What they are about is a field, which the details name. */
const OF_FIELDS = ['VALIDATION_ERROR', 'INVALID_INPUT', 'INVALID_AMOUNT', 'INVALID_ADDRESS']

for (const [title, path, request, status, code, at] of ROWS) {
  test(`${request.method ?? 'GET'} with ${title} answers ${status} ${code ?? ''}`, async (t) => {
    const toy = await startToy()
    t.teardown(() => toy.close(0))
    const reply = await ask(toy.url, path, request)
    t.is(reply.status, status, JSON.stringify(reply.body))
    t.is(reply.body.code, code)
    t.regex(reply.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
    if (code !== undefined) t.is(typeof reply.body.error, 'string')
    if (at !== undefined) t.is(reply.body.details?.[0]?.path, at)
    t.is(reply.body.details !== undefined, code !== undefined && OF_FIELDS.includes(code))
    t.is(toy.ports.logged.length, status === 500 ? 1 : 0)
    t.is((await ask(toy.url, '/healthz')).status, 200)
  })
}

test('A handler that throws reveals nothing and is logged with its request', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const reply = await ask(toy.url, '/api/broken', { headers: { 'x-request-id': 'mine' } })
  t.deepEqual(Object.keys(reply.body), ['error', 'code'])
  t.notRegex(JSON.stringify(reply.body), /secret/)
  t.like(toy.ports.logged[0], { event: 'request failed', requestId: 'mine', route: '/api/broken' })
})

test('The causes of a 401 cannot be distinguished', async (t) => {
  const toy = await startToy({ operatorKey: OPERATOR })
  t.teardown(() => toy.close(0))
  const seen = async (path: string, headers: { [name: string]: string }) => {
    const reply = await ask(toy.url, path, { headers: { 'x-request-id': 'r', ...headers } })
    return JSON.stringify([reply.status, [...reply.headers].filter(([name]) => name !== 'date'), reply.body])
  }
  const first = await seen('/api/agents', {})
  const others = [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Basic ${ORGANIZATION}`,
    `bearer ${AGENT}`,
    ORGANIZATION,
    'Bearer é',
  ]
  for (const authorization of others) t.is(await seen('/api/agents', { authorization }), first)
  t.is(await seen('/api/sdk/setup', { authorization: `Bearer ${ORGANIZATION}` }), first)
  t.regex(first, /www-authenticate/)
})

test('The Bearer scheme is accepted in any letter case', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  t.is((await ask(toy.url, '/api/agents', { headers: { authorization: `bEARER  ${ORGANIZATION}` } })).status, 200)
})

test('A refusal for a missing scope names it', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  t.regex((await ask(toy.url, '/api/agents', { method: 'POST', key: READER })).body.error ?? '', /agents:write/)
})

test('A wrong method is answered with the allowed methods', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const allowed = async (path: string) => (await ask(toy.url, path, { method: 'PUT' })).headers.get('allow')
  t.is(await allowed('/api/agents'), 'GET, HEAD, POST')
  t.is(await allowed('/api/agents/a1'), 'DELETE, GET, HEAD, PATCH')
  t.is(await allowed('/api/agents/lookup'), 'GET, HEAD')
  t.is(await allowed('/healthz'), 'GET, HEAD')
})

test('A request id is echoed when it is 1 to 128 visible characters', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const echoed = async (given: string) => {
    const reply = await ask(toy.url, '/api/agents/a1', { key: ORGANIZATION, headers: { 'x-request-id': given } })
    t.is(reply.headers.get('x-request-id'), reply.body.requestId as string)
    return reply.body.requestId === given
  }
  t.true(await echoed('a'))
  t.true(await echoed('~'.repeat(128)))
  for (const bad of ['', 'a b', 'é', 'x'.repeat(129)]) t.false(await echoed(bad), bad)
})

test('Pages have 50 entries from offset 0 by default', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const query = async (search: string) => (await ask(toy.url, `/api/agents${search}`, { key: ORGANIZATION })).body
  t.deepEqual(await query(''), { limit: 50, offset: 0 })
  t.deepEqual(await query('?'), { limit: 50, offset: 0 })
  t.deepEqual(await query('?limit=100&offset=7&cursor=abc'), { limit: 100, offset: 7, cursor: 'abc' })
})

test("A refusal's additional fields are in the body", async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const { status, body } = await ask(toy.url, '/api/held', { method: 'POST', key: AGENT })
  t.is(status, 400)
  t.deepEqual(body, { approvalRequestId: 'a1', error: 'not yet', code: 'INVALID_STATUS', reasons: ['first'] })
})

test('An optional body may be omitted, empty or given', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const statuses = []
  for (const body of [undefined, '', '{}', '{"note":"n"}', '{"x":1}']) {
    statuses.push((await ask(toy.url, '/api/held', { method: 'POST', key: AGENT, body })).status)
  }
  t.deepEqual(statuses, [400, 200, 200, 200, 400])
})

test('An error about a long value shows its beginning', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const body = { name: 'a', ['x'.repeat(100_000)]: 1 }
  const reply = await ask(toy.url, '/api/agents', { ...CREATE, body })
  t.is(reply.body.code, 'VALIDATION_ERROR')
  t.true(JSON.stringify(reply.body).length < 1000)
})

test('A body with several mistakes is answered with a detail for each', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const body = { name: 1, tags: [1, 1, 1], limit: 1, address: ADDRESS, x: 1 }
  const { details } = (await ask(toy.url, '/api/agents', { ...CREATE, body })).body
  t.deepEqual(
    details?.map(({ path }) => path),
    ['name', 'tags.0', 'tags.1', 'tags.2', 'x'],
  )
})

test('A body with very many mistakes is answered with the first 20', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const body = { name: 'a', labels: Array.from({ length: 30 }, () => 1) }
  const { details } = (await ask(toy.url, '/api/agents', { ...CREATE, body })).body
  t.deepEqual(
    details?.map(({ path }) => path),
    Array.from({ length: 20 }, (_, at) => `labels.${at}`),
  )
})

test("The operator's key opens the operator routes only, and no other key opens them", async (t) => {
  const toy = await startToy({ operatorKey: OPERATOR })
  t.teardown(() => toy.close(0))
  const statusOf = async (key: string) =>
    (await ask(toy.url, '/api/organizations', { method: 'POST', key, body: { name: 'o' } })).status
  t.is(await statusOf(OPERATOR), 201)
  t.is(await statusOf(`${OPERATOR}x`), 401)
  t.is(await statusOf(ORGANIZATION), 401)
  t.is((await ask(toy.url, '/api/agents', { key: OPERATOR })).status, 401)
})

test('Until the service is ready only its system routes answer, and once it has failed none', async (t) => {
  let state: 'starting' | 'failed' | 'ready' = 'starting'
  const toy = await startToy({ readiness: () => state })
  t.teardown(() => toy.close(0))
  for (state of ['starting', 'failed'] as const) {
    const refused = await ask(toy.url, '/api/agents', { key: ORGANIZATION })
    t.is(refused.body.code, 'UNAVAILABLE')
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
    t.is((await ask(toy.url, '/api/nothing')).status, 404)
    for (const path of ['/healthz', '/metrics', '/openapi.json']) {
      t.is((await ask(toy.url, path)).status, state === 'failed' ? 503 : 200, path)
    }
    const ready = await ask(toy.url, '/readyz')
    t.is(ready.status, 503)
    t.is(ready.body.status, state)
  }
  state = 'ready'
  const alone = { role: 'SINGLE', shard: '0', epoch: 0, applied: 7, lag: 0 }
  t.deepEqual((await ask(toy.url, '/readyz')).body, { status: 'ready', ...alone })
})

test('Metrics count requests by route, never by unknown paths', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  await ask(toy.url, '/api/agents/a1', { key: ORGANIZATION })
  await ask(toy.url, '/api/made-up')
  const reply = await ask(toy.url, '/metrics')
  t.regex(reply.headers.get('content-type') ?? '', /^text\/plain/)
  const text = String(reply.body.text)
  t.true(text.includes('http_requests_total{route="/api/agents/:agentId",method="GET",status="200"} 1'))
  t.true(text.includes('http_requests_total{route="unmatched",method="GET",status="404"} 1'))
  t.true(text.includes('http_request_duration_seconds_count{route="/api/agents/:agentId",method="GET"} 1'))
  t.true(text.includes('process_cpu_seconds_total'))
  t.true(text.includes(`toy_runs ${toy.runs}\n`))
  t.false(text.includes('made-up'))
})
