// Idempotency keys, over real HTTP: what is answered again, what is a conflict, and that simultaneous requests of one
// key are carried out once.
import test from 'ava'
import { ask, type Reply, type Request } from './ask.js'
import { AGENT, OPERATOR, ORGANIZATION, READER, startToy } from './toy.js'

const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const WEEK_MS = 7 * 24 * 3600 * 1000

const create = (key: string, body: unknown, more: Partial<Request> = {}): Request => ({
  method: 'POST', key: ORGANIZATION, body, headers: { 'idempotency-key': key }, ...more,
})
const pay = (body: { [member: string]: unknown }, key?: string): Request => ({
  method: 'POST', key: AGENT, body: { recipientAddress: ADDRESS, ...body },
  ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
})
const isReplay = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true'

test('The same key with the same body gives the first answer again, without its secrets', async (t) => {
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

test('The same key with another body is a conflict, before the meaning of that body is looked at', async (t) => {
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

test('Bodies without a canonical form are refused for what they are, key or not', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  for (const body of ['{"name":"\\ud800"}', '{"name":"a","context":{"a":1e400}}', '{"name":"a","__proto__":{}}']) {
    const reply = await ask(toy.url, '/api/agents', create('k', body))
    t.is(reply.body.code, 'VALIDATION_ERROR')
  }
})

test('A key belongs to a principal and a path with its parameters', async (t) => {
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

test('The query does not tell keys apart, no body equals an empty one', async (t) => {
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

test('A header key is 1 to 255 visible characters, and looked at only on a POST', async (t) => {
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

test('A key is forgotten after 7 days, a payment\'s never', async (t) => {
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

test('Of 50 simultaneous requests of one key one is carried out', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const request = () => ask(toy.url, '/api/agents', create('k', { name: 'a' }))
  const all = await Promise.all(Array.from({ length: 50 }, request))
  t.is(toy.runs, 1)
  t.is(all.filter(isReplay).length, 49)
  t.deepEqual(new Set(all.map(({ status, body }) => `${status} ${String(body.run)}`)), new Set(['201 1']))
})

test('Where the first of simultaneous requests fails, the next is carried out and the others replay it', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  let open = () => {}
  toy.gate = new Promise((resolve) => { open = resolve })
  const held = () => ask(toy.url, '/api/held', { method: 'POST', key: AGENT, headers: { 'idempotency-key': 'k' } })
  const asked = Array.from({ length: 10 }, held)
  open()
  const all = await Promise.all(asked)
  t.is(toy.runs, 2)
  t.deepEqual(all.map(({ status }) => status).sort(), [...Array<number>(9).fill(200), 400])
  t.is(all.filter(isReplay).length, 8)
})

test('A bug in the first of simultaneous requests does not take the others with it', async (t) => {
  let lookUps = 0
  const find = async () => {
    if ((lookUps += 1) === 1) throw new Error('once')
    return undefined
  }
  const toy = await startToy({ memories: { find } })
  t.teardown(() => toy.close(0))
  const all = await Promise.all([1, 2, 3].map(() => ask(toy.url, '/api/agents', create('k', { name: 'a' }))))
  t.deepEqual(all.map(({ status }) => status).sort(), [201, 201, 500])
})

test('Requests with different keys do not wait for each other', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  let open = () => {}
  toy.gate = new Promise((resolve) => { open = resolve })
  const held = ask(toy.url, '/api/held', { method: 'POST', key: AGENT, headers: { 'idempotency-key': 'k' } })
  t.is((await ask(toy.url, '/api/agents', create('k', { name: 'a' }))).status, 201)
  open()
  t.is((await held).status, 400)
})
