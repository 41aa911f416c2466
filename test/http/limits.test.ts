// Rate limits: the counting alone on a manual clock, and the headers over real HTTP.
import test from 'ava'
import { networkOf, rateLimiter } from '../../src/http/server/rateLimits.js'
import { ask, type Reply } from '../support/rawClient.js'
import { AGENT, OPERATOR, ORGANIZATION, READER, startToy } from './toy.js'

const LIMITS = { payments: 2, reads: 2, admin: 1, login: 1 }
const headersOf = ({ headers }: Reply) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) => headers.get(name))

test('A window allows its limit and restarts a minute after its first request', (t) => {
  let at = 1_000_000
  const take = rateLimiter(LIMITS, () => at)
  t.deepEqual(take('reads', 'a'), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  at += 30_001
  t.deepEqual(take('reads', 'a'), { allowed: true, limit: 2, remaining: 0, resetSeconds: 30 })
  t.deepEqual(take('reads', 'a'), { allowed: false, limit: 2, remaining: 0, resetSeconds: 30 })
  t.true(take('reads', 'b').allowed)
  t.true(take('payments', 'a').allowed)
  at += 29_998
  t.deepEqual(take('reads', 'a'), { allowed: false, limit: 2, remaining: 0, resetSeconds: 1 })
  at += 1
  t.deepEqual(take('reads', 'a'), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
})

test('A clock that is set back starts new windows', (t) => {
  let at = 1_000_000
  const take = rateLimiter(LIMITS, () => at)
  take('admin', 'a')
  at = 0
  t.deepEqual(take('admin', 'a'), { allowed: true, limit: 1, remaining: 0, resetSeconds: 60 })
})

test('A limit of 0 allows nothing', (t) => {
  t.false(rateLimiter({ ...LIMITS, reads: 0 }, () => 0)('reads', 'a').allowed)
})

test('Of more than 100,000 callers in a minute the oldest are forgotten', (t) => {
  const take = rateLimiter(LIMITS, () => 0)
  for (let caller = 0; caller < 100_001; caller += 1) take('login', String(caller))
  t.true(take('login', '0').allowed)
  t.false(take('login', '100000').allowed)
})

test('Every authenticated answer has the rate limit headers of its key', async (t) => {
  const toy = await startToy({ rateLimits: { payments: 9, reads: 9, admin: 9, login: 9 }, operatorKey: OPERATOR })
  t.teardown(() => toy.close(0))
  const post = (path: string, key: string, body?: unknown) => ask(toy.url, path, { method: 'POST', key, body })
  t.deepEqual(headersOf(await ask(toy.url, '/api/agents', { key: ORGANIZATION })), ['9', '8', '60', null])
  t.deepEqual(headersOf(await ask(toy.url, '/api/agents?x=1', { key: ORGANIZATION })), ['9', '7', '60', null])
  t.deepEqual(headersOf(await ask(toy.url, '/api/agents/missing', { key: ORGANIZATION })), ['9', '6', '60', null])
  t.deepEqual(headersOf(await post('/api/agents', ORGANIZATION)), ['9', '8', '60', null])
  t.deepEqual(headersOf(await post('/api/agents', READER)), ['9', '8', '60', null])
  t.deepEqual(headersOf(await post('/api/sdk/payments', AGENT)), ['9', '8', '60', null])
  t.deepEqual(headersOf(await post('/api/organizations', OPERATOR, { name: 'o' })), ['9', '8', '60', null])
  t.deepEqual(headersOf(await ask(toy.url, '/api/agents')), [null, null, null, null])
  t.deepEqual(headersOf(await ask(toy.url, '/healthz')), [null, null, null, null])
})

test('The limits are given in the form of the IETF draft, too', async (t) => {
  const toy = await startToy({ rateLimits: { payments: 9, reads: 2, admin: 9, login: 9 } })
  t.teardown(() => toy.close(0))
  const draft = async () => {
    const { headers } = await ask(toy.url, '/api/agents', { key: ORGANIZATION })
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  }
  t.deepEqual(await draft(), ['"reads";q=2;w=60', '"reads";r=1;t=60'])
  toy.ports.clock += 30_500
  await draft()
  t.deepEqual(await draft(), ['"reads";q=2;w=60', '"reads";r=0;t=30'])
  t.is((await ask(toy.url, '/healthz')).headers.get('ratelimit'), null)
})

test('A request above the limit is refused after the scope check and before the body check', async (t) => {
  const toy = await startToy({ rateLimits: LIMITS })
  t.teardown(() => toy.close(0))
  const create = (key: string, body: string) => ask(toy.url, '/api/agents', { method: 'POST', key, body })
  t.is((await create(ORGANIZATION, '{"name":"a"}')).status, 201)
  toy.ports.clock += 500
  const refused = await create(ORGANIZATION, '{')
  t.is(refused.status, 429)
  t.is(refused.body.code, 'RATE_LIMITED')
  t.deepEqual(headersOf(refused), ['1', '0', '60', '60'])
  t.deepEqual([(await create(READER, '{')).status, (await create(READER, '{')).status], [403, 403])
  toy.ports.clock += 59_500
  t.is((await create(ORGANIZATION, '{"name":"a"}')).status, 201)
})

test('Logins are limited by network address, whatever they send', async (t) => {
  const toy = await startToy({ rateLimits: LIMITS })
  t.teardown(() => toy.close(0))
  const login = (email: string) => ask(toy.url, '/api/session', { method: 'POST', body: { email } })
  t.deepEqual([(await login('a')).status, (await login('b')).status], [200, 429])
})

test('Without limits there are no rate limit headers', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  t.deepEqual(headersOf(await ask(toy.url, '/api/agents', { key: ORGANIZATION })), [null, null, null, null])
})

const NETWORKS: [address: string, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
]

for (const [address, network] of NETWORKS) {
  test(`Requests from '${address}' are counted under '${network}'`, (t) => t.is(networkOf(address), network))
}
