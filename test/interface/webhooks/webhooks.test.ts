// The event endpoint, its secret and the delivery log over HTTP, with deliveries to a receiver on this machine.
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import * as v from 'valibot'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { Failure } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, execute, fundedAgent, made, RECIPIENT, type Agent } from '../../support/payments.js'
import { bodySchema, type EventName } from '../../../src/webhooks/events.js'
import { startReceiver, type Received, type Receiver } from '../../support/receiver.js'
import type { AuditEntryList, ChangedAgent, Delivery, DeliveryList, QueuedDelivery, Webhook } from '../../../sdk/api.js'

const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '50,100' }
const DAY_MS = 86_400_000

const begin = (t: ExecutionContext): Promise<Started> => start(t, { env: ENV })
const send = <Body>({ client }: Started, method: string, path: string, body?: unknown, key = ORGANIZATION_KEY) =>
  client.send<Body>(method, path, key, body)
const setUrl = async (service: Started, url: string): Promise<Webhook> =>
  (await send<Webhook>(service, 'PUT', '/api/webhooks', { url })).body
const log = async (service: Started, query = ''): Promise<Delivery[]> =>
  (await send<DeliveryList>(service, 'GET', `/api/webhooks/deliveries${query}`)).body.deliveries
const queue = async (service: Started): Promise<string> =>
  (await send<QueuedDelivery>(service, 'POST', '/api/webhooks/test')).body.deliveryId
const has = (id: string) => (all: Received[]) => all.some(({ body }) => body.deliveryId === id)

/** Reads the log until the delivery has ended. */
async function ended(service: Started, id: string): Promise<Delivery> {
  for (;;) {
    const found = (await log(service)).find((one) => one.id === id)
    if (found && found.status !== 'PENDING') return found
  }
}

/** Which signatures of the raw bytes verify, computed with node:crypto alone. */
function verified(
  { raw, headers }: Received,
  secret: string,
): { own: boolean; previous: boolean; standard: boolean[] } {
  const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(raw).digest('hex')
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), raw])
  const standard = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')
  const listed = String(headers['webhook-signature']).split(' ')
  return {
    own: headers['x-service-signature'] === hex,
    previous: headers['x-service-signature-previous'] === hex,
    standard: listed.map((one) => one === `v1,${standard}`),
  }
}

test('the secret is shown once, and its signatures verify, with non-ASCII text, too', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const first = await setUrl(service, `${receiver.url}/in?token=hidden`)
  t.like(first, { url: `${receiver.url}/in?token=REDACTED`, webhookConfigured: true })
  t.regex(first.webhookSecret!, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.false('webhookSecret' in (await setUrl(service, `${receiver.url}/in?token=hidden`)))
  const shown = (await send<Webhook>(service, 'GET', '/api/webhooks')).body
  t.deepEqual(shown, {
    url: `${receiver.url}/in?token=REDACTED`,
    webhookConfigured: true,
    previousSecretExpiresAt: null,
  })
  t.like((await send(service, 'GET', '/api/organization')).body as object, {
    webhookUrl: `${receiver.url}/in?token=REDACTED`,
    webhookConfigured: true,
  })
  await made(service.client, '/api/policies', { name: 'Größe 世界 🚀', policyType: 'SPEND_LIMIT' })
  const [received] = await receiver.until((all) => all.length > 0)
  t.is(received!.url, '/in?token=hidden')
  t.deepEqual(verified(received!, first.webhookSecret!), { own: true, previous: false, standard: [true] })
  t.like(received!.body, { event: 'policy.created' })
  t.is(received!.body.data['name'], 'Größe 世界 🚀')
  const { headers, body } = received!
  t.deepEqual(
    [
      headers['x-service-delivery-id'],
      headers['webhook-id'],
      headers['x-service-event'],
      headers['x-service-timestamp'],
    ],
    [body.deliveryId, body.deliveryId, body.event, body.timestamp],
  )
  t.is(headers['x-service-delivery-attempt'], '1')
})

