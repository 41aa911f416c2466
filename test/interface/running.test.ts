// What all routes have in common: rate limits, request ids, the OpenAPI description, health and metrics, on the routes
// as they are served.
import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import { operations } from '../../src/http/routes/index.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { ask, fundedAgent, made, type Key } from '../support/payments.js'
import type { Readiness } from '../../sdk/api.js'
import type { Answer, Failure } from '../support/client.js'
import { idsFor, populate } from '../support/population.js'
import { bodyOf, rowsOf, urlOf } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'
import type { AgentList } from '../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const limitsIn = ({ headers }: Answer<unknown>): (number | undefined)[] =>
  ['limit', 'remaining', 'reset']
    .map((name) => headers[`ratelimit-${name}`])
    .map((text) => (text === undefined ? undefined : Number(text)))

test('requests of a group are counted per key and minute, whatever their outcome', async (t) => {
  const own = await start(t, { at: NOON, env: { BURSAR_RATE_LIMITS: 'payments=3,reads=4,admin=1000' } })
  const agent = await fundedAgent(own.client)
  const { key: second } = await made<Key>(own.client, `/api/agents/${agent.agentId}/sdk-keys`, { name: 'Second' })
  const asks = [
    await ask(own.client, agent.key, 1),
    await ask(own.client, agent.key, 'nonsense'),
    await ask(own.client, agent.key, 1),
  ]
  t.deepEqual(
    asks.map(({ status }) => status),
    [200, 400, 200],
  )
  t.deepEqual(
    asks.map((answer) => limitsIn(answer).slice(0, 2)),
    [
      [3, 2],
      [3, 1],
      [3, 0],
    ],
  )
  const tooMany = await ask(own.client, agent.key, 1)
  t.deepEqual(failureOf(tooMany), { status: 429, code: 'RATE_LIMITED' })
  const [limit, remaining, reset] = limitsIn(tooMany)
  t.deepEqual([limit, remaining], [3, 0])
  t.true(reset! >= 50 && reset! <= 60)
  t.is(tooMany.headers['retry-after'], String(reset))
  t.is((await ask(own.client, second, 1)).status, 200)
  t.deepEqual(limitsIn(await own.client.get('/api/sdk/setup', agent.key)).slice(0, 2), [4, 3])
  t.is(limitsIn(await own.client.get('/api/agents', ORGANIZATION_KEY))[0], 4)
  t.deepEqual(failureOf(await own.client.post('/api/sdk/payments/request', agent.key, '{')), {
    status: 429,
    code: 'RATE_LIMITED',
  })
  own.setClock(own.now() + 60_000)
  t.deepEqual(limitsIn(await ask(own.client, agent.key, 1)).slice(0, 2), [3, 2])
})

test('a rate limited request has no effect', async (t) => {
  const own = await start(t, { env: { BURSAR_RATE_LIMITS: 'admin=2' } })
  const create = (name: string) => own.client.post('/api/agents', ORGANIZATION_KEY, { name, agentType: 'CUSTOM' })
  const statuses = []
  for (const name of ['A', 'B', 'C']) statuses.push((await create(name)).status)
  t.deepEqual(statuses, [201, 201, 429])
  t.is((await own.client.get<AgentList>('/api/agents', ORGANIZATION_KEY)).body.total, 2)
  for (const kind of ['nobody', OPERATOR_KEY]) t.is((await own.client.post('/api/agents', kind, {})).status, 401)
})

test('requests without a valid key are not counted and use up no limit', async (t) => {
  const own = await start(t, { env: { BURSAR_RATE_LIMITS: 'reads=2' } })
  for (let sent = 0; sent < 10; sent += 1) {
    const answer = await own.client.get('/api/agents', 'service_nobody')
    t.deepEqual([answer.status, limitsIn(answer)], [401, [undefined, undefined, undefined]])
  }
  t.is((await own.client.get('/api/agents', ORGANIZATION_KEY)).status, 200)
})

