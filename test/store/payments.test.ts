// What is kept of payments: the three records of each lie side by side, in the order in which payments were made.
import test from 'ava'
import { fieldsOf, type Actor } from '../../src/actor/actor.js'
import { orderOf } from '../../src/domain/values/ids.js'
import type { IdempotencyRecord } from '../../src/domain/outcomes/idempotencyRecord.js'
import { Store } from '../../src/store/store.js'
import { start } from '../support/service.js'
import { inspect, partsOf, rowsIn } from '../support/integrity.js'
import { newFolder } from '../support/process.js'
import { ask, fundedAgent, RECIPIENT, type Decision } from '../support/payments.js'

const transactionOf = (actor: Actor): string => String(fieldsOf(actor)['transactionId']).slice('tx_'.length)

test('the records of a payment lie side by side, in the order of creation, whatever its id', async (t) => {
  const service = await start(t)
  const agent = await fundedAgent(service.client)
  const asked: Decision[] = []
  for (const key of ['one', 'two', undefined, 'three', 'four']) {
    const { body } = await ask(service.client, agent.key, 1, key === undefined ? {} : { idempotencyKey: key })
    asked.push(body)
  }
  await service.client.post(`/api/sdk/payments/${asked[0]!.requestId}/execute`, agent.key)
  await service.stop()
  const store = new Store(() => '')
  store.open(service.folder)
  const rows = rowsIn(store, 'payments')
  await store.close()
  const parts = (id: string, kept: string[]): string[] => kept.map((part) => `${id}/${part}`)
  t.deepEqual(
    rows.map(([key]) => key.slice(key.indexOf('/') + 1)),
    asked.flatMap(({ requestId }, at) => parts(requestId, at === 2 ? ['actor'] : ['actor', 'record'])),
  )
  const keyless = rows.find(([key]) => key.endsWith(`${asked[2]!.requestId}/actor`))![1] as Actor
  t.is(orderOf(asked[2]!.requestId), Number(keyless.context['order']))
  const orders = rows.filter(([key]) => key.endsWith('/actor')).map(([, actor]) => (actor as Actor).context['order'])
  const transactions = rows.filter(([key]) => key.endsWith('/actor')).map(([, actor]) => transactionOf(actor as Actor))
  t.deepEqual(transactions.map(orderOf), orders)
  t.deepEqual((await inspect(service.folder)).problems, [])
})

test('the record of a permit is kept with its payment', async (t) => {
  const service = await start(t)
  const address = `0x${'a1'.repeat(20)}`
  const agent = await fundedAgent(service.client, { wallet: { custodyType: 'EXTERNAL', address } })
  const body = { amount: 1, recipientAddress: RECIPIENT, senderAddress: address, chainId: '84532', idempotencyKey: 'k' }
  const permit = await service.client.post<Decision>('/api/sdk/payments/approve', agent.key, body)
  t.is(permit.status, 200)
  await service.stop()
  const store = new Store(() => '')
  store.open(service.folder)
  const [record] = partsOf<IdempotencyRecord>(store, 'record')
  await store.close()
  t.is(record![0], permit.body.requestId)
})

test('the record of a request that made no payment of its own is kept by itself', async (t) => {
  const store = new Store(() => '')
  store.open(newFolder(t))
  t.teardown(() => store.close())
  const memory = { key: `payment/c${'0'.repeat(24)}`, bodyHash: '', status: 200, body: {}, expiresAt: null }
  await store.record(memory)
  t.deepEqual(store.idempotencyRecord(memory.key), memory)
  t.deepEqual(partsOf(store, 'record'), [])
})
