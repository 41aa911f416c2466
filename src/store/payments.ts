// What is kept of each payment: the actor, its holdings, and the answer to the request it came from. The three lie side
// by side, in the order in which payments were made: new payments fill the same few pages, however many there are. An
// id does not tell where its payment lies, so `places` does.
import { idOf, kindOf, type Actor } from '../actor/actor.js'
import type { Holding, Ref } from '../domain/gate.js'
import type { Memory } from '../domain/memory.js'
import { sortable } from './keys.js'
import type { Table } from './table.js'

export interface PaymentParts {
  actor: Actor
  held: readonly Holding[]
  memory: Memory
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

  has(id: string): boolean {
    return this.#places.get(id) !== undefined
  }

  get<Part extends PaymentPart>(id: string, part: Part): PaymentParts[Part] | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : (this.#rows.get(keyOf(place, id, part)) as PaymentParts[Part] | undefined)
  }

  /** The actor on disk, without pending writes. */
  committed(id: string): Actor | undefined {
    const place = this.#places.committed(id)
    return place === undefined ? undefined : (this.#rows.committed(keyOf(place, id, 'actor')) as Actor)
  }

  putActor(actor: Actor, isNew: boolean): void {
    const id = idOf(actor.ref)
    const place = actor.context['order'] as number
    if (isNew) this.#places.put(id, place)
    this.#rows.put(keyOf(place, id, 'actor'), actor)
  }

  /** Throws for a payment that does not exist: there is no place for it. */
  put(id: string, part: 'held' | 'memory', value: PaymentParts[typeof part]): void {
    const place = this.#places.get(id)
    if (place === undefined) throw new Error(`There is no payment ${id} that could have what is kept of it`)
    this.#rows.put(keyOf(place, id, part), value)
  }
}

function keyOf(place: number, id: string, part: PaymentPart): string {
  return `${sortable(place)}/${id}/${part}`
}
