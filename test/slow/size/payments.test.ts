// A folder with many payments: written without keeping them all in memory, opened, and read.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { newClient, type Client } from '../../support/client.js'
import { EXECUTED, HOT_ACTORS, multiply, NOON, withOnePayment } from '../../support/manyPayments.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { ask, balanceOf, delegationOf } from '../../support/payments.js'
import type { PaymentList, Stats } from '../../../sdk/api.js'

const PAYMENTS = 100_000

test.serial(
  `a folder of ${PAYMENTS} payments is written in bounded memory, and shows its sums and its newest payments`,
  async (t) => {
    t.timeout(150_000)
    const folder = newFolder(t)
    const { agent, sample } = await withOnePayment(t, folder)
    const startedAt = performance.now()
    t.true((await multiply(folder, sample, PAYMENTS)) <= HOT_ACTORS)
    const seconds = (performance.now() - startedAt) / 1000
    const megabytes = statSync(join(folder, 'data.mdb')).size / 1e6
    t.log(`${PAYMENTS} payments written in ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`)

    const service = await startService(t, folder, { env: { ...clockAt(NOON), BURSAR_HOT_ACTORS: String(HOT_ACTORS) } })
    t.log(`ready in ${Math.round(service.startedInMs)} ms`)
    const client = newClient(t, service.url)
    const executed = PAYMENTS / EXECUTED + 1
    t.is(await balanceOf(client, agent), 1_000_000 - executed)
    t.like(await delegationOf(client, agent), { spent: { day: executed }, reserved: 0 })
    const list = await client.get<PaymentList>('/api/sdk/payments?limit=100', agent.key)
    t.is(list.body.pagination.total, PAYMENTS + 1)
    t.is(list.body.payments.filter(({ status }) => status === 'EXECUTED').length, 100 / EXECUTED)
    t.is((await ask(client, agent.key, 1)).body.status, 'APPROVED')
    await showsStats(t, client)
    t.deepEqual(await service.stop(), { code: 0, signal: null })
  },
)

async function showsStats(t: ExecutionContext, client: Client): Promise<void> {
  for (const by of ['agent', 'counterparty', 'agent,day']) {
    const since = performance.now()
    const { totals } = (await client.get<Stats>(`/api/stats?by=${by}`, ORGANIZATION_KEY)).body
    t.log(`sums by ${by} after ${(performance.now() - since).toFixed(1)} ms`)
    t.deepEqual([totals.requested.count, totals.executed.count], [PAYMENTS + 2, PAYMENTS / EXECUTED + 1])
  }
}
