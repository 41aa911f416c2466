// Deliveries survive the process: those that were pending when it was killed arrive after the next start, with the same
// id.
import test, { type ExecutionContext } from 'ava'
import { newClient, type Client } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { startReceiver, type Received } from '../../support/receiver.js'
import type { QueuedDelivery } from '../../../sdk/api.js'

const PAYMENTS = 500
const DELIVERIES = 2 * PAYMENTS
const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '200,400' }

const idsOf = (received: Received[]): Set<string> => new Set(received.map(({ body }) => body.deliveryId))

async function logged(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const path: string = `/api/webhooks/deliveries?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { body } = await client.get<{ deliveries: { id: string }[]; pagination: { nextCursor?: string } }>(
      path,
      ORGANIZATION_KEY,
    )
    ids.push(...body.deliveries.map(({ id }) => id))
    cursor = body.pagination.nextCursor
  }
  return ids
}

/** Starts a service, requests payments that make 1,000 deliveries, and kills it. */
async function payments(t: ExecutionContext, folder: string, url: string): Promise<Set<string>> {
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  const agent = await fundedAgent(client)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url })
  const asked = Array.from({ length: PAYMENTS }, () => ask(client, agent.key, 1))
  const ids = (await Promise.all(asked)).map(({ body }) => body.requestId)
  await service.kill()
  return new Set(ids)
}

test(`kill -9 with ${DELIVERIES} deliveries pending loses none of them`, async (t) => {
  t.timeout(120_000)
  // The receiver does not answer: whatever is sent before the kill is in flight when it comes.
  const receiver = await startReceiver(t, () => {})
  const folder = newFolder(t)
  const asked = await payments(t, folder, receiver.url)
  const before = [...receiver.received]
  receiver.answer = (_, response) => void response.writeHead(204).end()
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  const all = await logged(client)
  t.is(new Set(all).size, DELIVERIES)
  const received = await receiver.until((some) => idsOf(some).size === DELIVERIES)
  t.deepEqual([...idsOf(received)].sort(), all.toSorted())
  for (const one of before) {
    const copies = received.filter(({ body }) => body.deliveryId === one.body.deliveryId)
    t.true(copies.length > 1)
    for (const copy of copies) t.true(copy.raw.equals(one.raw))
  }
  for (const event of ['payment.requested', 'payment.approved']) {
    const ids = received.filter(({ body }) => body.event === event).map(({ body }) => String(body.data['paymentId']))
    t.deepEqual([...new Set(ids)].sort(), [...asked].sort(), event)
  }
  t.log(`${received.length} sent for ${DELIVERIES}, ${before.length} of them before the kill`)
  t.deepEqual(await service.stop(), { code: 0, signal: null })
})

test('a delivery attempted before a kill -9 continues with its next attempt, under the same id', async (t) => {
  const receiver = await startReceiver(t, (_, response) => void response.writeHead(503).end())
  const folder = newFolder(t)
  // The second attempt is a minute away for the first service, and due at once for the next.
  const first = await startService(t, folder, { env: { ...ENV, BURSAR_WEBHOOK_RETRY_MS: '60000,60000' } })
  const client = newClient(t, first.url)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const { deliveryId } = (await client.post<QueuedDelivery>('/api/webhooks/test', ORGANIZATION_KEY)).body
  const path = '/api/webhooks/deliveries?status=PENDING'
  const tried = async (): Promise<number> => {
    const { body } = await client.get<{ deliveries: { attempts: [] }[] }>(path, ORGANIZATION_KEY)
    return body.deliveries[0]!.attempts.length
  }
  while ((await tried()) === 0);
  await first.kill()
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await startService(t, folder, { env: { ...ENV, NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: '61000' } })
  const [one, two] = await receiver.until((all) => all.length === 2)
  t.deepEqual(
    [one, two].map((each) => each!.headers['x-service-delivery-attempt']),
    ['1', '2'],
  )
  t.is(two!.body.deliveryId, deliveryId)
  t.true(two!.raw.equals(one!.raw))
})

test('after a stop, delivered events are not sent again, and pending ones are', async (t) => {
  const receiver = await startReceiver(t)
  const folder = newFolder(t)
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const queue = async (): Promise<string> =>
    (await client.post<QueuedDelivery>('/api/webhooks/test', ORGANIZATION_KEY)).body.deliveryId
  const arrived = await queue()
  const path = '/api/webhooks/deliveries?status=DELIVERED'
  while ((await client.get<{ deliveries: [] }>(path, ORGANIZATION_KEY)).body.deliveries.length === 0);
  receiver.answer = () => {}
  const pending = await queue()
  await receiver.until((all) => all.length === 2)
  t.deepEqual(await service.stop(), { code: 0, signal: null })
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await startService(t, folder, { env: ENV })
  const all = await receiver.until((some) => some.length === 3)
  t.deepEqual(
    all.map(({ body }) => body.deliveryId),
    [arrived, pending, pending],
  )
  t.is(all[2]!.headers['x-service-delivery-attempt'], '1')
})
