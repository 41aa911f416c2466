// Which requests are retried and when, which are not, and what error the caller gets.
import test from 'ava'
import { Bursar, BursarAdmin } from '../../sdk/index.js'
import { retryAfterIn, waitBefore } from '../../sdk/retry.js'
import { serve, serveInTurn, tell } from '../support/server.js'
import { thrownBy } from './thrown.js'

const AT_ONCE = { 'Retry-After': '0' }
const OK = { status: 200, body: { requestId: 'r' } }
const REFUSED = { error: 'No', code: 'VALIDATION_ERROR', details: [{ path: 'amount', message: 'is missing' }] }

const clientOf = (baseUrl: string, more: object = {}): Bursar => new Bursar({ apiKey: 'agent key', baseUrl, ...more })
const REQUEST = { amount: 1, recipientAddress: '0x00000000000000000000000000000000000000a1' }

test('Retries wait 1, 2, 4 and at most 10 seconds, and follow only 429 and 5xx', (t) => {
  const waits = (status: number, retries: number, retryAfter?: number): (number | undefined)[] =>
    Array.from({ length: retries + 1 }, (_, retry) => waitBefore(retry, retries, { status, retryAfter }))
  for (const status of [429, 500, 502, 503, 504, 599]) t.deepEqual(waits(status, 3), [1000, 2000, 4000, undefined])
  t.deepEqual(waits(500, 6), [1000, 2000, 4000, 8000, 10_000, 10_000, undefined])
  for (const status of [300, 304, 400, 401, 403, 404, 408, 409, 412])
    t.deepEqual(waits(status, 3), Array(4).fill(undefined))
  t.is(waitBefore(0, 3, { status: 401 }), undefined)
  t.is(waitBefore(0, 3, { status: 429, retryAfter: 0 }), 0)
  t.is(waitBefore(2, 3, { status: 503, retryAfter: 17 }), 17_000)
  t.is(waitBefore(0, 3, { status: 429, retryAfter: 3600 }), undefined)
})

test('Retry-After is read as seconds and as a date', (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  for (const [header, seconds] of [
    ['7', 7],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:03 GMT', 3],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    [null, undefined],
  ] as const) {
    t.is(retryAfterIn(header, now), seconds, String(header))
  }
})

test('429 and 5xx are retried up to three times with the same idempotency key', async (t) => {
  for (const status of [429, 500, 502, 503]) {
    const failure = { status, headers: AT_ONCE, body: 'busy' }
    const server = await serveInTurn(t, failure, failure, failure, OK)
    t.is((await clientOf(server.url).payments.request(REQUEST)).requestId, 'r')
    const keys = server.sent.map(({ headers }) => headers['idempotency-key'])
    t.is(keys.length, 4)
    t.is(new Set(keys).size, 1)
    t.regex(String(keys[0]), /^[0-9a-f]{32}$/)
    t.is(new Set(server.sent.map(({ text }) => text)).size, 1)
  }
})

test('A retried answer that lacks the secret of the lost first answer is an error', async (t) => {
  const gone = { status: 502, headers: AT_ONCE, body: 'gone' }
  const again = { status: 201, headers: { 'Idempotency-Replayed': 'true' }, body: { id: 'k1', name: 'n' } }
  const server = await serveInTurn(t, ...Array.from({ length: 6 }, () => [gone, again]).flat(), gone, {
    status: 200,
    body: {},
  })
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: server.url })
  t.regex((await thrownBy(admin.organizations.create('n'))).message, /succeeded \(k1\).*make another/)
  t.regex((await thrownBy(admin.members.add({ email: 'ada@example.com', role: 'VIEWER' }))).message, /invite/)
  t.regex((await thrownBy(admin.members.invite('m'))).message, /invite/)
  t.regex((await thrownBy(admin.governance.collect('c'))).message, /request the change again/)
  t.regex((await thrownBy(admin.agents.keys.create('a', { name: 'n' }))).message, /succeeded \(k1\).*revoke/)
  t.regex((await thrownBy(admin.keys.create({ name: 'n', scopePreset: 'ADMIN' }))).message, /revoke/)
  t.like(await thrownBy(admin.webhooks.rotateSecret()), { code: 'TIMEOUT', status: 0 })
})

test('Without Retry-After the first retry waits a second', async (t) => {
  const server = await serveInTurn(t, { status: 503 }, OK)
  await clientOf(server.url).payments.request(REQUEST)
  const [first, second] = server.sent
  t.true(second!.at - first!.at >= 995, `${second!.at - first!.at} ms`)
})

test('After the last retry the error contains the answer of the service', async (t) => {
  const server = await serveInTurn(t, {
    status: 429,
    headers: { ...AT_ONCE, 'X-Request-Id': 'abc' },
    body: { error: 'Slower', code: 'RATE_LIMITED' },
  })
  const error = await thrownBy(clientOf(server.url).setup())
  t.like(error, { name: 'BursarError', code: 'RATE_LIMITED', status: 429, message: 'Slower', requestId: 'abc' })
  t.is(error.retryAfter, 0)
  t.is(server.sent.length, 4)
})

