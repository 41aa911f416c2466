// Deliveries that nobody receives: one alert for each endpoint or channel and day, on disk with the outcome.
import test from 'ava'
import type { Alert, AlertList, Delivery, DeliveryList, QueuedDelivery } from '../../../sdk/api.js'
import { fundedAgent, made } from '../../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { startReceiver, type Answering } from '../../support/receiver.js'
import { start, type Started } from '../../support/service.js'

const scope = wholeFile(test)
const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 24 * 3_600_000
const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '10,10' }
let service: Started

test.before(async () => {
  service = await start(scope, { at: NOON, env: ENV })
})

const failing =
  (statusCode: number): Answering =>
  (_, response) =>
    void response.writeHead(statusCode).end()

const put = (url: string) => service.client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url })
const remove = () => service.client.send('DELETE', '/api/webhooks', ORGANIZATION_KEY)

async function read<Body>(path: string): Promise<Body> {
  const { status, body } = await service.client.get<Body>(path, ORGANIZATION_KEY)
  if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  return body
}

const failures = async (): Promise<Alert[]> => (await read<AlertList>('/api/alerts?type=DELIVERY_FAILING')).alerts

/** Sends a test event, and resolves with its delivery once it has ended. */
async function tested(): Promise<Delivery> {
  const { deliveryId } = await made<QueuedDelivery>(service.client, '/api/webhooks/test', {})
  for (;;) {
    const { deliveries } = await read<DeliveryList>('/api/webhooks/deliveries')
    const sent = deliveries.find(({ id }) => id === deliveryId)
    if (sent !== undefined && sent.status !== 'PENDING') return sent
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test.serial(
  'a delivery that a retry brings raises nothing, one that fails does, once a day and endpoint',
  async (t) => {
    let answers = 0
    const receiver = await startReceiver(scope, (received, response) => {
      failing((answers += 1) === 3 ? 204 : 500)(received, response)
    })
    await put(`${receiver.url}/events?token=hidden`)
    t.is((await tested()).status, 'DELIVERED')
    t.deepEqual(await failures(), [])
    t.is((await tested()).status, 'FAILED')
    const [alert, ...others] = await failures()
    t.deepEqual(others, [])
    t.like(alert, { severity: 'WARNING', status: 'ACTIVE', count: 1 })
    t.false('agentId' in alert!)
    t.regex(alert!.message, /\/events\?token=REDACTED: it was answered with 500/)
    t.is((await tested()).status, 'FAILED')
    t.is((await failures())[0]!.count, 2)
    service.setClock(NOON + DAY_MS)
    await tested()
    t.deepEqual(
      (await failures()).map(({ count }) => count),
      [1, 2],
    )
  },
)

test.serial('an alert and the outcome that raised it survive a restart together', async (t) => {
  const before = await failures()
  await service.restart()
  t.deepEqual(await failures(), before)
  const { deliveries } = await read<DeliveryList>('/api/webhooks/deliveries?status=FAILED')
  t.is(
    deliveries.length,
    before.reduce((sum, { count }) => sum + count, 0),
  )
  await remove()
})

test.serial("an agent's callback and a channel have alerts of their own", async (t) => {
  const [ofEndpoint, ...former] = await failures()
  const known = former.length + 1
  const receiver = await startReceiver(scope, failing(400))
  await put(`${receiver.url}/own`)
  const { agentId } = await fundedAgent(service.client)
  const callback = { callbackUrl: `${receiver.url}/callback` }
  await service.client.send('PATCH', `/api/agents/${agentId}`, ORGANIZATION_KEY, callback)
  const events = ['alert.raised']
  const channel = { name: 'Pager', type: 'WEBHOOK', events, config: { url: `${receiver.url}/channel` } }
  await made(service.client, '/api/channels', channel)
  await service.client.send('POST', `/api/agents/${agentId}/freeze`, ORGANIZATION_KEY, { reason: 'Lost laptop' })
  const raised = async (): Promise<Alert[]> => (await failures()).slice(0, -known)
  const isCounted = async (): Promise<boolean> => {
    const all = await failures()
    return all.length - known >= 2 && all.some(({ id, count }) => id === ofEndpoint!.id && count > ofEndpoint!.count)
  }
  while (!(await isCounted())) await new Promise((resolve) => setTimeout(resolve, 10))
  const alerts = await raised()
  t.is(alerts.length, 2)
  t.is(alerts.filter((one) => one.agentId === agentId).length, 1)
  t.is(alerts.filter(({ message }) => message.includes('the channel Pager')).length, 1)
  await remove()
})
