// A folder with many payments: written without keeping them all in memory, opened, and read.
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { charts } from '../../../machines/index.js'
import type { PaymentContext, PaymentEvent } from '../../../machines/payment/chart.js'
import type { Actor } from '../../../src/actor/actor.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { newId, noRandom } from '../../../src/domain/values/ids.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import { Store } from '../../../src/store/store.js'
import { newClient } from '../../support/client.js'
import { clockAt, newFolder, startService } from '../../support/process.js'
import { ask, balanceOf, delegationOf, fundedAgent, type FundedAgent } from '../../support/payments.js'
import type { PaymentList } from '../../../sdk/api.js'

const PAYMENTS = 100_000
/** One of this many is executed; the others are denied, which is quicker to write. */
const EXECUTED = 10
const AT_ONCE = 500
const HOT_ACTORS = 1000
const NOON = Date.parse('2031-07-09T12:00:00Z')

test.serial(
  `a folder of ${PAYMENTS} payments is written in bounded memory, and shows its sums and its newest payments`,
  async (t) => {
    t.timeout(150_000)
    const folder = newFolder(t)
    const { agent, sample } = await withOnePayment(t, folder)
    const startedAt = performance.now()
    t.true((await multiply(folder, sample)) <= HOT_ACTORS)
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
    t.deepEqual(await service.stop(), { code: 0, signal: null })
  },
)

/** An agent that has executed one payment, and that payment as it is stored. */
async function withOnePayment(t: ExecutionContext, folder: string): Promise<{ agent: FundedAgent; sample: Actor }> {
  const service = await startService(t, folder, { env: clockAt(NOON) })
  t.log(`an empty folder is ready in ${Math.round(service.startedInMs)} ms`)
  const client = newClient(t, service.url)
  const agent = await fundedAgent(client, { balance: 1_000_000 })
  const { requestId } = (await ask(client, agent.key, 1, { autoExecute: true })).body
  await service.stop()
  const store = new Store(noRandom, charts)
  store.open(folder)
  const sample = store.actor(`payment/${requestId}`)!
  await store.close()
  return { agent, sample }
}

/** Makes payments like this one; returns the largest number of actors that were in memory. */
async function multiply(folder: string, sample: Actor): Promise<number> {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: HOT_ACTORS })
  let most = 0
  for (let made = 0; made < PAYMENTS; made += AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, (_, index) => {
      const fields = like(sample.context as unknown as PaymentContext, made + index)
      const organization = sample.context['organization'] as string
      const command = { type: 'REQUEST', now: NOON, organization, fields: fields as unknown as Json }
      return deliver(host, { type: 'AGENT_KEY', id: 'test' }, `payment/${fields.id}`, command)
    })
    await Promise.all(requests)
    most = Math.max(most, host.hotActors)
  }
  await store.close()
  return most
}

function like(context: PaymentContext, index: number): Extract<PaymentEvent, { type: 'REQUEST' }>['fields'] {
  const { terms, gates, approvedForMs } = context
  const outcome = index % EXECUTED === 0 ? 'APPROVED' : 'DENIED'
  const decision: PaymentContext['decision'] = { ...context.decision!, outcome }
  const id = newId(randomBytes)
  return {
    id,
    order: NOON * 1000 + index,
    terms,
    decision,
    gates: gates.map((gate) => ({ ...gate, holder: id })),
    approvedForMs,
    approval: null,
    autoExecute: true,
    autoExecuteError: null,
    transactionId: `tx_${id}`,
  }
}
