// Payments that nobody executes in time: they expire at their stored time, also while the service is down.
import test from 'ava'
import { start } from '../../support/service.js'
import { newClient, type Answer, type Client, type Failure } from '../../support/client.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { ask, delegationOf, execute, fundedAgent, status, type Payment } from '../../support/payments.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const MINUTE_MS = 60_000
const MANY = 1_500
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })

test('a payment that expires while the service is down is EXPIRED after the restart', async (t) => {
  const folder = newFolder(t)
  const first = await startService(t, folder, { env: clockAt(NOON) })
  const before = newClient(t, first.url)
  const agent = await fundedAgent(before, { terms: { spendLimitDaily: 15 } })
  const expiring = (await ask(before, agent.key, 10)).body
  const kept = (await ask(before, agent.key, 5, { autoExecute: true })).body
  t.true(Date.parse(expiring.expiresAt) - NOON >= 5 * MINUTE_MS)
  await first.stop()

  const second = await startService(t, folder, { env: clockAt(NOON + 6 * MINUTE_MS) })
  const after = newClient(t, second.url)
  t.deepEqual(failureOf(await execute(after, agent.key, expiring.requestId)), { status: 400, code: 'EXPIRED' })
  t.is((await status(after, agent.key, expiring.requestId)).body.status, 'EXPIRED')
  t.is((await status(after, agent.key, kept.requestId)).body.status, 'EXECUTED')
  const cancelled = await after.post<Payment>(`/api/sdk/payments/${expiring.requestId}/cancel`, agent.key)
  t.deepEqual(failureOf(cancelled), { status: 400, code: 'INVALID_STATUS' })
  t.like(await delegationOf(after, agent), { reserved: 0, spent: { day: 5 } })
  t.is((await ask(after, agent.key, 10)).body.status, 'APPROVED')
})

test('a service is ready before it has ended what was over at its start, and ends it in the background', async (t) => {
  const folder = newFolder(t)
  const first = await startService(t, folder, { env: clockAt(NOON) })
  const before = newClient(t, first.url)
  const agent = await fundedAgent(before)
  const entries = async (client: Client) =>
    (await client.get<{ entries: number }>('/api/audit-logs/verify', ORGANIZATION_KEY)).body.entries
  await Promise.all(Array.from({ length: MANY }, () => ask(before, agent.key, 1)))
  const asked = await entries(before)
  await first.stop()

  const second = await startService(t, folder, { env: clockAt(NOON + 6 * MINUTE_MS) })
  const after = newClient(t, second.url)
  t.is((await fetch(`${second.url}/readyz`)).status, 200)
  t.true((await entries(after)) < asked + MANY)
  let ended = 0
  while (ended < asked + MANY) ended = await entries(after)
  t.like(await delegationOf(after, agent), { reserved: 0 })
  t.is(await entries(after), asked + MANY)
})

test('an expired reservation does not count, whether or not a timer has fired', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client, { terms: { spendLimitDaily: 10 } })
  for (let round = 0; round < 5; round += 1) {
    const { expiresAt, status: asked } = (await ask(service.client, agent.key, 10)).body
    t.is(asked, 'APPROVED')
    service.setClock(Date.parse(expiresAt))
    if (round % 2 === 0) t.like(await delegationOf(service.client, agent), { reserved: 0, remaining: { day: 10 } })
  }
})

test('an expired reservation does not prevent an execution', async (t) => {
  const service = await start(t, { at: NOON })
  const { client } = service
  const agent = await fundedAgent(client, { terms: { spendLimitDaily: 100 } })
  const over = (await ask(client, agent.key, 60)).body
  service.setClock(NOON + MINUTE_MS)
  const { requestId } = (await ask(client, agent.key, 40)).body
  const path = `/api/agents/${agent.agentId}/wallets/${agent.walletId}`
  t.is((await client.send('PATCH', path, ORGANIZATION_KEY, { spendLimitDaily: 50 })).status, 200)
  service.setClock(Date.parse(over.expiresAt))
  t.is((await execute(client, agent.key, requestId)).status, 200)
})

test('an approved payment lasts five minutes, one that waits for a person a day', async (t) => {
  const folder = newFolder(t)
  const first = await startService(t, folder, { env: clockAt(NOON) })
  const before = newClient(t, first.url)
  const agent = await fundedAgent(before)
  const waiting = await fundedAgent(before, { name: 'Waiting', terms: { delegationType: 'PREAPPROVED' } })
  const approved = (await ask(before, agent.key, 10)).body.requestId
  const asked = (await ask(before, waiting.key, 10)).body.requestId
  await first.stop()

  const second = await startService(t, folder, { env: clockAt(NOON + 4 * MINUTE_MS) })
  t.is((await execute(newClient(t, second.url), agent.key, approved)).status, 200)
  await second.stop()

  const third = await startService(t, folder, { env: clockAt(NOON + 23 * 60 * MINUTE_MS) })
  t.is((await status(newClient(t, third.url), waiting.key, asked)).body.status, 'REQUIRES_APPROVAL')
  await third.stop()

  const fourth = await startService(t, folder, { env: clockAt(NOON + 25 * 60 * MINUTE_MS) })
  t.is((await status(newClient(t, fourth.url), waiting.key, asked)).body.status, 'EXPIRED')
})

test('after midnight the daily limit is free again, and the weekly limit is not', async (t) => {
  const folder = newFolder(t)
  const first = await startService(t, folder, { env: clockAt(NOON) })
  const before = newClient(t, first.url)
  const agent = await fundedAgent(before, { terms: { spendLimitDaily: 10, spendLimitWeekly: 15 } })
  t.is((await ask(before, agent.key, 10, { autoExecute: true })).body.status, 'EXECUTED')
  t.is((await ask(before, agent.key, 1)).body.status, 'DENIED')
  await first.stop()

  const second = await startService(t, folder, { env: clockAt(NOON + 12 * 60 * MINUTE_MS) })
  const after = newClient(t, second.url)
  const refused = (await ask(after, agent.key, 10)).body
  t.deepEqual(
    refused.violations!.map(({ type }) => type),
    ['WEEKLY_LIMIT'],
  )
  t.is((await ask(after, agent.key, 5)).body.status, 'APPROVED')
})
