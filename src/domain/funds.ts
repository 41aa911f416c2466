// What a wallet has: a balance, what payments hold of it, and in live settlement what is on its way out. The chain says
// what there is; what was captured and is not yet deep enough in the chain is taken off it, so that nothing is promised
// twice and nothing is counted twice.
import { addMicros, type Micros } from './money.js'
import type { Entry } from './gate.js'

/** A balance read from the chain. */
export interface Look {
  balance: Micros
  /** The block that it is of. */
  block: number
}

/** What was read last, less the transfers that are known to lie in later blocks. */
export interface Observed extends Look {
  /** The block that was read: transfers up to here show in the balance by themselves. */
  readAt: number
}

export interface Funds {
  /** Funds, holds included. INVARIANT: once observed, what was observed less what is unsettled. */
  balance: Micros
  /** What was captured for transfers that the observed balance does not show yet. */
  unsettled: Micros
  /** Null as long as the balance is simulated or unknown. */
  observed: Observed | null
}

/**
 * How a capture counts. Simulated, it is gone. A transfer of the service's own is gone too, but the chain will tell so
 * only later. One that somebody else made is in the chain already.
 */
export type Transfer = Entry['transfer']

export function afterCapture({ balance, unsettled, observed }: Funds, amount: Micros, transfer: Transfer): Funds {
  if (transfer === 'settled') return { balance, unsettled, observed }
  const out = transfer === 'pending' ? addMicros(unsettled, amount) : unsettled
  return { balance: balance - amount, unsettled: out, observed }
}

/** Somebody else's transfer is in this block, for good. */
export function afterSettled(funds: Funds, amount: Micros, block: number): Funds {
  return afterTransfer(afterCapture(funds, amount, 'pending'), amount, block)
}

export function withoutCapture({ balance, unsettled, observed }: Funds, { amount, transfer }: Entry): Funds {
  if (transfer === 'settled') return { balance, unsettled, observed }
  const out = transfer === 'pending' ? unsettled - amount : unsettled
  return { balance: addMicros(balance, amount), unsettled: out, observed }
}

/** The transfer is in this block, for good. A balance that was read before is known to have fallen since. */
export function afterTransfer({ balance, unsettled, observed }: Funds, amount: Micros, block: number): Funds {
  const left = unsettled - amount
  if (observed === null || block <= observed.readAt) return { balance: addMicros(balance, amount), unsettled: left, observed }
  const fallen = { ...observed, balance: observed.balance - amount, block: Math.max(observed.block, block) }
  return { balance, unsettled: left, observed: fallen }
}

/** The chain has left the block that the transfer was in: what it says of the balance shows it no more, or soon will not. */
export function afterReorg({ balance, unsettled, observed }: Funds, amount: Micros): Funds {
  return { balance: balance - amount, unsettled: addMicros(unsettled, amount), observed }
}

/** What the chain says now; nothing where it spoke of an earlier block than is known already. */
export function afterLook(funds: Funds, seen: Look): Funds {
  if (funds.observed !== null && seen.block < funds.observed.block) return funds
  const observed = { ...seen, readAt: seen.block }
  return { balance: seen.balance - funds.unsettled, unsettled: funds.unsettled, observed }
}