test('the URL as it is shown stands for the one that is set, and no other may hold REDACTED', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const { url } = await setUrl(service, `${receiver.url}/in?token=hidden`)
  await setUrl(service, url!)
  const refused = await send(service, 'PUT', '/api/webhooks', { url: `${receiver.url}/other?token=REDACTED` })
  t.like(refused, { status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: 'url' }] } })
  await made(service.client, '/api/policies', { name: 'P', policyType: 'SPEND_LIMIT' })
  const [received] = await receiver.until((all) => all.length > 0)
  t.is(received!.url, '/in?token=hidden')
})

test("an agent's callback URL that is sent back as it is shown stays as it is", async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const { id } = await made<{ id: string }>(service.client, '/api/agents', { name: 'Called', agentType: 'CUSTOM' })
  const patch = async (body: object) =>
    (await service.client.send<ChangedAgent>('PATCH', `/api/agents/${id}`, ORGANIZATION_KEY, body)).body
  const { callbackUrl } = await patch({ callbackUrl: `${receiver.url}/in?token=hidden` })
  t.is(callbackUrl, `${receiver.url}/in?token=REDACTED`)
  t.like(await patch({ callbackUrl, status: 'PAUSED' }), { callbackUrl, status: 'PAUSED' })
  const [received] = await receiver.until((all) => all.length > 0)
  t.is(received!.url, '/in?token=hidden')
})

test('after a rotation both secrets sign for a day, then only the new one', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const { webhookSecret: old } = await setUrl(service, receiver.url)
  const { webhookSecret: fresh } = (await send<Webhook>(service, 'POST', '/api/webhooks/rotate-secret')).body
  t.not(fresh, old)
  const [both] = await receiver.until(has(await queue(service)))
  t.deepEqual(verified(both!, fresh!), { own: true, previous: false, standard: [true, false] })
  t.deepEqual(verified(both!, old!), { own: false, previous: true, standard: [false, true] })
  const until = Date.parse((await send<Webhook>(service, 'GET', '/api/webhooks')).body.previousSecretExpiresAt!)
  t.true(Math.abs(until - service.now() - DAY_MS) < 60_000)
  service.setClock(until + 1)
  t.like((await send<Webhook>(service, 'GET', '/api/webhooks')).body, { previousSecretExpiresAt: null })
  const alone = (await receiver.until(has(await queue(service)))).at(-1)!
  t.deepEqual(verified(alone, fresh!), { own: true, previous: false, standard: [true] })
  t.false('x-service-signature-previous' in alone.headers)
})

test('no signing secret is in the data folder as plain text', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const { webhookSecret } = await setUrl(service, `${receiver.url}/in?token=hidden-in-url`)
  const { webhookSecret: second } = (await send<Webhook>(service, 'POST', '/api/webhooks/rotate-secret')).body
  await service.stop()
  const files = readdirSync(service.folder).filter((name) => name.endsWith('.mdb') || name.endsWith('.secret'))
  for (const secret of [webhookSecret!, second!]) {
    for (const name of files) t.false(readFileSync(join(service.folder, name)).includes(secret.slice(6)), name)
  }
})

test('without an endpoint, test and rotate-secret are refused and nothing is delivered', async (t) => {
  const service = await begin(t)
  const nothing = { url: null, webhookConfigured: false, previousSecretExpiresAt: null }
  t.deepEqual((await send(service, 'GET', '/api/webhooks')).body as object, nothing)
  for (const path of ['/api/webhooks/test', '/api/webhooks/rotate-secret']) {
    const { status, body } = await send<Failure>(service, 'POST', path)
    t.deepEqual([status, body.code], [400, 'INVALID_STATUS'], path)
  }
  t.deepEqual((await send(service, 'DELETE', '/api/webhooks')).body as object, { success: true })
  await made(service.client, '/api/policies', { name: 'Policy', policyType: 'SPEND_LIMIT' })
  t.deepEqual(await log(service), [])
})

