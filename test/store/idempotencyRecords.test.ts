// Idempotency records in the store: expired ones are removed, the oldest first and a limited number at a time; others
// stay.
import { randomBytes } from 'node:crypto'
import { charts } from '../../machines/index.js'
import test, { type ExecutionContext } from 'ava'
import { Store } from '../../src/store/store.js'
import { start } from '../support/service.js'
import { rowsIn } from '../support/integrity.js'
import { newFolder } from '../support/process.js'
import { ask, fundedAgent, made } from '../support/payments.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 86_400_000

function open(t: ExecutionContext, folder: string): Store {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  t.teardown(() => store.close())
  return store
}

const memory = (key: string, expiresAt: number | null) => ({ key, bodyHash: '', status: 201, body: {}, expiresAt })
const keysOf = (store: Store): string[] => rowsIn(store, 'idempotencyRecords').map(([key]) => key)

test('expired records are removed, the oldest first, and at most the given number at a time', async (t) => {
  const store = open(t, newFolder(t))
  for (const [key, at] of [
    ['c', 30],
    ['a', 10],
    ['for ever', null],
    ['b', 20],
  ] as const)
    await store.record(memory(key, at))
  await store.forget(9, 10)
  t.is(keysOf(store).length, 4)
  await store.forget(10, 10)
  t.deepEqual(keysOf(store), ['b', 'c', 'for ever'])
  await store.forget(1000, 1)
  t.deepEqual(keysOf(store), ['c', 'for ever'])
  await store.forget(1000, 10)
  t.deepEqual(keysOf(store), ['for ever'])
  t.is(store.expiries.countKeys({}), 0)
})

test('a key that was used again keeps its new record', async (t) => {
  const store = open(t, newFolder(t))
  await store.record(memory('a', 10))
  await store.record(memory('a', 50))
  await store.forget(20, 10)
  t.is(store.idempotencyRecord('a')?.expiresAt, 50)
  t.is(store.expiries.countKeys({}), 1)
  await store.forget(50, 10)
  t.deepEqual(keysOf(store), [])
})

test('the service removes records after seven days, except those of payments', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client)
  const wallet = { name: 'Kept', custodyType: 'MANAGED' }
  const key = { 'Idempotency-Key': 'week' }
  await service.client.post(
    '/api/wallets',
    (await made<{ key: string }>(service.client, '/api/api-keys', ADMIN)).key,
    wallet,
    key,
  )
  const { body: paid } = await ask(service.client, agent.key, 5, { idempotencyKey: 'payment' })
  service.setClock(NOON + 8 * DAY_MS)
  await service.restart()
  await service.stop()
  const store = open(t, service.folder)
  t.deepEqual([keysOf(store), store.expiries.countKeys({})], [[], 0])
  t.is(store.idempotencyRecord(`payment/${paid.requestId}`)?.key, `payment/${paid.requestId}`)
})

const ADMIN = { name: 'Admin', scopePreset: 'ADMIN' }
