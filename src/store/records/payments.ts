// Payments, each in one row, with its holds and the idempotency record of its request. The rows lie in the order in which
// payments were made: new ones fill the same few pages, however many there are. An id that does not begin with its
// payment's order has a row in `places`.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import { base36, fromBase36 } from '../../domain/values/base36.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import { orderedPrefix, orderOf } from '../../domain/values/ids.js'
import type { Table } from '../table.js'
import type { Sized } from './actors.js'
import type { StoredContexts } from './storedContexts.js'
import { heldKey, under } from './keys.js'
import { paymentFrom, recordFrom, storedPayment, type StoredPayment } from './paymentForm.js'

/** True for the name of a payment or of the idempotency record of its request. */
export function isPayment(name: string): name is Ref<'payment'> {
  return kindOf(name as Ref) === 'payment'
}

/** Records kept in memory. */
const RECORDS = 20_000

export class Payments {
  readonly #rows: Table<StoredPayment>
  /** Orders by id. */
  readonly #places: Table<number>
  readonly #contexts: StoredContexts
  /** The records of recent payments, which are written with them again; null for a payment that has none. */
  readonly #records = new BoundedCache<Ref, IdempotencyRecord | null>(RECORDS)
  #lastOrder: number

  constructor(rows: Table<StoredPayment>, places: Table<number>, contexts: StoredContexts) {
    this.#rows = rows
    this.#places = places
    this.#contexts = contexts
    this.#lastOrder = 0
    for (const key of rows.keys({ reverse: true, limit: 1 })) this.#lastOrder = orderIn(key)
  }

  /** No payment has a later one. */
  get lastOrder(): number {
    return this.#lastOrder
  }

  get(ref: Ref<'payment'>): Actor<'payment'> | undefined {
    const key = this.#keyOf(ref)
    const stored = key === undefined ? undefined : this.#rows.get(key)
    return stored && this.#payment(ref, orderIn(key!), stored)
  }

  committed(ref: Ref<'payment'>): Actor<'payment'> | undefined {
    return this.sized(ref)?.value
  }

  sized(ref: Ref<'payment'>): (Sized & { value: Actor<'payment'> }) | undefined {
    const key = this.#keyOf(ref)
    const found = key === undefined ? undefined : this.#rows.sized(key)
    return found && { value: this.#payment(ref, orderIn(key!), found.value), bytes: found.bytes }
  }

  record(ref: Ref<'payment'>): IdempotencyRecord | undefined {
    return this.#recordOf(ref) ?? undefined
  }

  /** The payment of an order, on disk. */
  refAt(order: number): Ref<'payment'> | undefined {
    for (const key of this.#rows.keys({ ...under(base36(order)), limit: 1 })) return refIn(key)
    return undefined
  }

  /** Every payment on disk, the oldest first. */
  *all(): Generator<Actor<'payment'>> {
    for (const [key, stored] of this.#rows.range({})) yield this.#payment(refIn(key), orderIn(key), stored)
  }

  /** `record` is that of the request that makes the payment. */
  put(before: Actor | undefined, after: Actor<'payment'>, record: IdempotencyRecord | undefined): void {
    if (before === undefined) this.#add(after)
    const { ref, context } = after
    const own = before === undefined ? record : (this.#recordOf(ref) ?? undefined)
    if (before === undefined) this.#records.set(ref, own ?? null)
    const text = (): string => JSON.stringify(storedPayment(after, own, this.#contexts))
    this.#rows.putJson(keyOf(context.order, idOf(ref)), text)
  }

  /** Committed keys of rows, in order, at most `limit`. */
  keys(after: string, limit: number): string[] {
    return [...this.#rows.keys({ start: after === '' ? '' : `${after}\0`, limit })]
  }

  /** Queues a payment as the present version stores it, where its row is of an earlier one. */
  renew(key: string): void {
    const ref = refIn(key)
    const { version } = this.#rows.get(key)!
    const payment = version < this.#contexts.version(ref) ? this.get(ref) : undefined
    if (payment) this.put(payment, payment, undefined)
  }

  #recordOf(ref: Ref<'payment'>): IdempotencyRecord | null | undefined {
    const known = this.#records.get(ref)
    if (known !== undefined) return known
    const key = this.#keyOf(ref)
    const stored = key === undefined ? undefined : this.#rows.get(key)
    return stored && (recordFrom(ref, orderIn(key!), stored, this.#contexts) ?? null)
  }

  /** Throws for an order that another payment has: lists name payments by their orders. */
  #add({ ref, context: { order } }: Actor<'payment'>): void {
    const other = order > this.#lastOrder ? undefined : this.refAt(order)
    if (other !== undefined) throw new Error(`${ref} cannot have order ${order}, which ${other} has`)
    this.#lastOrder = Math.max(order, this.#lastOrder)
    if (!idOf(ref).startsWith(orderedPrefix(order))) this.#places.put(idOf(ref), order)
  }

  #payment(ref: Ref<'payment'>, order: number, stored: StoredPayment): Actor<'payment'> {
    return paymentFrom(ref, order, stored, this.#contexts)
  }

  /** Undefined for an id that no payment has; the row may still be missing. */
  #keyOf(ref: Ref<'payment'>): string | undefined {
    const id = idOf(ref)
    const order = this.#places.get(id) ?? orderOf(id)
    // The ids that have places begin with any digits.
    return order <= this.#lastOrder ? keyOf(order, id) : undefined
  }
}

function keyOf(order: number, id: string): string {
  return `${base36(order)}/${id}`
}

function orderIn(key: string): number {
  return fromBase36(key.slice(0, key.indexOf('/')))
}

function refIn(key: string): Ref<'payment'> {
  return `payment/${key.slice(key.indexOf('/') + 1)}`
}

/** Keys of the times from which gates count the payment; none for one that holds nothing any more. */
export function heldKeysOf({ ref, context }: Actor<'payment'>): string[] {
  const { gates, holds } = context
  return holds.flatMap(({ at }, place) => (at === undefined ? [] : [heldKey(gates[place]!.ref, at, idOf(ref))]))
}
