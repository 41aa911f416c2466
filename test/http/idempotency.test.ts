// Idempotency keys, over real HTTP: what is replayed, what is a conflict, and that simultaneous requests with one key
// are carried out once.
import test, { type ExecutionContext } from 'ava'
import { ask, type Reply, type Request } from '../support/rawClient.js'
import { AGENT, OPERATOR, ORGANIZATION, READER, principalOf, startToy, type Toy } from './toy.js'

const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const WEEK_MS = 7 * 24 * 3600 * 1000

const create = (key: string, body: unknown, more: Partial<Request> = {}): Request => ({
  method: 'POST',
  key: ORGANIZATION,
  body,
  headers: { 'idempotency-key': key },
  ...more,
})
const pay = (body: { [member: string]: unknown }, key?: string): Request => ({
  method: 'POST',
  key: AGENT,
  body: { recipientAddress: ADDRESS, ...body },
  ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
})
const isReplay = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true'

test('The same key with the same body replays the first answer, without its secrets', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const first = await ask(toy.url, '/api/agents', create('k', '{"name":"a","limit":1}'))
  const again = await ask(toy.url, '/api/agents', create('k', '{ "limit": 1.0, "name": "\\u0061" }'))
  t.false(isReplay(first))
  t.deepEqual(first.body, { name: 'a', run: 1, key: 'secret' })
  t.true(isReplay(again))
  t.is(again.status, 201)
  t.deepEqual(again.body, { name: 'a', run: 1 })
  t.is(toy.runs, 1)
})

test('The same key with another body is a conflict, before that body is validated', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  await ask(toy.url, '/api/agents', create('k', { name: 'a' }))
  const others = [{ name: 'b' }, { name: 'a', x: 1 }, { amount: null }, '[]', '{"name":"\\ud800"}', '{"a":1e400}']
  for (const body of others) {
    const reply = await ask(toy.url, '/api/agents', create('k', body))
    t.is(reply.body.code, 'IDEMPOTENCY_CONFLICT')
    t.is(reply.status, 409)
  }
  t.is((await ask(toy.url, '/api/agents', create('k', '{"name"'))).body.code, 'INVALID_JSON')
  t.is(toy.runs, 1)
})

test('A body without a canonical form is a validation error, even with a key', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  for (const body of ['{"name":"\\ud800"}', '{"name":"a","context":{"a":1e400}}', '{"name":"a","__proto__":{}}']) {
    const reply = await ask(toy.url, '/api/agents', create('k', body))
    t.is(reply.body.code, 'VALIDATION_ERROR')
  }
})

test('A key is scoped to its principal and to the path with its parameters', async (t) => {
  const toy = await startToy({ operatorKey: OPERATOR })
  t.teardown(() => toy.close(0))
  const unfreeze = (path: string) => ask(toy.url, path, create('k', undefined))
  t.deepEqual((await unfreeze('/api/agents/a1/unfreeze')).body, { agent: 'a1', run: 1 })
  t.deepEqual((await unfreeze('/api/agents/a2/unfreeze')).body, { agent: 'a2', run: 2 })
  t.deepEqual((await unfreeze('/api/agents/a1/unfreeze')).body, { agent: 'a1', run: 1 })
  const found = () => ask(toy.url, '/api/organizations', create('k', { name: 'o' }, { key: OPERATOR }))
  t.deepEqual([(await found()).body.run, (await found()).body.run], [3, 3])
  const asReader = await ask(toy.url, '/api/agents/a1/unfreeze', create('k', undefined, { key: READER }))
  t.is(asReader.status, 403)
})

test('The query is not part of the scope of a key, and no body equals an empty one', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  await ask(toy.url, '/api/agents/a1/unfreeze', create('k', undefined))
  t.true(isReplay(await ask(toy.url, '/api/agents/a1/unfreeze', create('k', {}))))
  t.true(isReplay(await ask(toy.url, '/api/agents/a1/unfreeze?', create('k', ''))))
})

test('An error is never remembered', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const held = () => ask(toy.url, '/api/held', { method: 'POST', key: AGENT, headers: { 'idempotency-key': 'k' } })
  const [first, second, third] = [await held(), await held(), await held()]
  t.is(first.status, 400)
  t.deepEqual(second.body, { run: 2 })
  t.false(isReplay(second))
  t.deepEqual(third.body, { run: 2 })
  t.true(isReplay(third))
})

test('A payment takes its key from the header, the body or both', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const first = await ask(toy.url, '/api/sdk/payments', pay({ amount: '1.5', idempotencyKey: 'k' }))
  t.deepEqual(first.body, { micros: 1_500_000, run: 1, idempotencyKey: 'k' })
  const requests = [pay({ amount: '1.5' }, 'k'), pay({ amount: '1.5', idempotencyKey: 'k' }, 'k')]
  for (const request of requests) t.true(isReplay(await ask(toy.url, '/api/sdk/payments', request)))
  const other = await ask(toy.url, '/api/sdk/payments', pay({ amount: '1.50' }, 'k'))
  t.is(other.body.code, 'IDEMPOTENCY_CONFLICT')
})