test('a removed endpoint gets no more attempts, and its secret is kept for the next one', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  receiver.answer = (_, response) => response.writeHead(500).end()
  t.truthy((await setUrl(service, receiver.url)).webhookSecret)
  const id = await queue(service)
  await receiver.until((all) => all.length > 0)
  await send(service, 'DELETE', '/api/webhooks')
  const { status, attempts } = await ended(service, id)
  t.is(status, 'FAILED')
  t.is(attempts.at(-1)!.error, 'The endpoint was removed')
  t.false('webhookSecret' in (await setUrl(service, receiver.url)))
})

/** Enough for many more deliveries to be handed ahead. */
const ANSWERED = 40
/** With those that may be under way to an endpoint at a time: more are not sent while the receiver holds its answers. */
const MOST_BEGUN = ANSWERED + 16

/** Answers some deliveries, then holds the rest; returns a function that answers them. */
async function hanging(service: Started, receiver: Receiver): Promise<() => void> {
  const held: ServerResponse[] = []
  receiver.answer = (_, response) =>
    receiver.received.length <= ANSWERED ? response.writeHead(204).end() : void held.push(response)
  await setUrl(service, receiver.url)
  await Promise.all(Array.from({ length: 120 }, () => queue(service)))
  // Each outcome that is stored lets one more be handed ahead.
  while ((await log(service, '?status=DELIVERED&limit=100')).length < ANSWERED);
  return () => {
    receiver.answer = (_, response) => response.writeHead(204).end()
    for (const response of held) response.writeHead(204).end()
  }
}

async function allEnded(service: Started): Promise<Delivery[]> {
  while ((await log(service, '?status=PENDING')).length > 0);
  return log(service, '?limit=100')
}

test('deliveries that are pending when the endpoint is removed are not sent', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const answer = await hanging(service, receiver)
  await send(service, 'DELETE', '/api/webhooks')
  answer()
  const unsent = (await allEnded(service)).filter(({ status }) => status === 'FAILED')
  t.true(unsent.length > 0)
  t.true(unsent.every(({ attempts }) => attempts.at(-1)!.error === 'The endpoint was removed'))
  t.false(unsent.some(({ id }) => has(id)(receiver.received)))
  t.true(receiver.received.length <= MOST_BEGUN, `${receiver.received.length} were sent`)
})

test('deliveries that are pending when the secret is rotated are signed with the new one', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const answer = await hanging(service, receiver)
  const { webhookSecret } = (await send<Webhook>(service, 'POST', '/api/webhooks/rotate-secret')).body
  answer()
  await allEnded(service)
  const before = receiver.received.filter((one) => !verified(one, webhookSecret!).own)
  t.true(before.length <= MOST_BEGUN, `${before.length} are signed with the old secret`)
  t.true(receiver.received.length > before.length)
})

test('a test delivery is a payment.confirmed of a payment that does not exist', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  await setUrl(service, receiver.url)
  const id = await queue(service)
  const [{ body }] = (await receiver.until(has(id))) as [Received]
  t.like(body, { event: 'payment.confirmed', deliveryId: id })
  t.true(body.data['test'])
  t.regex(String(body.data['paymentId']), /^test_/)
  t.is((await send(service, 'GET', `/api/payments/${String(body.data['paymentId'])}`)).status, 404)
  t.like(await ended(service, id), {
    event: 'payment.confirmed',
    target: `${receiver.url}/`,
    status: 'DELIVERED',
    agentId: null,
  })
})

const STATUSES: [status: number, attempts: number, ends: Delivery['status']][] = [
  [200, 1, 'DELIVERED'],
  [204, 1, 'DELIVERED'],
  [301, 1, 'FAILED'],
  [400, 1, 'FAILED'],
  [404, 1, 'FAILED'],
  [410, 1, 'FAILED'],
  [408, 3, 'FAILED'],
  [429, 3, 'FAILED'],
  [500, 3, 'FAILED'],
  [503, 3, 'FAILED'],
]

