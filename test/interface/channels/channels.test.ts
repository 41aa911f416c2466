// Channels through the interface: what is shown and sealed, what they are sent and how it is signed, and that neither a
// dead channel nor a paused one holds up another.
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startChannels, type Channel } from '../../support/channels.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { ChannelList, DeliveryList } from '../../../sdk/api.js'

const LIMITS = 'payments=600,reads=1200,admin=1200,login=2'
const EVENTS = ['approval.requested', 'approval.decided', 'approval.expired']

const ofActor = (of: string): string[] => [`/api/machines/${of}`, `/api/machines/${of}/history`]

test('a WEBHOOK channel hears of a request and its decision, signed with the secret that its creation shows once', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  const channel = await stage.channel({
    name: 'Ops',
    type: 'WEBHOOK',
    events: EVENTS,
    config: { url: `${receiver.url}/x?k=1` },
  })
  t.regex(channel.secret!, /^whsec_/)
  t.deepEqual(channel.config, { url: `${receiver.url}/x?k=REDACTED` })
  t.is((await stage.shown(channel.id)).secret, undefined)
  for (const path of ['/api/audit-logs', '/api/webhooks/deliveries', ...ofActor(`channel/actors/${channel.id}`)]) {
    t.notRegex(JSON.stringify(await stage.must('GET', path)), /k=1/, path)
  }
  const items = [{ description: 'Ream', quantity: 3, unitAmount: 50 }]
  const asked = await stage.waiting({ purpose: 'Paper', reference: 'INV-1', lineItems: items })
  const [first] = await receiver.until((all) => all.length === 1)
  t.like(first!.body, {
    event: 'approval.requested',
    data: {
      approvalRequestId: asked.approvalRequestId,
      paymentRequestId: asked.requestId,
      amount: 150,
      purpose: 'Paper',
      lineItems: items,
      status: 'PENDING',
      today: { amount: 150, limit: null },
    },
  })
  const [, seconds, mac] = /^t=(\d+),v1=([\da-f]{64})$/.exec(String(first!.headers['x-service-channel-signature']))!
  t.is(mac, createHmac('sha256', channel.secret!).update(`${seconds}.${first!.raw.toString()}`).digest('hex'))
  const person = await stage.person()
  t.is((await stage.decide(person, asked.approvalRequestId, 'DENIED')).status, 200)
  const [, second] = await receiver.until((all) => all.length === 2)
  t.like(second!.body, { event: 'approval.decided', data: { status: 'DENIED', decisions: [{ decision: 'DENIED' }] } })
  t.is((await stage.delivered(channel.id)).lastDelivery?.status, 'DELIVERED')
})

test('a request that is cancelled has expired, for channels', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: ['approval.expired'], config: { url: receiver.url } })
  const { requestId } = await stage.waiting()
  await stage.client.post(`/api/sdk/payments/${requestId}/cancel`, stage.supervised.key, {})
  const [only] = await receiver.until((all) => all.length === 1)
  t.like(only!.body, { event: 'approval.expired', data: { status: 'EXPIRED', paymentRequestId: requestId } })
})

test('an alert reaches channels in the commit of its cause, once, and no endpoint of events', async (t) => {
  const [stage, receiver, endpoint] = [await startChannels(t), await startReceiver(t), await startReceiver(t)]
  await stage.must('PUT', '/api/webhooks', { url: endpoint.url })
  await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: ['alert.raised'], config: { url: receiver.url } })
  const agent = await stage.agent({ name: 'Spender', terms: { spendLimitPerTx: 10 } })
  for (let at = 0; at < 3; at += 1) t.is((await stage.ask(agent, 50)).status, 'DENIED')
  const [only] = await receiver.until((all) => all.length > 0)
  t.like(only!.body, {
    event: 'alert.raised',
    data: { type: 'SPEND_LIMIT_EXCEEDED', severity: 'WARNING', agentId: agent.agentId, count: 1 },
  })
  await endpoint.until((all) => all.length === 6)
  const heard = new Set(endpoint.received.map(({ body }) => body.event))
  t.deepEqual([...heard].sort(), ['payment.denied', 'payment.requested'])
  t.is(receiver.received.length, 1)
})

