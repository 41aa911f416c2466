// A folder with many payments, written without keeping them all in memory.
import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { deliver } from '../../src/actor/host.js'
import { charts } from '../../machines/index.js'
import type { PaymentContext, PaymentEvent } from '../../machines/payment/chart.js'
import type { Actor } from '../../src/actor/actor.js'
import type { Json } from '../../src/domain/values/canonical.js'
import { newId, noRandom } from '../../src/domain/values/ids.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { Store } from '../../src/store/store.js'
import { newClient } from './client.js'
import { clockAt, startService } from './process.js'
import { ask, fundedAgent, type FundedAgent } from './payments.js'

/** One of this many is executed; the others are denied, which is quicker to write. */
export const EXECUTED = 10
const AT_ONCE = 500
export const HOT_ACTORS = 1000
export const NOON = Date.parse('2031-07-09T12:00:00Z')

/** An agent that has executed one payment, and that payment as it is stored. */
export async function withOnePayment(
  t: ExecutionContext,
  folder: string,
): Promise<{ agent: FundedAgent; sample: Actor }> {
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

/** Makes payments like this one, each with a reference of its own, the first with INV-0; returns the largest number of actors that were in memory. */
export async function multiply(folder: string, sample: Actor, payments: number): Promise<number> {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: HOT_ACTORS })
  let most = 0
  for (let made = 0; made < payments; made += AT_ONCE) {
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
    terms: { ...terms!, reference: `INV-${index}` },
    decision,
    gates: gates.map((gate) => ({ ...gate, holder: id })),
    approvedForMs,
    approval: null,
    autoExecute: true,
    autoExecuteError: null,
    transactionId: `tx_${id}`,
  }
}
