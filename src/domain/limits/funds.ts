// A wallet's funds: balance, holds, and in live settlement transfers on their way out. The balance comes from the
// chain, less captures that are not deep enough in it, so that no amount is promised twice or counted twice.
import { addMicros, type Micros } from '../values/money.js'
import type { Hold } from './gate.js'

/** A balance read from the chain. */
export interface BalanceReading {
  balance: Micros
  /** The block that was read. */
  block: number
}

/** The balance read last, less the transfers known to lie in later blocks. */
export interface Observed extends BalanceReading {
  /** The block that was read: the balance includes transfers up to here. */
  readAt: number
}

export interface Funds {
  /** Funds, holds included. INVARIANT: once observed, this is the observed balance less what is unsettled. */
  balance: Micros
  /** Captured for transfers that the observed balance does not include yet. */
  unsettled: Micros
  /** Null while the balance is simulated or unknown. */
  observed: Observed | null
}

/**
 * How a capture counts. Undefined (simulated): the amount is gone. `pending` (a transfer by the service): gone, but the
 * chain shows it only later. `settled` (a transfer by the agent): in the chain already.
 */
export type Transfer = Hold['transfer']

export function afterCapture({ balance, unsettled, observed }: Funds, amount: Micros, transfer: Transfer): Funds {
  if (transfer === 'settled') return { balance, unsettled, observed }
  const out = transfer === 'pending' ? addMicros(unsettled, amount) : unsettled
  return { balance: balance - amount, unsettled: out, observed }
}

/** A transfer by the agent is final in this block. */
export function afterSettled(funds: Funds, amount: Micros, block: number): Funds {
  return afterTransfer(afterCapture(funds, amount, 'pending'), amount, block)
}

export function fundsWithoutCapture({ balance, unsettled, observed }: Funds, { amount, transfer }: Hold): Funds {
  if (transfer === 'settled') return { balance, unsettled, observed }
  const out = transfer === 'pending' ? unsettled - amount : unsettled
  return { balance: addMicros(balance, amount), unsettled: out, observed }
}

/** The transfer is final in this block. A balance read before it has fallen since. */
export function afterTransfer({ balance, unsettled, observed }: Funds, amount: Micros, block: number): Funds {
  const left = unsettled - amount
  if (observed === null || block <= observed.readAt)
    return { balance: addMicros(balance, amount), unsettled: left, observed }
  const fallen = { ...observed, balance: observed.balance - amount, block: Math.max(observed.block, block) }
  return { balance, unsettled: left, observed: fallen }
}

/** The block of the transfer was reorganized away: the chain's balance excludes the transfer, or soon will. */
export function afterReorg({ balance, unsettled, observed }: Funds, amount: Micros): Funds {
  return { balance: balance - amount, unsettled: addMicros(unsettled, amount), observed }
}

/** Takes in a balance from the chain; a reading of an earlier block than the known one is ignored. */
export function afterReading(funds: Funds, seen: BalanceReading): Funds {
  if (funds.observed !== null && seen.block < funds.observed.block) return funds
  const observed = { ...seen, readAt: seen.block }
  return { balance: seen.balance - funds.unsettled, unsettled: funds.unsettled, observed }
}
