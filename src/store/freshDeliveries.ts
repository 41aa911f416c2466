// The newest deliveries, until their first attempt. Most end within a second, so no index ever holds them. Memory holds
// them; after a restart they are the rows with an order of at least `from` and no state.
import type { Delivery } from '../domain/outcomes/delivery.js'
import { orderOf } from '../domain/values/ids.js'

/** A delivery is one of the newest until this many others were created after it. */
export const NEWEST = 2_000

interface Kept {
  delivery: Delivery
  number: number
}

export class FreshDeliveries {
  readonly #isIndexed: (delivery: Delivery) => boolean
  /** By id, in order of creation. */
  readonly #kept = new Map<string, Kept>()
  /** Deliveries that were added to the index, until it shows them on disk. */
  readonly #leaving = new Map<string, Delivery>()
  #made = 0
  #from = Infinity
  /** Value of `#made` when `from` was last raised. */
  #raisedAt = 0

  /** `isIndexed` is true once the index shows the delivery on disk. */
  constructor(isIndexed: (delivery: Delivery) => boolean) {
    this.#isIndexed = isIndexed
  }

  /** Lower bound of the orders of all fresh deliveries. */
  get from(): number {
    return this.#from
  }

  /** Adds a new delivery; returns those that are no longer among the newest, for the index. */
  add(delivery: Delivery): Delivery[] {
    this.#made += 1
    this.#kept.set(delivery.id, { delivery, number: this.#made })
    const old = this.#old()
    const order = orderOf(delivery.id)
    // After the clock was set back, a new delivery may have a lower order than all others.
    if (order < this.#from) this.#from = order
    else if (this.#made - this.#raisedAt >= NEWEST) this.#raise()
    return old
  }

  /** Adds a row that a restart finds at or after `from`; one that is not fresh only counts as created since. */
  recall(from: number, delivery: Delivery | undefined): void {
    this.#from = from
    this.#made += 1
    if (delivery) this.#kept.set(delivery.id, { delivery, number: this.#made })
  }

  /** Moves a delivery to the index, which holds it from the next commit on. */
  leave(delivery: Delivery): void {
    this.#kept.delete(delivery.id)
    for (const one of this.#leaving.values()) {
      if (!this.#isIndexed(one)) break
      this.#leaving.delete(one.id)
    }
    this.#leaving.set(delivery.id, delivery)
  }

  delete(id: string): void {
    this.#kept.delete(id)
    this.#leaving.delete(id)
  }

  /** True for a delivery that is in no index. */
  has(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Includes deliveries on their way to the index. */
  get(id: string): Delivery | undefined {
    return this.#kept.get(id)?.delivery ?? this.#leaving.get(id)
  }

  /** Includes deliveries on their way to the index. */
  which(matches: (delivery: Delivery) => boolean): Delivery[] {
    const found = [...this.#leaving.values()].filter(matches)
    for (const { delivery } of this.#kept.values()) if (matches(delivery)) found.push(delivery)
    return found
  }

  /** Number of an organization's deliveries that are in no index. */
  countOf(organization: string): number {
    let count = 0
    for (const { delivery } of this.#kept.values()) if (delivery.organization === organization) count += 1
    return count
  }

  #old(): Delivery[] {
    const old: Delivery[] = []
    for (const { delivery, number } of this.#kept.values()) {
      if (number > this.#made - NEWEST) break
      old.push(delivery)
    }
    return old
  }

  #raise(): void {
    this.#raisedAt = this.#made
    this.#from = Infinity
    for (const id of this.#kept.keys()) this.#from = Math.min(this.#from, orderOf(id))
  }
}
