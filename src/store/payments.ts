// What is kept of each payment: the actor, with its holds, and the idempotency record of its request. They lie side by
// side, in the order in which payments were made: new payments fill the same few pages, however many there are. An id
// does not tell where its payment lies, so `places` does.
import { idOf, kindOf, type Actor } from '../actor/actor.js'
import type { Ref } from '../domain/limits/gate.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import { heldKey, sortable } from './recordKeys.js'
import type { Table } from './table.js'

export interface PaymentParts {
  actor: Actor
  record: IdempotencyRecord
}
export type PaymentPart = keyof PaymentParts

/** True for the name of a payment or of the idempotency record of its request. */
export function isPayment(name: string): boolean {
  return kindOf(name as Ref) === 'payment'
}

export class Payments {
  readonly #rows: Table<PaymentParts[PaymentPart]>
  /** Orders by id. */
  readonly #places: Table<number>

  constructor(rows: Table<PaymentParts[PaymentPart]>, places: Table<number>) {
    this.#rows = rows
    this.#places = places
  }

  get<Part extends PaymentPart>(id: string, part: Part): PaymentParts[Part] | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : (this.#rows.get(keyOf(place, id, part)) as PaymentParts[Part] | undefined)
  }

  committed(id: string): Actor | undefined {
    const place = this.#places.committed(id)
    return place === undefined ? undefined : (this.#rows.committed(keyOf(place, id, 'actor')) as Actor)
  }

  sized(id: string): { value: Actor; bytes: number } | undefined {
    const place = this.#places.committed(id)
    if (place === undefined) return undefined
    return this.#rows.sized(keyOf(place, id, 'actor')) as { value: Actor; bytes: number } | undefined
  }

  /** Every payment on disk, the oldest first. */
  *everyActor(): Generator<Actor> {
    for (const [key, value] of this.#rows.range({})) if (key.endsWith('/actor')) yield value as Actor
  }

  /** Gives a new payment its place. */
  add(actor: Actor): void {
    this.#places.put(idOf(actor.ref), actor.context.order!)
    this.put(idOf(actor.ref), 'actor', actor)
  }

  /** False where there is no such payment: nothing is written. */
  put<Part extends PaymentPart>(id: string, part: Part, value: PaymentParts[Part]): boolean {
    const place = this.#places.get(id)
    if (place !== undefined) this.#rows.put(keyOf(place, id, part), value)
    return place !== undefined
  }
}

function keyOf(place: number, id: string, part: PaymentPart): string {
  return `${sortable(place)}/${id}/${part}`
}

/** Keys of the times from which gates count the payment; none for one that holds nothing any more. */
export function heldKeysOf({ ref, context }: Actor<'payment'>): string[] {
  const { gates, holds } = context
  return holds.flatMap(({ at }, place) => (at === undefined ? [] : [heldKey(gates[place]!.ref, at, idOf(ref))]))
}