for (const [status, attempts, ends] of STATUSES) {
  test(`a receiver that answers ${status} is sent the same bytes ${attempts} times`, async (t) => {
    const [service, receiver] = [await begin(t), await startReceiver(t)]
    receiver.answer = (_, response) => response.writeHead(status).end()
    await setUrl(service, receiver.url)
    const delivery = await ended(service, await queue(service))
    t.is(delivery.status, ends)
    t.deepEqual(
      delivery.attempts.map(({ statusCode }) => statusCode),
      Array.from({ length: attempts }, () => status),
    )
    t.is(receiver.received.length, attempts)
    t.is(new Set(receiver.received.map(({ raw }) => raw.toString('hex'))).size, 1)
    t.deepEqual(
      receiver.received.map(({ headers }) => headers['x-service-delivery-attempt']),
      ['1', '2', '3'].slice(0, attempts),
    )
    const [first, second, third] = delivery.attempts.map(({ at }) => Date.parse(at)) as [number, number, number]
    if (attempts === 3) t.true(second - first >= 50 && third - second >= 100, `${second - first} ${third - second}`)
    t.is(delivery.nextAttemptAt, null)
  })
}

test('a receiver that recovers gets the delivery on a later attempt', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  receiver.answer = ({ headers }, response) =>
    response.writeHead(headers['x-service-delivery-attempt'] === '3' ? 200 : 502).end()
  await setUrl(service, receiver.url)
  const { status, attempts } = await ended(service, await queue(service))
  t.deepEqual([status, attempts.map(({ statusCode }) => statusCode)], ['DELIVERED', [502, 502, 200]])
})

test('redelivery creates a new delivery with the same content', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  receiver.answer = (_, response) => response.writeHead(404).end()
  await setUrl(service, receiver.url)
  const id = await queue(service)
  t.is((await ended(service, id)).status, 'FAILED')
  receiver.answer = (_, response) => response.writeHead(200).end()
  const path = `/api/webhooks/deliveries/${id}/redeliver`
  const { status, body } = await send<{ deliveryId: string }>(service, 'POST', path)
  t.is(status, 202)
  t.not(body.deliveryId, id)
  t.is((await ended(service, body.deliveryId)).status, 'DELIVERED')
  const [first, second] = receiver.received.map((one) => one.body)
  t.deepEqual({ ...second!, deliveryId: '' }, { ...first!, deliveryId: '' })
  t.is((await ended(service, id)).status, 'FAILED')
  const { entries } = (await send<AuditEntryList>(service, 'GET', '/api/audit-logs?action=organization.redeliver')).body
  t.like(entries, [{ actor: { type: 'ORGANIZATION_KEY' }, data: { redelivered: { to: { delivery: id } } } }])
})

test('redelivery is refused once the endpoint or the callback URL is gone', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const agent = await made<Agent>(service.client, '/api/agents', { name: 'Called', agentType: 'CUSTOM' })
  const setCallback = (callbackUrl: string | null) => send(service, 'PATCH', `/api/agents/${agent.id}`, { callbackUrl })
  await setUrl(service, receiver.url)
  await setCallback(`${receiver.url}/agent`)
  await made(service.client, `/api/agents/${agent.id}/freeze`, { reason: 'Test' })
  await receiver.until((all) => all.length >= 2)
  const redeliver = (id: string) => send(service, 'POST', `/api/webhooks/deliveries/${id}/redeliver`)
  const deliveries = await log(service)
  const own = deliveries.find(({ agentId }) => agentId === null)!
  const called = deliveries.find(({ agentId }) => agentId !== null)!
  await send(service, 'DELETE', '/api/webhooks')
  t.like(await redeliver(own.id), { status: 400, body: { code: 'INVALID_STATUS' } })
  t.is((await redeliver(called.id)).status, 202)
  await setUrl(service, receiver.url)
  await setCallback(null)
  t.like(await redeliver(called.id), { status: 400, body: { code: 'INVALID_STATUS' } })
  t.is((await redeliver(own.id)).status, 202)
  await setCallback(`${receiver.url}/agent`)
  await send(service, 'DELETE', `/api/agents/${agent.id}`)
  t.like(await redeliver(called.id), { status: 400, body: { code: 'INVALID_STATUS' } })
})

