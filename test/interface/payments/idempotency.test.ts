// The same request sent again: one payment, the first answer.
import test from 'ava'
import { start } from '../../support/service.js'
import type { Answer, Client, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import {
  ask,
  balanceOf,
  delegationOf,
  execute,
  fundedAgent,
  made,
  RECIPIENT,
  type Agent,
  type Key,
} from '../../support/payments.js'

const scope = wholeFile(test)
let client: Client

test.before('the service starts', async () => {
  ;({ client } = await start(scope))
})

let agents = 0
const buyer = (options: object = {}) => fundedAgent(client, { ...options, name: `Buyer ${(agents += 1)}` })

const REQUEST = '/api/sdk/payments/request'
const body = (amount: unknown, more: object = {}) => ({ amount, recipientAddress: RECIPIENT, ...more })
const header = (key: string) => ({ 'Idempotency-Key': key })
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const isReplay = ({ headers }: Answer<unknown>) => headers['idempotency-replayed'] === 'true'

test('repeating a request with the same key in the header replays the first answer', async (t) => {
  const agent = await buyer()
  const first = await client.post(REQUEST, agent.key, body(5), header('order-1'))
  t.is(first.status, 200)
  t.false(isReplay(first))
  const again = await client.post(REQUEST, agent.key, { recipientAddress: RECIPIENT, amount: 5 }, header('order-1'))
  t.true(isReplay(again))
  t.deepEqual(again.body, first.body)
  t.is((await delegationOf(client, agent)).reserved, 5)
})

test('a key in the body means the same as one in the header', async (t) => {
  const agent = await buyer()
  const first = await client.post(REQUEST, agent.key, body(5, { idempotencyKey: 'order-2' }))
  for (const [sent, headers] of [
    [body(5, { idempotencyKey: 'order-2' }), {}],
    [body(5), header('order-2')],
    [body(5, { idempotencyKey: 'order-2' }), header('order-2')],
  ] as const) {
    const again = await client.post(REQUEST, agent.key, sent, headers)
    t.true(isReplay(again))
    t.deepEqual(again.body, first.body)
  }
  t.is((await delegationOf(client, agent)).reserved, 5)
})

test('a key with a different body is a conflict', async (t) => {
  const agent = await buyer()
  await client.post(REQUEST, agent.key, body(5), header('order-3'))
  for (const other of [body(6), body(5, { purpose: 'Maps' }), body('5'), {}, { amount: 'nonsense' }]) {
    const answer = await client.post(REQUEST, agent.key, other, header('order-3'))
    t.deepEqual(failureOf(answer), { status: 409, code: 'IDEMPOTENCY_CONFLICT' })
  }
  t.is((await delegationOf(client, agent)).reserved, 5)
})

test('different keys in header and body are refused', async (t) => {
  const agent = await buyer()
  const answer = await client.post(REQUEST, agent.key, body(5, { idempotencyKey: 'a' }), header('b'))
  t.deepEqual(failureOf(answer), { status: 400, code: 'VALIDATION_ERROR' })
  t.is((await delegationOf(client, agent)).reserved, 0)
})

test('a replay gives the original decision, whatever became of the payment', async (t) => {
  const agent = await buyer()
  const first = await ask(client, agent.key, 5, { idempotencyKey: 'order-4' })
  await execute(client, agent.key, first.body.requestId)
  const again = await ask(client, agent.key, 5, { idempotencyKey: 'order-4' })
  t.deepEqual(again.body, first.body)
})

test('repeating an execution with its key replays its success', async (t) => {
  const agent = await buyer({ balance: 100 })
  const { requestId } = (await ask(client, agent.key, 5)).body
  const path = `/api/sdk/payments/${requestId}/execute`
  const first = await client.post(path, agent.key, undefined, header('run'))
  const again = await client.post(path, agent.key, undefined, header('run'))
  t.is(again.status, 200)
  t.true(isReplay(again))
  t.deepEqual(again.body, first.body)
  t.is(await balanceOf(client, agent), 95)
})

test('errors are not stored for replay', async (t) => {
  const agent = await buyer({ balance: 0 })
  const bad = await client.post(REQUEST, agent.key, body(-5), header('order-5'))
  t.deepEqual(failureOf(bad), { status: 400, code: 'INVALID_AMOUNT' })
  const good = await client.post(REQUEST, agent.key, body(5), header('order-5'))
  t.is(good.status, 200)
  t.false(isReplay(good))
})

test('a denial is replayed, even if the same request would be approved now', async (t) => {
  const agent = await buyer({ balance: 0 })
  const denied = await ask(client, agent.key, 5, { idempotencyKey: 'order-6' })
  t.is(denied.body.status, 'DENIED')
  await made(client, `/api/wallets/${agent.walletId}/fund`, { amount: 5 })
  t.deepEqual((await ask(client, agent.key, 5, { idempotencyKey: 'order-6' })).body, denied.body)
  t.is((await ask(client, agent.key, 5, { idempotencyKey: 'order-7' })).body.status, 'APPROVED')
})

test('each agent has its own idempotency keys', async (t) => {
  const [one, other] = [await buyer(), await buyer()]
  const first = await ask(client, one.key, 5, { idempotencyKey: 'shared' })
  const second = await ask(client, other.key, 6, { idempotencyKey: 'shared' })
  t.is(second.body.amount, 6)
  t.not(second.body.requestId, first.body.requestId)
})

test('another API key of the agent never gets the first answer for a different body', async (t) => {
  const agent = await buyer()
  const { key } = await made<Key>(client, `/api/agents/${agent.agentId}/sdk-keys`, { name: 'Second key' })
  await ask(client, agent.key, 5, { idempotencyKey: 'both' })
  const answer = await ask(client, key, 6, { idempotencyKey: 'both' })
  t.true(answer.status === 409 || answer.body.amount === 6, JSON.stringify(answer.body))
})

test('creating an agent twice with one key makes one agent', async (t) => {
  const create = () =>
    client.post<Agent>('/api/agents', ORGANIZATION_KEY, { name: 'Once', agentType: 'CUSTOM' }, header('agent-1'))
  const first = await create()
  const again = await create()
  t.is(again.status, 201)
  t.true(isReplay(again))
  t.deepEqual(again.body, first.body)
})

test('sending a funding twice with one key books it once', async (t) => {
  const agent = await buyer({ balance: 0 })
  const path = `/api/wallets/${agent.walletId}/fund`
  for (const _ of [1, 2]) await client.post(path, ORGANIZATION_KEY, { amount: 7 }, header('funding'))
  t.is(await balanceOf(client, agent), 7)
})

test('a replay never shows the secret of an API key', async (t) => {
  const agent = await buyer()
  const path = `/api/agents/${agent.agentId}/sdk-keys`
  const first = await client.post<Key>(path, ORGANIZATION_KEY, { name: 'Secret' }, header('key-1'))
  const again = await client.post<Key>(path, ORGANIZATION_KEY, { name: 'Secret' }, header('key-1'))
  t.is(first.status, 201)
  t.true(isReplay(again))
  const { key: _secret, ...shown } = first.body
  t.deepEqual(again.body, shown as Key)
})