test("every answer has a request id, the request's own if that is valid", async (t) => {
  const { ids, agentKey } = await populate(service.client, ORGANIZATION_KEY)
  const seen = new Set<string>()
  for (const row of await rowsOf(service.url)) {
    const keys = { organization: ORGANIZATION_KEY, agent: agentKey, operator: OPERATOR_KEY, person: '', none: '' }
    const key = keys[row.key]
    const own = idsFor(row, ids)
    for (const [given, authorization] of [
      [undefined, key],
      ['mine-7', key],
      ['', 'nobody'],
      ['x'.repeat(129), key],
    ] as const) {
      const body = row.method === 'GET' ? undefined : JSON.stringify(bodyOf(row, {}) ?? {})
      const response = await fetch(service.url + urlOf(row, row.method === 'DELETE' ? {} : own), {
        method: row.method,
        headers: {
          authorization: `Bearer ${authorization}`,
          'content-type': 'application/json',
          ...(given !== undefined && { 'x-request-id': given }),
        },
        ...(body !== undefined && { body }),
      })
      await response.text()
      const id = response.headers.get('x-request-id') ?? ''
      if (given === 'mine-7') t.is(id, 'mine-7', row.title)
      else t.true(/^[0-9a-f]{32}$/.test(id) && !seen.has(id), `${row.title}: ${id}`)
      seen.add(id)
    }
  }
  const unknown = await service.client.get('/nowhere', 'nobody')
  t.truthy(unknown.headers['x-request-id'])
})

test('the description is valid OpenAPI 3.1 and has exactly the routes of the table', async (t) => {
  const response = await fetch(`${service.url}/openapi.json`)
  const document = (await response.json()) as { openapi: string; paths: { [path: string]: object } }
  t.is(document.openapi, '3.1.0')
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.true(valid, JSON.stringify(errors))
  const shown = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const table = operations.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  const system = ['/healthz', '/readyz', '/metrics', '/openapi.json']
  t.deepEqual(shown.toSorted(), [...table, ...system.map((path) => `GET ${path}`)].toSorted())
  t.is(new Set(table).size, table.length)
})

test('the description has the key, scope, parameters and errors of each route', async (t) => {
  const table = operations
  const rows = await rowsOf(service.url)
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: { [path: string]: { [method: string]: { responses: object; operationId: string } } }
  }
  const names = new Set<string>()
  for (const { method, path, access, answers } of table) {
    const template = path.replace(/:(\w+)/g, '{$1}')
    const row = rows.find((one) => one.method === method && one.path === template)!
    t.is(row.key, access.key, row.title)
    t.is(row.scope, 'scope' in access ? access.scope : undefined, row.title)
    t.deepEqual(
      row.params,
      [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    )
    const { responses, operationId } = paths[template]![method.toLowerCase()]!
    const isPosted = method !== 'GET' && (row.key === 'person' || row.key === 'none')
    const forbidden = row.scope !== undefined || isPosted ? ['403'] : []
    const refused = row.key === 'none' && !row.body ? [] : ['401', '429']
    for (const status of [...Object.keys(answers), '400', ...refused, ...forbidden, '500'])
      t.true(status in responses, `${row.title} ${status}`)
    names.add(operationId)
  }
  t.is(names.size, table.length)
})

test('health and readiness need no key', async (t) => {
  const health = await fetch(`${service.url}/healthz`)
  t.deepEqual([health.status, await health.json()], [200, { status: 'ok' }])
  const { body, status } = await service.client.get<Readiness>('/readyz', '')
  t.is(status, 200)
  t.like(body, { status: 'ready', role: 'SINGLE', shard: '0', epoch: 0, lag: 0 })
  const agent = await service.client.post('/api/agents', ORGANIZATION_KEY, { name: 'counted', agentType: 'CUSTOM' })
  t.is(agent.status, 201)
  const since = (await service.client.get<Readiness>('/readyz', '')).body
  t.true(since.applied > body.applied, `${body.applied}, ${since.applied}`)
})

test('metrics count requests by route, method and status, and contain no paths or ids', async (t) => {
  const own = await start(t)
  const agent = await fundedAgent(own.client)
  await ask(own.client, agent.key, 1)
  await own.client.get(`/api/agents/${agent.agentId}`, ORGANIZATION_KEY)
  await own.client.get('/api/agents/made-up', ORGANIZATION_KEY)
  await own.client.get('/made-up', ORGANIZATION_KEY)
  const response = await fetch(`${own.url}/metrics`)
  t.regex(response.headers.get('content-type') ?? '', /^text\/plain/)
  const text = await response.text()
  for (const line of [
    'http_requests_total{route="/api/sdk/payments/request",method="POST",status="200"} 1',
    'http_requests_total{route="/api/agents/:agentId",method="GET",status="200"} 1',
    'http_requests_total{route="/api/agents/:agentId",method="GET",status="404"} 1',
    'http_requests_total{route="unmatched",method="GET",status="404"} 1',
  ]) {
    t.true(text.includes(line), line)
  }
  t.regex(text, /^bursar_actors_in_memory [1-9]\d*$/m)
  t.regex(text, /^bursar_audit_followers 0$/m)
  t.false(text.includes('made-up'))
  t.false(text.includes(agent.agentId))
  t.regex(text, /^http_request_duration_seconds_bucket\{/m)
  t.regex(text, /^process_cpu_seconds_total /m)
})
