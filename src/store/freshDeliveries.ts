// The newest deliveries, as long as nothing became of them. Most end within a second: no index ever holds them. They
// are known from memory and, after a restart, by having no state among the rows whose order is not below `from`.
import type { Delivery } from '../domain/delivery.js'
import { orderOf } from '../domain/ids.js'

/** After so many others a delivery is not one of the newest. */
export const NEWEST = 2_000

interface Kept {
  delivery: Delivery
  number: number
}

export class FreshDeliveries {
  readonly #isIndexed: (delivery: Delivery) => boolean
  /** By id, in the order of their making. */
  readonly #kept = new Map<string, Kept>()
  /** They are in the index, which shows them when it is on disk. */
  readonly #leaving = new Map<string, Delivery>()
  #made = 0
  #from = Infinity
  /** How many were made when `from` was raised. */
  #raisedAt = 0

  /** `isIndexed` says that the index shows one that left. */
  constructor(isIndexed: (delivery: Delivery) => boolean) {
    this.#isIndexed = isIndexed
  }

  /** None of them has a lower order. */
  get from(): number {
    return this.#from
  }

  /** Takes in one that is new; gives those that are not among the newest any more, for the index. */
  add(delivery: Delivery): Delivery[] {
    this.#made += 1
    this.#kept.set(delivery.id, { delivery, number: this.#made })
    const old = this.#old()
    const order = orderOf(delivery.id)
    // Where the clock was set back, a new one may have a lower order than all others.
    if (order < this.#from) this.#from = order
    else if (this.#made - this.#raisedAt >= NEWEST) this.#raise()
    return old
  }

  /** Takes in what a restart finds among the rows from `from` on; a row that is not fresh counts as one made since. */
  recall(from: number, delivery: Delivery | undefined): void {
    this.#from = from
    this.#made += 1
    if (delivery) this.#kept.set(delivery.id, { delivery, number: this.#made })
  }

  /** It is in the index from the next commit on. */
  leave(delivery: Delivery): void {
    this.#kept.delete(delivery.id)
    for (const one of this.#leaving.values()) {
      if (!this.#isIndexed(one)) break
      this.#leaving.delete(one.id)
    }
    this.#leaving.set(delivery.id, delivery)
  }

  /** It ended. */
  delete(id: string): void {
    this.#kept.delete(id)
    this.#leaving.delete(id)
  }

  /** True for one that is in no index. */
  has(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Those that are leaving, too. */
  get(id: string): Delivery | undefined {
    return this.#kept.get(id)?.delivery ?? this.#leaving.get(id)
  }

  /** Those that are leaving, too. */
  which(isMeant: (delivery: Delivery) => boolean): Delivery[] {
    const found = [...this.#leaving.values()].filter(isMeant)
    for (const { delivery } of this.#kept.values()) if (isMeant(delivery)) found.push(delivery)
    return found
  }

  /** Those of an organization that are in no index. */
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
