// Cycles through the waiting payments, the oldest first, a portion at a time: payments that cannot progress never keep
// others from their turn.
import type { Ref } from '../domain/limits/gate.js'

/** Payments to be sent, and payments to be followed. */
export type Queue = 'toSend' | 'toFollow'

export interface Portion {
  refs: Ref<'payment'>[]
  /** Where the next portion begins; undefined at the end of the list. */
  next: string | undefined
}

const QUEUES: readonly Queue[] = ['toSend', 'toFollow']
const PORTION = 1_000

export class RoundRobin {
  readonly #waiting: (queue: Queue, limit: number, after: string | undefined) => Portion
  #list = 0
  #after: string | undefined
  #met = new Set<Ref<'payment'>>()

  constructor(waiting: (queue: Queue, limit: number, after: string | undefined) => Portion) {
    this.#waiting = waiting
  }

  /** The next portion; with the last one of a cycle also all payments of that cycle. */
  next(): { refs: Ref<'payment'>[]; everybody: ReadonlySet<Ref<'payment'>> | undefined } {
    const refs: Ref<'payment'>[] = []
    while (refs.length < PORTION && this.#list < QUEUES.length) {
      const portion = this.#waiting(QUEUES[this.#list]!, PORTION - refs.length, this.#after)
      refs.push(...portion.refs)
      this.#after = portion.next
      if (portion.next === undefined) this.#list += 1
    }
    for (const ref of refs) this.#met.add(ref)
    return { refs, everybody: this.#list < QUEUES.length ? undefined : this.#beginAnew() }
  }

  #beginAnew(): ReadonlySet<Ref<'payment'>> {
    const everybody = this.#met
    this.#met = new Set()
    this.#list = 0
    return everybody
  }
}