for (const member of ['l', 1, null, '', 'x'.repeat(256), 'a b']) {
  test(`A payment with the keys k and ${JSON.stringify(member).slice(0, 9)} is refused`, async (t) => {
    const toy = await startToy()
    t.teardown(() => toy.close(0))
    const both = await ask(toy.url, '/api/sdk/payments', pay({ amount: 1, idempotencyKey: member }, 'k'))
    t.is(both.body.code, 'VALIDATION_ERROR')
    t.is(both.body.details?.[0]?.path, 'Idempotency-Key')
    if (member === 'l') return
    const alone = await ask(toy.url, '/api/sdk/payments', pay({ amount: 1, idempotencyKey: member }))
    t.is(alone.body.code, 'VALIDATION_ERROR')
    t.is(alone.body.details?.[0]?.path, 'idempotencyKey')
  })
}

test('A header key is 1 to 255 visible characters, and read only on a POST', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
    const reply = await ask(toy.url, '/api/agents', create(key, { name: 'a' }))
    t.is(reply.status, 400, key)
    t.is(reply.body.code, 'VALIDATION_ERROR')
    t.is((await ask(toy.url, '/api/agents/a1', { ...create(key, { name: 'a' }), method: 'PATCH' })).status, 200)
  }
  t.is((await ask(toy.url, '/api/agents', create('~'.repeat(255), { name: 'a' }))).status, 201)
  t.is((await ask(toy.url, '/api/agents/import', create('', { text: '' }))).body.code, 'INVALID_INPUT')
})

test('A key expires after 7 days, that of a payment never', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const run = async () => {
    const agent = await ask(toy.url, '/api/agents', create('k', { name: 'a' }))
    const payment = await ask(toy.url, '/api/sdk/payments', pay({ amount: 1 }, 'k'))
    return [agent, payment].map(isReplay)
  }
  t.deepEqual(await run(), [false, false])
  toy.ports.clock += WEEK_MS - 1
  t.deepEqual(await run(), [true, true])
  toy.ports.clock += 1
  t.deepEqual(await run(), [false, true])
})

/** Sends the same request `count` times to a route that waits; `open` lets all of them continue. */
async function heldRequests(t: ExecutionContext, count: number, ends: Toy['ends']) {
  t.timeout(20_000)
  let arrived = 0
  const arrival = signal()
  let isRevoked = false
  const authenticate = (bearer: string) => {
    if ((arrived += 1) === count) arrival.give()
    return isRevoked ? undefined : principalOf(bearer)
  }
  const toy = await startToy({ authenticate })
  t.teardown(() => toy.close(0))
  const gate = signal()
  Object.assign(toy, { ends, gate: gate.given })
  const request = { method: 'POST', key: AGENT, headers: { 'idempotency-key': 'k' } }
  const asked = Array.from({ length: count }, () => ask(toy.url, '/api/held', request))
  await arrival.given
  // Once this is answered, all of them have gone as far as they can.
  await ask(toy.url, '/healthz')
  return { toy, asked, open: gate.give, revoke: () => (isRevoked = true) }
}

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

test('Of 50 simultaneous requests with one key one is carried out', async (t) => {
  const { toy, asked, open } = await heldRequests(t, 50, [])
  open()
  const all = await Promise.all(asked)
  t.is(toy.runs, 1)
  t.is(all.filter(isReplay).length, 49)
  t.deepEqual(new Set(all.map(({ status, body }) => `${status} ${String(body.run)}`)), new Set(['200 1']))
})

for (const [end, status] of [
  ['refused', 400],
  ['thrown', 500],
] as const) {
  test(`If the first of simultaneous requests is ${end}, the next is carried out and replayed`, async (t) => {
    const { toy, asked, open } = await heldRequests(t, 10, [end])
    open()
    const all = await Promise.all(asked)
    t.is(toy.runs, 2)
    t.deepEqual(all.map((reply) => reply.status).sort(), [...Array<number>(9).fill(200), status])
    t.is(all.filter(isReplay).length, 8)
  })
}

test('A request that waited for another with its key is refused if the key of its caller was revoked', async (t) => {
  const { toy, asked, open, revoke } = await heldRequests(t, 2, ['refused'])
  revoke()
  open()
  const all = await Promise.all(asked)
  t.deepEqual(all.map(({ status }) => status).sort(), [400, 401])
  t.is(toy.runs, 1)
})

test('Requests with different keys do not wait for each other', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const gate = signal()
  toy.gate = gate.given
  const held = ask(toy.url, '/api/held', { method: 'POST', key: AGENT, headers: { 'idempotency-key': 'k' } })
  t.is((await ask(toy.url, '/api/agents', create('k', { name: 'a' }))).status, 201)
  gate.give()
  t.is((await held).status, 400)
})