test('no secret of a channel is on disk as it is, also where its creation waits for approval', async (t) => {
  const stage = await startChannels(t)
  const receiver = await startReceiver(t)
  const made = await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: EVENTS, config: { url: receiver.url } })
  const bot = { botToken: 'xoxb-canary-one', channel: '#ops', signingSecret: 'canary-two' }
  const slack = await stage.channel({ name: 'Slack', type: 'SLACK', events: EVENTS, config: bot })
  t.deepEqual(slack.config, { channel: '#ops', botToken: 'REDACTED', signingSecret: 'REDACTED' })
  const other = await stage.person('ADMIN')
  await stage.must('PATCH', '/api/organization', { governance: { enabled: true, actions: ['channel.update'] } })
  const held = { botToken: 'xoxb-canary-three', channel: '#ops', signingSecret: 'canary-four' }
  const waits = await stage.admin<{ governanceApprovalRequestId: string }>('POST', '/api/channels', {
    name: 'Held',
    type: 'SLACK',
    events: EVENTS,
    config: held,
  })
  t.is(waits.status, 202)
  const change = `/api/governance/approvals/${waits.body.governanceApprovalRequestId}`
  const asked = await stage.must<{ change: { body: object } }>('GET', change)
  t.like(asked.change.body, {
    name: 'Held',
    config: { botToken: 'REDACTED', channel: '#ops', signingSecret: 'REDACTED' },
  })
  const path = `${change}/decision`
  const decided = await stage.client.post<object>(path, other.cookie, { decision: 'APPROVED' })
  t.is(decided.status, 200, JSON.stringify(decided.body))
  const { channels } = await stage.must<ChannelList>('GET', '/api/channels')
  t.deepEqual(channels.map(({ name }) => name).sort(), ['Held', 'Ops', 'Slack'])
  const secrets = [made.secret!, bot.botToken, bot.signingSecret, held.botToken, held.signingSecret]
  for (const file of readdirSync(stage.folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const bytes = readFileSync(join(file.parentPath, file.name))
    for (const secret of secrets) t.false(bytes.includes(secret), `${file.name} has ${secret}`)
  }
})

test('the secret of a WEBHOOK that waits for approval is collected by its requester', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  const [one, two] = [await stage.person(), await stage.person()]
  await stage.must('PATCH', '/api/organization', { governance: { enabled: true, actions: ['channel.update'] } })
  const body = { name: 'Ops', type: 'WEBHOOK', events: ['alert.raised'], config: { url: receiver.url } }
  const held = await stage.client.post<{ governanceApprovalRequestId: string }>('/api/channels', one.cookie, body)
  t.is(held.status, 202)
  const path = `/api/governance/approvals/${held.body.governanceApprovalRequestId}`
  t.is((await stage.client.post(`${path}/decision`, two.cookie, { decision: 'APPROVED' })).status, 200)
  t.is((await stage.client.post(`${path}/collect`, two.cookie)).status, 403)
  const collected = await stage.client.post<Channel>(`${path}/collect`, one.cookie)
  t.is(collected.status, 201)
  t.regex(collected.body.secret!, /^whsec_/)
  t.is((await stage.shown(collected.body.id)).name, 'Ops')
})

const WRONG: [string, object, string][] = [
  ['an unknown type', { type: 'PIGEON' }, 'type'],
  ['no events', { events: [] }, 'events'],
  ['an unknown event', { events: ['payment.executed'] }, 'events.0'],
  ['no recipients', { type: 'EMAIL', config: { recipients: [] } }, 'config.recipients'],
  ['a list for one recipient', { type: 'EMAIL', config: { recipients: ['a@b.com,c@d.com'] } }, 'config.recipients.0'],
  ['a name as recipient', { type: 'EMAIL', config: { recipients: ['A <a@b.com>'] } }, 'config.recipients.0'],
  [
    'a header as recipient',
    { type: 'EMAIL', config: { recipients: ['a@b.com\r\nBcc: c@d.com'] } },
    'config.recipients.0',
  ],
  [
    '21 recipients',
    { type: 'EMAIL', config: { recipients: Array.from({ length: 21 }, (_, at) => `a${at}@b.com`) } },
    'config.recipients',
  ],
  ['a long URL', { config: { url: `https://hooks.acme.com/${'x'.repeat(2_048)}` } }, 'config.url'],
  ['a private URL', { config: { url: 'https://10.0.0.1/' } }, 'config.url'],
  ['a private URL of Slack', { type: 'SLACK', config: { webhookUrl: 'http://169.254.169.254/' } }, 'config.webhookUrl'],
  ['half of a bot', { type: 'SLACK', config: { botToken: 'x', channel: 'c' } }, 'config'],
  ['a secret of its own', { config: { url: 'https://bursar.zz/', secret: 'mine' } }, 'config.secret'],
]

