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
  /** By id, in the order of their making. */
  readonly #kept = new Map<string, Kept>()
  #made = 0
  #from = Infinity
  /** How many were made when `from` was raised. */
  #raisedAt = 0

  /** None of them has a lower order. */
  get from(): number {
    return this.#from
  }

  /** Takes in one that is new; gives those that are not among the newest any more. */
  add(delivery: Delivery): Delivery[] {
    this.#made += 1
    this.#kept.set(delivery.id, { delivery, number: this.#made })
    const left = this.#leave()
    const order = orderOf(delivery.id)
    // Where the clock was set back, a new one may have a lower order than all others.
    if (order < this.#from) this.#from = order
    else if (this.#made - this.#raisedAt >= NEWEST) this.#raise()
    return left
  }

  /** Takes in what a restart finds among the rows from `from` on; those that are not fresh count as others. */
  recall(from: number, delivery: Delivery | undefined): void {
    this.#from = from
    this.#made += 1
    if (delivery) this.#kept.set(delivery.id, { delivery, number: this.#made })
  }

  get(id: string): Delivery | undefined {
    return this.#kept.get(id)?.delivery
  }

  /** Something became of it. */
  delete(id: string): void {
    this.#kept.delete(id)
  }

  which(isMeant: (delivery: Delivery) => boolean): Delivery[] {
    const found: Delivery[] = []
    for (const { delivery } of this.#kept.values()) if (isMeant(delivery)) found.push(delivery)
    return found
  }

  #leave(): Delivery[] {
    const left: Delivery[] = []
    for (const { delivery, number } of this.#kept.values()) {
      if (number > this.#made - NEWEST) break
      this.#kept.delete(delivery.id)
      left.push(delivery)
    }
    return left
  }

  #raise(): void {
    this.#raisedAt = this.#made
    this.#from = Infinity
    for (const id of this.#kept.keys()) this.#from = Math.min(this.#from, orderOf(id))
  }
}
