// Events: exactly one delivery of each, whatever happens to the service and its courier; kept until it is delivered or
// was tried as often as it should be; and those of one payment in the order in which things happened.
import type { Delivery, Payment as PaymentRecord } from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { SimulatedCourier, Received } from '../courier.js'
import type { Organization } from '../organization.js'
import type { Watch, World } from '../world.js'
import { grouped } from './grouped.js'
import { everyOne } from './reading.js'

/** Attempts of one that always fails. */
const TRIES = 3
/** Which payments have which event. */
const OUTCOMES: [event: string, status: string][] = [
  ['payment.executed', 'EXECUTED'],
  ['payment.denied', 'DENIED'],
  ['payment.expired', 'EXPIRED'],
]
const ORDER = ['payment.requested', 'payment.approved', 'payment.executed']

export class Deliveries implements Watch {
  readonly #world: World
  readonly #courier: SimulatedCourier

  constructor(world: World, courier: SimulatedCourier) {
    this.#world = world
    this.#courier = courier
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      const rows = await everyOne<Delivery>(this.#world, organization, '/api/webhooks/deliveries')
      const received = this.#courier.received.filter(({ endpoint }) => endpoint === `${organization.id}:`)
      ended(rows, received)
      sameBytes(received)
      inOrder(received)
      if (organization.isAlwaysTold) await this.#complete(organization, rows, received)
    }
  }

  /** Where there was an endpoint all the time, the outcomes of payments are counted against their events. */
  async #complete(organization: Organization, rows: readonly Delivery[], received: readonly Received[]): Promise<void> {
    const payments = await everyOne<PaymentRecord>(this.#world, organization, '/api/payments')
    const count = (event: string): number => rows.filter((row) => row.event === event).length
    const { name } = organization
    const requested = count('payment.requested')
    const are = (told: number, event: string): string => `${name} has ${told} deliveries of ${event}`
    demand('delivered', requested === payments.length, () => are(requested, `${payments.length} requests`))
    for (const [event, status] of OUTCOMES) {
      const should = payments.filter((payment) => payment.status === status).length
      demand('delivered', count(event) === should, () => `${are(count(event), event)}, and ${should} are ${status}`)
    }
    for (const [key, own] of grouped(received, ({ event, data }) => `${event} of ${paymentIn(data)}`)) {
      const ids = new Set(own.map(({ deliveryId }) => deliveryId))
      const isOnce = key.endsWith('undefined') || !OUTCOMES.some(([event]) => key.startsWith(event)) || ids.size === 1
      demand('delivered', isOnce, () => `${name} was told ${key} in ${ids.size} deliveries`)
    }
  }
}

/** Nothing waits any more; what ended well was accepted, and what did not was tried. */
function ended(rows: readonly Delivery[], received: readonly Received[]): void {
  const accepted = new Set(received.filter(({ isAccepted }) => isAccepted).map(({ deliveryId }) => deliveryId))
  for (const { id, event, status, attempts } of rows.filter(
    ({ agentId, channelId }) => agentId === null && !channelId,
  )) {
    demand('delivered', status !== 'PENDING', () => `${event} ${id} still waits`)
    const isTrue = status === 'DELIVERED' ? accepted.has(id) : wasTried(attempts)
    demand('delivered', isTrue, () => `${event} ${id} is ${status} after ${attempts.length} attempts`)
  }
}

/** There was nobody to tell it to, or everybody was told as often as it is tried. */
function wasTried(attempts: Delivery['attempts']): boolean {
  return attempts.length >= TRIES || attempts.some(({ error }) => error !== undefined && /removed/.test(error))
}

function sameBytes(received: readonly Received[]): void {
  for (const [id, own] of grouped(received, ({ deliveryId }) => deliveryId)) {
    const isSame = own.every(({ data, event }) => data === own[0]!.data && event === own[0]!.event)
    demand('delivered', isSame, () => `${id} was sent with two contents`)
  }
}

/** Ids of deliveries sort by the time of their events. */
function inOrder(received: readonly Received[]): void {
  for (const [payment, own] of grouped(received, ({ data }) => paymentIn(data))) {
    const known = ORDER.map((event) => own.find((one) => one.event === event)?.deliveryId).filter(isKnown)
    const isSorted = payment === undefined || known.join() === known.toSorted().join()
    demand('delivered', isSorted, () => `the events of ${payment} are in the order ${known.join()}`)
  }
}

const isKnown = (id: string | undefined): id is string => id !== undefined

function paymentIn(data: string): string | undefined {
  return (JSON.parse(data) as { paymentId?: string }).paymentId
}