test('settings are checked as their type says', async (t) => {
  const stage = await startChannels(t)
  const right = { name: 'Ops', type: 'WEBHOOK', events: EVENTS, config: { url: 'https://hooks.acme.com/' } }
  for (const [title, more, path] of WRONG) {
    const { status, body } = await stage.client.post('/api/channels', ORGANIZATION_KEY, { ...right, ...more })
    t.is(status, 400, title)
    t.is(body.code, 'VALIDATION_ERROR', title)
    t.is(body.details?.[0]?.path, path, title)
  }
  const mail = { ...right, type: 'EMAIL', config: { recipients: ['a@acme.com'] } }
  const { body } = await stage.client.post('/api/channels', ORGANIZATION_KEY, mail)
  t.regex(body.error, /BURSAR_SMTP_URL/)
})

test('a channel is changed, paused, resumed and removed, and a shown secret stands for the stored one', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  const url = `${receiver.url}/hook?key=1`
  const { id } = await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: ['alert.raised'], config: { url } })
  const shown = await stage.shown(id)
  const changed = await stage.must<Channel>('PATCH', `/api/channels/${id}`, {
    name: 'Team',
    events: EVENTS,
    config: shown.config,
  })
  t.like(changed, { name: 'Team', events: EVENTS, status: 'ACTIVE' })
  await stage.must('PATCH', `/api/channels/${id}`, { status: 'PAUSED' })
  t.is((await stage.admin('POST', `/api/channels/${id}/test`)).status, 400)
  await stage.waiting()
  await stage.must('PATCH', `/api/channels/${id}`, { status: 'ACTIVE' })
  await stage.must('POST', `/api/channels/${id}/test`)
  const [only] = await receiver.until((all) => all.length === 1)
  t.like(only, { url: '/hook?key=1', body: { data: { test: true, channelName: 'Team' } } })
  await stage.must('DELETE', `/api/channels/${id}`)
  t.is((await stage.admin('GET', `/api/channels/${id}`)).status, 404)
})

test('a dead channel delays no other, and its delivery can be sent again', async (t) => {
  const [stage, dead, living] = [await startChannels(t), await startReceiver(t, () => {}), await startReceiver(t)]
  for (let at = 0; at < 10; at += 1) {
    await stage.channel({ name: `Dead ${at}`, type: 'WEBHOOK', events: EVENTS, config: { url: `${dead.url}/${at}` } })
  }
  const { id } = await stage.channel({ name: 'Living', type: 'WEBHOOK', events: EVENTS, config: { url: living.url } })
  for (let at = 0; at < 10; at += 1) await stage.waiting()
  await living.until((all) => all.length === 10)
  await stage.delivered(id)
  const { deliveries } = await stage.must<DeliveryList>('GET', '/api/webhooks/deliveries')
  const own = deliveries.find(({ channelId }) => channelId === id)!
  await stage.must('POST', `/api/webhooks/deliveries/${own.id}/redeliver`)
  t.is((await living.until((all) => all.length === 11)).length, 11)
})

test('who approves a change of a channel sees where it sends', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  const config = { url: `${receiver.url}/x?k=1` }
  const { id } = await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: EVENTS, config: { url: receiver.url } })
  const other = await stage.person()
  await stage.must('PATCH', '/api/organization', { governance: { enabled: true, actions: ['channel.update'] } })
  const waits = await stage.must<{ governanceApprovalRequestId: string }>('PATCH', `/api/channels/${id}`, { config })
  const path = `/api/governance/approvals/${waits.governanceApprovalRequestId}`
  const asked = await stage.must<{ change: { body: object } }>('GET', path)
  t.deepEqual(asked.change.body, { config: { url: `${receiver.url}/x?k=REDACTED` } })
  t.is((await stage.client.post(`${path}/decision`, other.cookie, { decision: 'APPROVED' })).status, 200)
  await stage.must('POST', `/api/channels/${id}/test`)
  const [only] = await receiver.until((all) => all.length === 1)
  t.is(only!.url, '/x?k=1')
})

test('test messages are few a minute', async (t) => {
  const [stage, receiver] = [await startChannels(t, { BURSAR_RATE_LIMITS: LIMITS }), await startReceiver(t)]
  const { id } = await stage.channel({ name: 'Ops', type: 'WEBHOOK', events: EVENTS, config: { url: receiver.url } })
  const statusOf = async () => (await stage.admin('POST', `/api/channels/${id}/test`)).status
  t.deepEqual([await statusOf(), await statusOf(), await statusOf()], [202, 202, 429])
})

test('channels need their own scopes, and belong to their organization', async (t) => {
  const stage = await startChannels(t)
  const viewer = await stage.person('VIEWER')
  const manager = await stage.person('MANAGER')
  const channel = { name: 'Ops', type: 'WEBHOOK', events: EVENTS, config: { url: 'https://hooks.acme.com/' } }
  t.is((await stage.client.get('/api/channels', viewer.cookie)).status, 200)
  t.is((await stage.client.post('/api/channels', manager.cookie, channel)).status, 403)
})
