// Payments from before the bench begins. One payment of each agent is requested and executed by the real host; what
// that committed is committed again with other ids and times, as often as necessary. So every copy has all its rows,
// list entries and audit entries, written by the store's own commit; what the copies lack is their share in the sums of
// agents, delegations and wallets.
import { randomBytes } from 'node:crypto'
import { charts } from '../../machines/index.js'
import type { PaymentContext, PaymentEvent } from '../../machines/payment/chart.js'
import { kindOf, type Actor } from '../../src/actor/actor.js'
import type { Attempt } from '../../src/actor/attempt.js'
import type { Json } from '../../src/domain/values/canonical.js'
import { sha256Hex } from '../../src/domain/values/digest.js'
import { newId, orderedId } from '../../src/domain/values/ids.js'
import type { IdempotencyRecord } from '../../src/domain/outcomes/idempotencyRecord.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { decisionRecord } from '../../src/http/routes/payments/records.js'
import type { Change } from '../../src/store/change.js'
import { Store } from '../../src/store/store.js'

export interface Span {
  /** Epoch ms. */
  from: number
  to: number
}

export interface History {
  /** Ids of executed payments, each of a different agent. */
  samples: readonly string[]
  payments: number
  /** The time over which they are spread evenly. */
  span: Span
  /** Called with the number of payments now and then. */
  onProgress(made: number): void
}

const AT_ONCE = 5_000
const HOT_ACTORS = 20_000
const ORDERS_PER_MS = 1000
const TELL_EVERY = 100_000

/** A store that remembers its last commit. */
class RecordingStore extends Store {
  last: Change | undefined

  override commit(change: Change): Promise<void> {
    this.last = change
    return super.commit(change)
  }
}

/** What a payment committed, as parts of JSON; between them are its ids and times. */
interface Template {
  parts: string[]
  /** The name that fills each gap between the parts. */
  holes: (keyof Name)[]
}

/** What distinguishes a copy from other payments. */
interface Name {
  id: string
  transaction: string
  order: string
  at: string
}

export async function writeHistory(folder: string, { samples, payments, span, onProgress }: History): Promise<void> {
  const store = new RecordingStore(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: HOT_ACTORS })
  const timeOf = (index: number): number => Math.floor(span.from + ((span.to - span.from) * index) / payments)
  const first = samples.slice(0, payments)
  const templates = await Promise.all(first.map((sample, index) => recorded(store, host, sample, timeOf(index))))
  const copy = (index: number): Promise<unknown> => {
    const at = timeOf(index)
    const order = at * ORDERS_PER_MS + (index % ORDERS_PER_MS)
    const [id, transaction] = [newId(randomBytes), `tx_${orderedId(order, randomBytes)}`]
    const name = { id, transaction, order: String(order), at: String(at) }
    return store.commit(named(templates[index % templates.length]!, name))
  }
  for (let made = templates.length; made < payments; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, payments - made) }, (_, at) => copy(made + at)))
    if (made % TELL_EVERY < AT_ONCE) onProgress(made)
  }
  await store.close()
}

/** Makes a payment like the sample, and a template of what it committed. */
async function recorded(store: RecordingStore, host: EmbeddedHost, sample: string, now: number): Promise<Template> {
  const context = store.actor(`payment/${sample}`)!.context as unknown as PaymentContext
  const fields = like(context, now * ORDERS_PER_MS)
  const command = { type: 'REQUEST', now, organization: context.organization, fields: fields as unknown as Json }
  const by = { type: 'AGENT_KEY', id: context.terms!.agentId }
  const attempt = host.attempt(by)!
  const reply = attempt.send(`payment/${fields.id}`, command)
  const committed = attempt.commit(recordOf(reply.actor, attempt))
  // It is handed to the store already, before it yields.
  const { actors, ...change } = store.last!
  await committed
  if (!reply.ok || reply.actor.state !== 'executed') throw new Error('A payment of the history was not executed')
  const own = { ...change, actors: actors.filter(({ after }) => kindOf(after.ref) === 'payment') }
  const name = { id: fields.id, transaction: fields.transactionId, order: String(fields.order), at: String(now) }
  return templateOf(JSON.stringify(own), name)
}

/** The idempotency record that the service would commit with it. */
function recordOf(payment: Actor<'payment'>, attempt: Attempt): IdempotencyRecord {
  return {
    key: payment.ref,
    bodyHash: sha256Hex(payment.ref),
    status: 200,
    body: decisionRecord(payment, (ref) => attempt.actor(ref)),
    expiresAt: null,
  }
}

function templateOf(json: string, name: Name): Template {
  const texts = new Map(Object.entries(name).map(([hole, text]) => [text, hole as keyof Name]))
  // The order begins with the time, so the longer one has to be found first.
  const { id, transaction, order, at } = name
  const pieces = json.split(new RegExp(`(${transaction}|${id}|${order}|${at})`))
  const isHole = (_: string, index: number): boolean => index % 2 === 1
  return {
    parts: pieces.filter((piece, index) => !isHole(piece, index)),
    holes: pieces.filter(isHole).map((text) => texts.get(text)!),
  }
}

function named({ parts, holes }: Template, name: Name): Change {
  const json = parts.reduce((text, part, index) => text + name[holes[index - 1]!] + part)
  return JSON.parse(json) as Change
}

function like(context: PaymentContext, order: number): Extract<PaymentEvent, { type: 'REQUEST' }>['fields'] {
  const { terms, decision, gates, approvedForMs } = context
  const id = newId(randomBytes)
  return {
    id,
    order,
    terms,
    decision,
    gates,
    approvedForMs,
    approval: null,
    autoExecute: true,
    autoExecuteError: null,
    transactionId: `tx_${id}`,
  }
}
