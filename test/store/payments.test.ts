// Payments in the store: one row each, in the order in which they were made.
import { randomBytes } from 'node:crypto'
import { charts } from '../../machines/index.js'
import test from 'ava'
import { isOf } from '../../src/actor/actor.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import type { IdempotencyRecord } from '../../src/domain/outcomes/idempotencyRecord.js'
import { orderOf } from '../../src/domain/values/ids.js'
import { Store } from '../../src/store/store.js'
import { inspect, rowsIn } from '../support/integrity.js'
import { ask, execute, fundedAgent, RECIPIENT, type Decision } from '../support/payments.js'
import { newFolder } from '../support/process.js'
import { start, type Started } from '../support/service.js'

test('payments lie in one row each, in the order of creation, whatever their ids', async (t) => {
  const service = await start(t)
  const agent = await fundedAgent(service.client)
  const asked: Decision[] = []
  for (const key of ['one', 'two', undefined, 'three', 'four']) {
    const { body } = await ask(service.client, agent.key, 1, key === undefined ? {} : { idempotencyKey: key })
    asked.push(body)
  }
  await execute(service.client, agent.key, asked[0]!.requestId)
  await service.stop()
  const store = opened(service.folder)
  const keys = rowsIn(store, 'payments').map(([key]) => key)
  const places = rowsIn(store, 'places').map(([id]) => id)
  const payments = [...store.everyActor()].filter((actor) => isOf('payment', actor))
  await store.close()
  const ids = asked.map(({ requestId }) => requestId)
  t.deepEqual(
    keys.map((key) => key.slice(key.indexOf('/') + 1)),
    ids,
  )
  t.deepEqual(places.toSorted(), ids.toSpliced(2, 1).toSorted(), 'an id that begins with its order needs no place')
  for (const { context } of payments) t.is(orderOf(context.transactionId.slice('tx_'.length)), context.order)
  t.deepEqual((await inspect(service.folder)).problems, [])
})

test('the record of a request is kept with its payment, also when that changes', async (t) => {
  const service = await start(t)
  const address = `0x${'a1'.repeat(20)}`
  const agent = await fundedAgent(service.client, { wallet: { custodyType: 'EXTERNAL', address } })
  const body = { amount: 1, recipientAddress: RECIPIENT, senderAddress: address, chainId: '84532', idempotencyKey: 'k' }
  const permit = await service.client.post<Decision>('/api/sdk/payments/approve', agent.key, body)
  t.is(permit.status, 200)
  const ref = `payment/${permit.body.requestId}` as const
  const record = await recordIn(service, ref)
  t.is(record?.status, 200)
  await service.restart()
  await service.client.post(`/api/sdk/payments/${permit.body.requestId}/cancel`, agent.key)
  t.deepEqual(await recordIn(service, ref), record)
})

test('a record that no payment of its own commit has is kept by itself', async (t) => {
  const store = opened(newFolder(t))
  t.teardown(() => store.close())
  const memory = { key: `payment/c${'0'.repeat(24)}`, bodyHash: '', status: 200, body: {}, expiresAt: null }
  await store.record(memory)
  t.deepEqual(store.idempotencyRecord(memory.key), memory)
})

function opened(folder: string): Store {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  return store
}

async function recordIn(service: Started, ref: Ref): Promise<IdempotencyRecord | undefined> {
  await service.stop()
  const store = opened(service.folder)
  const record = store.idempotencyRecord(ref)
  await store.close()
  return record
}
