// Cycles through the waiting payments, the oldest first, a portion at a time: payments that cannot progress never keep
// others from their turn.
import type { Ref } from '../domain/limits/gate.js'

/** Payments to be sent, and payments to be followed. */
export type List = 'calls' | 'followed'

export interface Portion {
  refs: Ref[]
  /** Where the next portion begins; undefined at the end of the list. */
  next: string | undefined
}

const LISTS: readonly List[] = ['calls', 'followed']
const PORTION = 1_000

export class RoundRobin {
  readonly #waiting: (list: List, limit: number, after: string | undefined) => Portion
  #list = 0
  #after: string | undefined
  #met = new Set<Ref>()

  constructor(waiting: (list: List, limit: number, after: string | undefined) => Portion) {
    this.#waiting = waiting
  }

  /** The next portion; with the last one of a cycle also all payments of that cycle. */
  next(): { refs: Ref[]; everybody: ReadonlySet<Ref> | undefined } {
    const refs: Ref[] = []
    while (refs.length < PORTION && this.#list < LISTS.length) {
      const portion = this.#waiting(LISTS[this.#list]!, PORTION - refs.length, this.#after)
      refs.push(...portion.refs)
      this.#after = portion.next
      if (portion.next === undefined) this.#list += 1
    }
    for (const ref of refs) this.#met.add(ref)
    return { refs, everybody: this.#list < LISTS.length ? undefined : this.#beginAnew() }
  }

  #beginAnew(): ReadonlySet<Ref> {
    const everybody = this.#met
    this.#met = new Set()
    this.#list = 0
    return everybody
  }
}