test('Other refusals are thrown without a retry', async (t) => {
  for (const status of [400, 401, 403, 404, 405, 409, 412, 413]) {
    const server = await serveInTurn(t, { status, body: REFUSED })
    const error = await thrownBy(clientOf(server.url).payments.request(REQUEST))
    t.like(error, { code: 'VALIDATION_ERROR', status, message: 'No', details: REFUSED.details })
    t.is(server.sent.length, 1)
  }
})

test('maxRetries limits the number of retries, also to none', async (t) => {
  for (const maxRetries of [0, 1]) {
    const server = await serveInTurn(t, { status: 500, headers: AT_ONCE })
    await thrownBy(clientOf(server.url, { maxRetries }).setup())
    t.is(server.sent.length, maxRetries + 1)
  }
})

test('An answer that is not from the service still gets a code', async (t) => {
  for (const [status, code] of [
    [502, 'UNAVAILABLE'],
    [401, 'AUTH_FAILED'],
    [404, 'NOT_FOUND'],
    [500, 'INTERNAL_ERROR'],
    [302, 'INTERNAL_ERROR'],
  ] as const) {
    const server = await serveInTurn(t, { status, headers: { Location: '/elsewhere' }, body: '<html>' })
    const error = await thrownBy(clientOf(server.url, { maxRetries: 0 }).payments.request(REQUEST))
    t.like(error, { code, status })
    t.is(server.sent.length, 1)
  }
  const odd = await serveInTurn(t, { status: 200, body: '<html>' })
  t.like(await thrownBy(clientOf(odd.url).setup()), { code: 'INTERNAL_ERROR', status: 200 })
})

test('An answer that does not come in time is a TIMEOUT and not retried', async (t) => {
  const server = await serve(t, () => {})
  const error = await thrownBy(clientOf(server.url, { timeout: 2000 }).payments.request(REQUEST))
  t.like(error, { code: 'TIMEOUT', status: 0 })
  t.is(server.sent.length, 1)
})

test('A body that stops half-way is a TIMEOUT and not retried', async (t) => {
  const server = await serve(t, (_sent, response) => void response.writeHead(200).write('{"requestId":'))
  const error = await thrownBy(clientOf(server.url, { timeout: 2000 }).payments.request(REQUEST))
  t.like(error, { code: 'TIMEOUT', status: 0 })
  t.is(server.sent.length, 1)
})

test('A cut connection is a TIMEOUT and not retried', async (t) => {
  const server = await serve(t, (_sent, response) => void response.destroy())
  const error = await thrownBy(clientOf(server.url).payments.execute('p'))
  t.like(error, { code: 'TIMEOUT', status: 0 })
  t.true(error.cause instanceof Error)
  t.is(server.sent.length, 1)
})

test('An abort signal ends a call and its waits', async (t) => {
  const server = await serveInTurn(t, { status: 503, headers: { 'Retry-After': '60' } })
  const controller = new AbortController()
  const call = clientOf(server.url).setup({ signal: controller.signal })
  const reason = new Error('enough')
  setImmediate(() => controller.abort(reason))
  t.is(await t.throwsAsync(async () => call), reason)
})

test('API keys, versions, ids and idempotency keys are sent in the right places', async (t) => {
  const server = await serveInTurn(t, OK)
  const admin = new BursarAdmin({ apiKey: 'organization key', baseUrl: `${server.url}/` })
  await admin.policies.update('a/b?c', { name: 'New' }, {}, { ifMatch: 3 })
  await admin.agents.keys.revoke('agent', 'key&more')
  await clientOf(server.url).payments.request({ ...REQUEST, idempotencyKey: 'mine' })
  const [update, revoke, request] = server.sent
  t.is(update!.path, '/api/policies/a%2Fb%3Fc')
  t.like(update!.headers, { 'if-match': '3', authorization: 'Bearer organization key' })
  t.is(update!.headers['idempotency-key'], undefined)
  t.is(revoke!.path, '/api/agents/agent/sdk-keys?keyId=key%26more')
  t.is(request!.headers['idempotency-key'], 'mine')
})

test('An id that would change the route, or an invalid base URL, throws a TypeError', async (t) => {
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: 'http://127.0.0.1:9' })
  for (const id of ['', '.', '..']) await t.throwsAsync(() => admin.agents.delete(id), { instanceOf: TypeError })
  for (const baseUrl of ['nowhere', 'localhost:3905', 'ftp://localhost']) {
    t.throws(() => new Bursar({ apiKey: 'key', baseUrl }), { instanceOf: TypeError, message: /http or https/ })
  }
})

test('A change that waits for a second person is thrown as REQUIRES_APPROVAL', async (t) => {
  const server = await serve(t, (_sent, response) =>
    tell(response, { status: 202, body: { status: 'PENDING_APPROVAL', governanceApprovalRequestId: 'g1' } }),
  )
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: server.url })
  const error = await thrownBy(admin.policies.delete('p1'))
  t.like(error, { code: 'REQUIRES_APPROVAL', status: 202, approvalRequestId: 'g1' })
})

test('A client does not show its key', (t) => {
  const client = clientOf('http://127.0.0.1:9', { apiKey: 'very secret' })
  t.notRegex(JSON.stringify(client), /very secret/)
})
