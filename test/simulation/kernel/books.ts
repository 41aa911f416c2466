// All that was committed, as the simulation counts it: actors, and the holds that payments' records say their gates have.
// It does not look at what gates count themselves.
import { kindOf, type Actor } from '../../../src/actor/actor.js'
import { isCaptured, type Gate, type Hold, type Ref } from '../../../src/domain/limits/gate.js'

/** The holds of one gate, by payment. */
export type Rows = ReadonlyMap<string, Hold>

/** What clients and invariants can look up. */
export interface Known {
  readonly actors: ReadonlyMap<Ref, Actor>
  /** Epoch ms. */
  now: number
}

const NO_ROWS: Rows = new Map()

export function total(rows: Rows, which: 'held' | 'captured', since = -Infinity): number {
  let sum = 0
  for (const hold of rows.values()) {
    if (isCaptured(hold) === (which === 'captured') && (hold.capturedAt ?? 0) >= since) sum += hold.amount
  }
  return sum
}

export const captures = (rows: Rows): Hold[] => [...rows.values()].filter(isCaptured)

/** The holds of a payment, by gate. */
export function holdsOf(payment: Actor | undefined): Map<Ref, Hold> {
  const { gates = [], holds = [] } = (payment?.context ?? {}) as unknown as { gates?: Gate[]; holds?: Hold[] }
  return new Map(holds.map((hold, place) => [gates[place]!.ref, hold]))
}

export class Books implements Known {
  readonly actors = new Map<Ref, Actor>()
  now: number
  readonly #rows = new Map<Ref, Map<string, Hold>>()

  constructor(now: number) {
    this.now = now
  }

  rowsAt(gate: Ref): Rows {
    return this.#rows.get(gate) ?? NO_ROWS
  }

  /** Takes in one commit of an actor. */
  note(after: Actor): void {
    if (kindOf(after.ref) === 'payment') this.#noteHolds(this.actors.get(after.ref), after)
    this.actors.set(after.ref, after)
  }

  #noteHolds(before: Actor | undefined, after: Actor): void {
    const id = after.ref.slice('payment/'.length)
    for (const gate of holdsOf(before).keys()) this.#rows.get(gate)?.delete(id)
    for (const [gate, hold] of holdsOf(after)) {
      const rows = this.#rows.get(gate) ?? new Map<string, Hold>()
      this.#rows.set(gate, rows.set(id, hold))
    }
  }
}