test('the delivery log is listed by status, and another organization sees nothing of it', async (t) => {
  const service = await start(t, { env: ENV })
  const receiver = await startReceiver(t)
  receiver.answer = ({ url }, response) => response.writeHead(url === '/bad' ? 400 : 200).end()
  await setUrl(service, `${receiver.url}/bad`)
  const bad = await queue(service)
  await ended(service, bad)
  await setUrl(service, `${receiver.url}/good`)
  const good = await queue(service)
  await ended(service, good)
  const idsOf = async (query: string) => (await log(service, query)).map(({ id }) => id)
  t.deepEqual(await idsOf(''), [good, bad])
  t.deepEqual(await idsOf('?status=DELIVERED'), [good])
  t.deepEqual(await idsOf('?status=FAILED'), [bad])
  t.deepEqual(await idsOf('?status=PENDING'), [])
  const organization = { name: 'Other' }
  const path = '/api/organizations'
  const { apiKey: other } = await made<{ apiKey: string }>(service.client, path, organization, OPERATOR_KEY)
  t.deepEqual(
    (await send<DeliveryList>(service, 'GET', '/api/webhooks/deliveries', undefined, other)).body.deliveries,
    [],
  )
  await send(service, 'PUT', '/api/webhooks', { url: receiver.url }, other)
  t.is((await send(service, 'POST', `/api/webhooks/deliveries/${good}/redeliver`, undefined, other)).status, 404)
})

test('a callback URL creates the first secret, and callbacks are signed with it', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const agent = await made<Agent>(service.client, '/api/agents', { name: 'Ägent', agentType: 'CUSTOM' })
  const patch = (body: object) => send<Agent & Webhook>(service, 'PATCH', `/api/agents/${agent.id}`, body)
  await made(service.client, '/api/agents', { name: 'Taken', agentType: 'CUSTOM' })
  t.is((await patch({ name: 'Taken', callbackUrl: `${receiver.url}/agent` })).status, 409)
  const { body } = await patch({ callbackUrl: `${receiver.url}/agent` })
  t.regex(body.webhookSecret!, /^whsec_/)
  t.true(body.webhookConfigured)
  t.false('webhookSecret' in (await patch({ callbackUrl: `${receiver.url}/agent` })).body)
  t.false('webhookSecret' in (await setUrl(service, `${receiver.url}/own`)))
  await made(service.client, `/api/agents/${agent.id}/freeze`, { reason: 'Test' })
  const received = await receiver.until((all) => all.length >= 2)
  for (const one of received) t.true(verified(one, body.webhookSecret!).own)
  const at = (path: string): Received => received.find(({ url }) => url === path)!
  t.is(at('/agent').body.data['agentId'], agent.id)
  t.false('organizationId' in at('/agent').body.data)
  t.is(typeof at('/own').body.data['organizationId'], 'string')
  t.not(at('/own').body.deliveryId, at('/agent').body.deliveryId)
  t.like(at('/own').body.data, { status: 'SUSPENDED', previousStatus: 'ACTIVE', name: 'Ägent' })
})

test('a callback URL that is set with a status receives this change of status, signed with the first secret', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const agent = await made<Agent>(service.client, '/api/agents', { name: 'Agent', agentType: 'CUSTOM' })
  const patch = async (body: object) =>
    (await send<Agent & Webhook>(service, 'PATCH', `/api/agents/${agent.id}`, body)).body
  const paused = await patch({ status: 'PAUSED', callbackUrl: `${receiver.url}/one` })
  t.like(paused, { status: 'PAUSED', webhookConfigured: true })
  await receiver.until((all) => all.length >= 1)
  t.like(await patch({ status: 'ACTIVE', callbackUrl: `${receiver.url}/two` }), { status: 'ACTIVE' })
  await receiver.until((all) => all.length >= 2)
  t.like(await patch({ status: 'PAUSED', callbackUrl: null }), { status: 'PAUSED', webhookConfigured: false })
  // None is made for the URL that the third request removes.
  t.is((await log(service)).filter(({ event }) => event === 'agent.status_changed').length, 2)
  const [one, two] = receiver.received
  t.like(one, { url: '/one', body: { event: 'agent.status_changed', data: { status: 'PAUSED' } } })
  t.like(two, { url: '/two', body: { event: 'agent.status_changed', data: { status: 'ACTIVE' } } })
  for (const received of [one, two]) t.true(verified(received!, paused.webhookSecret!).own)
})

