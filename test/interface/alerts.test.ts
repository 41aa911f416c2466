// Alerts: what raises each type and what does not quite, one alert for each cause and window, and its end.
import { createHmac } from 'node:crypto'
import test from 'ava'
import { runs } from '../support/depth.js'
import { EVERY_DAY, ask, execute, fundedAgent, made, type FundedAgent } from '../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { startReceiver } from '../support/receiver.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'
import type { Alert, AlertList, AuditEntryList, PaymentList, Wallet, WholeAgent } from '../../sdk/api.js'

const scope = wholeFile(test)
const NOON = Date.parse('2031-07-09T12:00:00Z')
/** On the list that is shipped. */
const SANCTIONED = '0x01e2919679362dFBC9ee1644Ba9C6da6D6245BB1'
const DAY_MS = 24 * 3_600_000
let service: Started
let names = 0

test.before(async () => {
  service = await start(scope, { at: NOON, env: { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' } })
})

const newAgent = (terms: object = {}): Promise<FundedAgent> =>
  fundedAgent(service.client, {
    name: `Agent ${(names += 1)}`,
    terms: { spendLimitPerTx: 1_000_000, spendLimitDaily: null, allowedDays: EVERY_DAY, ...terms },
  })
const newAddress = (): string => `0x${(names += 1).toString(16).padStart(40, '0')}`

async function alertsOf(query: string, { client } = service): Promise<Alert[]> {
  const { status, body } = await client.get<AlertList>(`/api/alerts?${query}`, ORGANIZATION_KEY)
  if (status !== 200) throw new Error(`The alerts were answered with ${status}`)
  return body.alerts
}

const typesOf = async ({ agentId }: FundedAgent): Promise<string[]> =>
  (await alertsOf(`agentId=${agentId}`)).map(({ type }) => type).toSorted()

async function pay({ key }: FundedAgent, amount: number, recipientAddress = newAddress()): Promise<string> {
  const { body } = await ask(service.client, key, amount, { recipientAddress })
  if (body.status !== 'APPROVED') return body.status
  await execute(service.client, key, body.requestId)
  return 'EXECUTED'
}

const change = (method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object) =>
  service.client.send<Alert & { code?: string }>(method, path, ORGANIZATION_KEY, body)

test.serial('80 percent of a limit warns once a window, and 79 do not', async (t) => {
  const below = await newAgent({ spendLimitDaily: 100 })
  await pay(below, 79.999999)
  t.deepEqual(await typesOf(below), ['NEW_COUNTERPARTY'])
  const reaching = await newAgent({ spendLimitDaily: 100 })
  await pay(reaching, 79)
  t.deepEqual(await typesOf(reaching), ['NEW_COUNTERPARTY'])
  await pay(reaching, 1)
  await pay(reaching, 1)
  const [warning, ...others] = await alertsOf(`agentId=${reaching.agentId}&type=SPEND_LIMIT_WARNING`)
  t.deepEqual(others, [])
  t.like(warning, { severity: 'WARNING', status: 'ACTIVE', count: 2, walletId: reaching.walletId })
  await change('POST', `/api/alerts/${warning!.id}/resolve`)
  await pay(reaching, 1)
  t.deepEqual(
    (await alertsOf(`agentId=${reaching.agentId}&type=SPEND_LIMIT_WARNING`)).map(({ count }) => count),
    [1, 2],
  )
})

test.serial("80 percent of a policy's budget warns, and less does not", async (t) => {
  const agent = await newAgent()
  const rules = [{ ruleType: 'BUDGET_CAP', operator: 'LTE', value: { amount: 100, period: 'MONTHLY', of: 'POLICY' } }]
  const policy = { name: `Policy ${(names += 1)}`, policyType: 'SPEND_LIMIT', rules }
  const { id: policyId } = await made<{ id: string }>(service.client, '/api/policies', policy)
  await made(service.client, `/api/agents/${agent.agentId}/policies`, { policyId })
  const warnings = async () => (await alertsOf(`agentId=${agent.agentId}&type=SPEND_LIMIT_WARNING`)).length
  await pay(agent, 79.999999)
  t.is(await warnings(), 0)
  await pay(agent, 0.000001)
  await pay(agent, 20)
  t.is(await warnings(), 1)
  t.is(await pay(agent, 0.000001), 'DENIED')
  t.true((await typesOf(agent)).includes('SPEND_LIMIT_EXCEEDED'))
})

test.serial('a flood of denials is one alert that counts each', async (t) => {
  const agent = await newAgent({ spendLimitPerTx: 1 })
  const flood = runs(10_000)
  const recipientAddress = newAddress()
  for (let sent = 0; sent < flood;) {
    const together = Math.min(100, flood - sent)
    await Promise.all(Array.from({ length: together }, () => ask(service.client, agent.key, 2, { recipientAddress })))
    sent += together
  }
  const [alert, ...others] = await alertsOf(`agentId=${agent.agentId}`)
  t.deepEqual(others, [])
  t.like(alert, { type: 'SPEND_LIMIT_EXCEEDED', count: flood, status: 'ACTIVE' })
})

test.serial('denials by limits count up in one alert an agent, type and day', async (t) => {
  const agent = await newAgent({ spendLimitDaily: 10 })
  for (const amount of [11, 12, 13]) t.is(await pay(agent, amount), 'DENIED')
  t.deepEqual(await typesOf(agent), ['SPEND_LIMIT_EXCEEDED'])
  const [alert] = await alertsOf(`agentId=${agent.agentId}`)
  t.like(alert, { count: 3, status: 'ACTIVE', severity: 'WARNING' })
  t.is((await change('POST', `/api/alerts/${alert!.id}/acknowledge`)).body.status, 'ACKNOWLEDGED')
  await pay(agent, 11)
  t.like((await alertsOf(`agentId=${agent.agentId}`))[0], { count: 4, status: 'ACKNOWLEDGED' })
  t.is((await change('POST', `/api/alerts/${alert!.id}/resolve`)).body.status, 'RESOLVED')
  const again = await change('POST', `/api/alerts/${alert!.id}/resolve`)
  t.deepEqual([again.status, again.body.code], [409, 'ALREADY_RESOLVED'])
  await pay(agent, 11)
  const [next, former] = await alertsOf(`agentId=${agent.agentId}`)
  t.deepEqual([next!.count, next!.status, former!.id], [1, 'ACTIVE', alert!.id])
})

test.serial('denials for want of funds raise nothing', async (t) => {
  const agent = await newAgent()
  t.is(await pay(agent, 999_999), 'DENIED')
  t.deepEqual(await typesOf(agent), [])
})

test.serial('a blocked address is one alert an agent, address and day, and critical', async (t) => {
  const agent = await newAgent()
  const address = newAddress()
  await made(service.client, '/api/counterparties', { name: `Blocked ${(names += 1)}`, address, status: 'BLOCKED' })
  await pay(agent, 1, address)
  await pay(agent, 1, address)
  const [alert, ...others] = await alertsOf(`agentId=${agent.agentId}`)
  t.deepEqual(others, [])
  t.like(alert, { type: 'BLOCKED_ADDRESS', severity: 'CRITICAL', count: 2 })
})

test.serial('a recipient that is sanctioned and blocked is one alert', async (t) => {
  const agent = await newAgent()
  await made(service.client, '/api/counterparties', {
    name: `Both ${(names += 1)}`,
    address: SANCTIONED,
    status: 'BLOCKED',
  })
  t.is(await pay(agent, 1, SANCTIONED), 'DENIED')
  t.deepEqual(await typesOf(agent), ['BLOCKED_ADDRESS'])
})

test.serial('any other violation is POLICY_VIOLATION', async (t) => {
  const agent = await newAgent({ allowedDays: ['Thu'] })
  await pay(agent, 1)
  t.deepEqual(await typesOf(agent), ['POLICY_VIOLATION'])
})

test.serial('the first payment to an address is told, the second is not', async (t) => {
  const agent = await newAgent()
  const address = newAddress()
  await pay(agent, 1, address)
  await pay(agent, 1, address)
  const [alert] = await alertsOf(`agentId=${agent.agentId}`)
  t.like(alert, { type: 'NEW_COUNTERPARTY', severity: 'INFO', count: 1 })
})

test.serial('payments of the mark for large ones and low balances are told', async (t) => {
  const settings = { spendWarningAt: 80, lowBalanceBelow: 50, highValueAbove: 60 }
  t.deepEqual((await change('PATCH', '/api/alerts/settings', settings)).body as unknown, settings)
  const agent = await newAgent()
  const { body } = await service.client.get<Wallet>(`/api/wallets/${agent.walletId}`, ORGANIZATION_KEY)
  await pay(agent, 59.999999)
  t.deepEqual(await typesOf(agent), ['NEW_COUNTERPARTY'])
  await pay(agent, 60)
  t.deepEqual(await typesOf(agent), ['HIGH_VALUE_TRANSACTION', 'NEW_COUNTERPARTY', 'NEW_COUNTERPARTY'])
  await pay(agent, body.balance - 119.999999 - 50)
  const low = async () => (await alertsOf('type=WALLET_LOW_BALANCE')).map(({ count }) => count)
  t.deepEqual(await low(), [])
  await pay(agent, 1)
  await pay(agent, 1)
  t.deepEqual(await low(), [2])
  await made(service.client, `/api/wallets/${agent.walletId}/fund`, { amount: 100 })
  await pay(agent, 99)
  t.deepEqual(await low(), [1, 2])
  await change('PATCH', '/api/alerts/settings', { lowBalanceBelow: null, highValueAbove: null })
})

test.serial('a suspension is told, each anew', async (t) => {
  const agent = await newAgent()
  await change('POST', `/api/agents/${agent.agentId}/freeze`, { reason: 'Lost laptop' })
  const [alert] = await alertsOf(`agentId=${agent.agentId}`)
  t.like(alert, { type: 'AGENT_SUSPENDED', count: 1 })
  t.true(alert!.message.endsWith('Lost laptop'))
  await change('POST', `/api/agents/${agent.agentId}/unfreeze`)
  await change('PATCH', `/api/agents/${agent.agentId}`, { status: 'SUSPENDED' })
  t.deepEqual(await typesOf(agent), ['AGENT_SUSPENDED', 'AGENT_SUSPENDED'])
})

test.serial('another organization sees none of it', async (t) => {
  const { body } = await service.client.send<{ apiKey: string }>('POST', '/api/organizations', OPERATOR_KEY, {
    name: 'Other',
  })
  const { body: list } = await service.client.get<AlertList>('/api/alerts', body.apiKey)
  t.deepEqual(list.alerts, [])
})

test.serial('five denials in a row freeze an agent with thresholds, in the commit of the fifth', async (t) => {
  const agent = await newAgent({ spendLimitPerTx: 10 })
  const set = await change('PATCH', `/api/agents/${agent.agentId}`, { autoFreeze: {} })
  t.like(set.body as object, { autoFreeze: { action: 'FREEZE', consecutiveViolations: 5, paymentFactor: 10 } })
  for (let i = 0; i < 4; i += 1) await pay(agent, 11)
  await pay(agent, 1)
  for (let i = 0; i < 4; i += 1) await pay(agent, 11)
  const status = async () =>
    (await service.client.get<WholeAgent>(`/api/agents/${agent.agentId}`, ORGANIZATION_KEY)).body
  t.like(await status(), { status: 'ACTIVE', frozenFor: null })
  await pay(agent, 11)
  const { status: now, frozenFor } = await status()
  t.is(now, 'SUSPENDED')
  const [, sequence] = /after audit entry (\d+)\.$/.exec(frozenFor!)!
  const { body: entry } = await service.client.get<{
    entries: { action: string; actor: object; sequence: number }[]
  }>(`/api/audit-logs?resourceId=${agent.agentId}&action=agent.freeze`, ORGANIZATION_KEY)
  t.like(entry.entries[0], { sequence: Number(sequence), actor: { type: 'SYSTEM', id: 'auto-freeze' } })
  t.deepEqual(await typesOf(agent), ['AGENT_SUSPENDED', 'NEW_COUNTERPARTY', 'SPEND_LIMIT_EXCEEDED', 'UNUSUAL_ACTIVITY'])
})

test.serial('after the sequence of a freeze nothing of the agent is executed, however they race', async (t) => {
  for (let run = 0; run < runs(20, 2); run += 1) {
    const agent = await newAgent({ spendLimitPerTx: 10 })
    await change('PATCH', `/api/agents/${agent.agentId}`, { autoFreeze: { consecutiveViolations: 5 } })
    const recipientAddress = newAddress()
    const approved = await Promise.all(
      Array.from({ length: 20 }, () => ask(service.client, agent.key, 1, { recipientAddress })),
    )
    const executions = approved.flatMap(({ body }, index) => {
      const executing = execute(service.client, agent.key, body.requestId)
      return index % 3 === run % 3 ? [executing, ask(service.client, agent.key, 11, { recipientAddress })] : [executing]
    })
    await Promise.all(executions)
    const { body } = await service.client.get<WholeAgent>(`/api/agents/${agent.agentId}`, ORGANIZATION_KEY)
    t.is(body.status, 'SUSPENDED')
    const frozenAt = Number(/after audit entry (\d+)\.$/.exec(body.frozenFor!)![1])
    const { body: log } = await service.client.get<AuditEntryList>(
      `/api/audit-logs?action=payment.execute&limit=100`,
      ORGANIZATION_KEY,
    )
    const payments = await service.client.get<PaymentList>(
      `/api/payments?agentId=${agent.agentId}&status=EXECUTED&limit=100`,
      ORGANIZATION_KEY,
    )
    t.true(log.entries[0]!.sequence < frozenAt, `run ${run}`)
    t.true(payments.body.payments.length < 20, `run ${run}: the freeze came too late to race`)
  }
})

test.serial('a payment of more than ten times the mean is denied and freezes', async (t) => {
  const agent = await newAgent()
  await change('PATCH', `/api/agents/${agent.agentId}`, { autoFreeze: { paymentFactor: 10 } })
  const address = newAddress()
  for (let i = 0; i < 10; i += 1) t.is(await pay(agent, 1, address), 'EXECUTED')
  t.is(await pay(agent, 10, address), 'EXECUTED')
  const { body } = await ask(service.client, agent.key, 18.2, { recipientAddress: address })
  t.deepEqual([body.status, body.violations?.map(({ type }) => type)], ['DENIED', ['UNUSUAL_ACTIVITY']])
  t.true((await typesOf(agent)).includes('AGENT_SUSPENDED'))
})

test.serial('with the action ALERT nothing is denied or frozen', async (t) => {
  const agent = await newAgent()
  await change('PATCH', `/api/agents/${agent.agentId}`, { autoFreeze: { action: 'ALERT', recipientsPerHour: 2 } })
  for (let i = 0; i < 3; i += 1) t.is(await pay(agent, 1), 'EXECUTED')
  const types = await typesOf(agent)
  t.deepEqual(
    types.filter((type) => type !== 'NEW_COUNTERPARTY'),
    ['UNUSUAL_ACTIVITY'],
  )
})

test.serial('the forecast goes by the last 24 hours', async (t) => {
  service.setClock(NOON + 2 * DAY_MS)
  const agent = await newAgent({ spendLimitDaily: 100, spendLimitMonthly: 1000 })
  await pay(agent, 48)
  const { body } = await service.client.get<{ limits: object[] }>(
    `/api/agents/${agent.agentId}/forecast`,
    ORGANIZATION_KEY,
  )
  t.like(body.limits[0], { window: 'DAY', limit: 100, spent: 48, reserved: 0, perHour: 2 })
  t.false('exhaustedAt' in body.limits[0]!)
  t.like(body.limits[1], { window: 'MONTH', limit: 1000, spent: 48, perHour: 2 })
  await pay(agent, 48)
  const { body: next } = await service.client.get<{ limits: { exhaustedAt?: string }[] }>(
    `/api/agents/${agent.agentId}/forecast`,
    ORGANIZATION_KEY,
  )
  t.is(next.limits[0]!.exhaustedAt?.slice(0, 16), '2031-07-11T13:00')
})

test.serial('a channel that takes alert.raised hears of each alert once, and the event endpoint of none', async (t) => {
  const [channel, events] = [await startReceiver(scope), await startReceiver(scope)]
  await change('PUT', '/api/webhooks', { url: events.url })
  const { secret } = await made<{ secret: string }>(service.client, '/api/channels', {
    name: 'Alerts',
    type: 'WEBHOOK',
    events: ['alert.raised'],
    config: { url: channel.url },
  })
  const agent = await newAgent({ spendLimitDaily: 10 })
  await pay(agent, 11)
  await pay(agent, 11)
  await change('POST', `/api/agents/${agent.agentId}/freeze`, { reason: 'Lost' })
  const received = await channel.until(({ length }) => length === 2)
  t.deepEqual(received.map(({ body }) => [body.event, body.data['type'], body.data['agentId']]).toSorted(), [
    ['alert.raised', 'AGENT_SUSPENDED', agent.agentId],
    ['alert.raised', 'SPEND_LIMIT_EXCEEDED', agent.agentId],
  ])
  const { headers, raw } = received[0]!
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-channel-signature']))!
  t.is(createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex'), signature!)
  await events.until((all) => all.some(({ body }) => body.event === 'agent.status_changed'))
  t.false(events.received.some(({ body }) => body.event === 'alert.raised'))
})
