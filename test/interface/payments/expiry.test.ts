// Payments that nobody executes in time: they expire at their stored time, also while the service is down.
import test from 'ava'
import { start, type Started } from '../../support/service.js'
import { runs } from '../../support/depth.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, delegationOf, execute, fundedAgent, status, type Payment } from '../../support/payments.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const MINUTE_MS = 60_000
const MANY = runs(1_500, 300)
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })

/** Stops it and starts it on the same folder, at a later time. */
async function restartAt(service: Started, at: number): Promise<void> {
  await service.stop()
  service.setClock(at)
  await service.restart()
}

test('a payment that expires while the service is down is EXPIRED after the restart', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client, { terms: { spendLimitDaily: 15 } })
  const expiring = (await ask(service.client, agent.key, 10)).body
  const kept = (await ask(service.client, agent.key, 5, { autoExecute: true })).body
  t.true(Date.parse(expiring.expiresAt) - NOON >= 5 * MINUTE_MS)

  await restartAt(service, NOON + 6 * MINUTE_MS)
  const { client } = service
  t.deepEqual(failureOf(await execute(client, agent.key, expiring.requestId)), { status: 400, code: 'EXPIRED' })
  t.is((await status(client, agent.key, expiring.requestId)).body.status, 'EXPIRED')
  t.is((await status(client, agent.key, kept.requestId)).body.status, 'EXECUTED')
  const cancelled = await client.post<Payment>(`/api/sdk/payments/${expiring.requestId}/cancel`, agent.key)
  t.deepEqual(failureOf(cancelled), { status: 400, code: 'INVALID_STATUS' })
  t.like(await delegationOf(client, agent), { reserved: 0, spent: { day: 5 } })
  t.is((await ask(client, agent.key, 10)).body.status, 'APPROVED')
})

test('a service is ready before it has ended what was over at its start, and ends it in the background', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client)
  const entries = async (): Promise<number> => {
    const path = '/api/audit-logs?limit=1'
    const { body } = await service.client.get<{ pagination: { total: number } }>(path, ORGANIZATION_KEY)
    return body.pagination.total
  }
  await Promise.all(Array.from({ length: MANY }, () => ask(service.client, agent.key, 1)))
  const asked = await entries()

  await restartAt(service, NOON + 6 * MINUTE_MS)
  t.is((await fetch(`${service.url}/readyz`)).status, 200)
  t.true((await entries()) < asked + MANY)
  let ended = 0
  while (ended < asked + MANY) ended = await entries()
  t.like(await delegationOf(service.client, agent), { reserved: 0 })
  t.is(await entries(), asked + MANY)
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
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client)
  const waiting = await fundedAgent(service.client, { name: 'Waiting', terms: { delegationType: 'PREAPPROVED' } })
  const approved = (await ask(service.client, agent.key, 10)).body.requestId
  const asked = (await ask(service.client, waiting.key, 10)).body.requestId

  await restartAt(service, NOON + 4 * MINUTE_MS)
  t.is((await execute(service.client, agent.key, approved)).status, 200)

  await restartAt(service, NOON + 23 * 60 * MINUTE_MS)
  t.is((await status(service.client, waiting.key, asked)).body.status, 'REQUIRES_APPROVAL')

  await restartAt(service, NOON + 25 * 60 * MINUTE_MS)
  t.is((await status(service.client, waiting.key, asked)).body.status, 'EXPIRED')
})

test('after midnight the daily limit is free again, and the weekly limit is not', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client, { terms: { spendLimitDaily: 10, spendLimitWeekly: 15 } })
  t.is((await ask(service.client, agent.key, 10, { autoExecute: true })).body.status, 'EXECUTED')
  t.is((await ask(service.client, agent.key, 1)).body.status, 'DENIED')

  await restartAt(service, NOON + 12 * 60 * MINUTE_MS)
  const refused = (await ask(service.client, agent.key, 10)).body
  t.deepEqual(
    refused.violations!.map(({ type }) => type),
    ['WEEKLY_LIMIT'],
  )
  t.is((await ask(service.client, agent.key, 5)).body.status, 'APPROVED')
})