test('every delivery matches its schema and goes only to its endpoint and agent', async (t) => {
  const [service, receiver] = [await begin(t), await startReceiver(t)]
  const { client } = service
  const buyer = await fundedAgent(client, { balance: 100, terms: { spendLimitPerTx: 50 } })
  await setUrl(service, `${receiver.url}/own`)
  await send(service, 'PATCH', `/api/agents/${buyer.agentId}`, { callbackUrl: `${receiver.url}/agent` })
  const approved = await ask(client, buyer.key, 5)
  await execute(client, buyer.key, approved.body.requestId)
  await ask(client, buyer.key, 60)
  await ask(client, buyer.key, 7)
  const policy = await made<{ id: string }>(client, '/api/policies', {
    name: 'Secret limit',
    policyType: 'SPEND_LIMIT',
    rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 123_456 }],
  })
  await send(service, 'PATCH', `/api/policies/${policy.id}`, { isActive: false })
  await send(service, 'DELETE', `/api/policies/${policy.id}`)
  await made(client, `/api/agents/${buyer.agentId}/freeze`, { reason: 'Test' })
  service.setClock(service.now() + DAY_MS)
  const forBoth = [
    'payment.requested',
    'payment.approved',
    'payment.executed',
    'payment.denied',
    'payment.expired',
    'agent.status_changed',
  ]
  const forOrganization = ['policy.created', 'policy.updated', 'policy.deleted']
  const received = await receiver.until((all) => all.length >= 21)
  const at = (path: string): Received[] => received.filter(({ url }) => url === path)
  const eventsAt = (path: string): string[] => [...new Set(at(path).map(({ body }) => body.event))].sort()
  t.deepEqual(eventsAt('/own'), [...forBoth, ...forOrganization].sort())
  t.deepEqual(eventsAt('/agent'), forBoth.toSorted())
  for (const { body } of received) {
    const { success, issues } = v.safeParse(bodySchema(body.event as EventName), body)
    t.true(
      success,
      `${body.event}: ${JSON.stringify(issues?.map(({ message, path }) => [message, path?.map(({ key }) => key)]))}`,
    )
  }
  for (const { body } of at('/own')) t.is(typeof body.data['organizationId'], 'string', body.event)
  for (const { body, raw } of at('/agent')) {
    t.is(body.data['agentId'], buyer.agentId, body.event)
    t.is(raw.toString().split('"agentId":').length, 2, body.event)
    t.false('organizationId' in body.data, body.event)
  }
  t.false(received.some(({ raw }) => raw.includes('123456')))
  const executed = at('/own').find(({ body }) => body.event === 'payment.executed')!.body.data
  t.like(executed, {
    status: 'EXECUTED',
    amount: 5,
    currency: 'USDC',
    settlementMode: 'test',
    walletId: buyer.walletId,
  })
  t.is(String(executed['recipientAddress']).toLowerCase(), RECIPIENT)
  t.false('transactionHash' in executed)
  t.deepEqual(service.logged, [])
})

test('in production nothing is sent to this machine, even to a URL accepted in development', async (t) => {
  const [development, receiver] = [await begin(t), await startReceiver(t)]
  await setUrl(development, receiver.url)
  await development.stop()
  const service = await start(t, { folder: development.folder })
  const failed = await ended(service, await queue(service))
  t.like(failed, { status: 'FAILED', attempts: [{ error: 'The URL must be an https URL' }] })
  const { status } = await send(service, 'PUT', '/api/webhooks', { url: `https://127.0.0.1:${receiver.port}/` })
  t.is(status, 400)
  t.is(receiver.connections, 0)
})
