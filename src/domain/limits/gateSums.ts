// What each kind of gate counts of the holds of payments, to be compared with the holds themselves.
import type { Micros } from '../values/money.js'

/** A number that the gate does not keep is absent. */
export interface GateSums {
  held?: Micros
  /** Of captures; it stops at the largest safe integer. */
  captured?: Micros
  captures?: number
  /** Captured, and not yet deep enough in the chain. */
  pending?: Micros
  /** Of a simulated balance. */
  balance?: Micros
}

interface Sums {
  held: Micros
}
interface Tally {
  sums: Sums
  total: Micros
}

const SUMS: { [kind: string]: (context: { [field: string]: unknown }) => GateSums } = {
  agent: ({ tally, executed }) => {
    const { sums, total } = tally as Tally
    return { held: sums.held, captured: total, captures: executed as number }
  },
  // Its total begins with what agents had spent before.
  budget: ({ tally }) => ({ held: (tally as Tally | null)?.sums.held ?? 0 }),
  card: ({ sums }) => ({ held: (sums as Sums).held }),
  cardAssignment: ({ sums }) => ({ held: (sums as Sums).held }),
  counterparty: ({ transactionCount, totalVolume }) => ({
    captures: transactionCount as number,
    captured: totalVolume as Micros,
  }),
  delegation: ({ sums }) => ({ held: (sums as Sums).held }),
  service: ({ payments, total }) => ({ captures: payments as number, captured: total as Micros }),
  wallet: ({ held, unsettled, balance, observed }) => ({
    held: held as Micros,
    pending: unsettled as Micros,
    ...(observed === null && { balance: balance as Micros }),
  }),
}

/** What this gate counts; nothing for an actor that is no gate. */
export function gateSumsOf(kind: string, context: { [field: string]: unknown }): GateSums {
  return SUMS[kind]?.(context) ?? {}
}
