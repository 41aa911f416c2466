// The sums that policies limit, by calendar window and in total. Each agent has one tally, and each policy with a shared
// budget.
import type { Hold } from './gate.js'
import { addCapped, type Micros } from '../values/money.js'
import {
  sumsMoved,
  withCapture,
  withHold,
  withoutCapture,
  withoutHold,
  withSpendingAtMost,
  withSpendingOf,
  type Sums,
} from './sums.js'

export interface Tally {
  sums: Sums
  /** Spent in all time, micro-units. */
  total: Micros
  /** The IANA zone of the windows: the organization's. */
  timezone: string
}

const NOTHING = { start: 0, spent: 0 }
export const NO_TALLY: Tally = {
  sums: { held: 0, day: NOTHING, week: NOTHING, month: NOTHING },
  total: 0,
  timezone: 'UTC',
}

/** The tally at `now` in `timezone`; windows of a new zone go on with the old windows' sums. */
export function tallyAt({ sums, total, timezone: former }: Tally, now: number, timezone: string): Tally {
  return { sums: sumsMoved(sums, now, former, timezone), total, timezone }
}

export function tallyWithHold(tally: Tally, amount: Micros): Tally {
  return { ...tally, sums: withHold(tally.sums, amount) }
}

export function tallyWithCapture(tally: Tally, amount: Micros, held: Micros = amount): Tally {
  return { ...tally, sums: withCapture(tally.sums, amount, held), total: addCapped(tally.total, amount) }
}

/** Turns a capture back into a hold. */
export function tallyRestored(tally: Tally, { amount, capturedAt }: Hold): Tally {
  const sums = withHold(withoutCapture(tally.sums, amount, capturedAt!), amount)
  return { ...tally, sums, total: tally.total - amount }
}

/** Removes a hold's amount. */
export function tallyReleased(tally: Tally, { amount, capturedAt }: Hold): Tally {
  if (capturedAt === undefined) return { ...tally, sums: withoutHold(tally.sums, amount) }
  return { ...tally, sums: withoutCapture(tally.sums, amount, capturedAt), total: tally.total - amount }
}

/** The tally without a hold, for evaluating that hold's own payment. */
export function tallyWithout(tally: Tally, hold: Hold | null): Tally {
  return hold === null ? tally : tallyReleased(tally, hold)
}

/** Adds spending only: present holds of the other end at gates that do not know this tally. Both of the same time. */
export function tallyPlus(tally: Tally, other: Tally): Tally {
  return { ...tally, sums: withSpendingOf(tally.sums, other.sums), total: addCapped(tally.total, other.total) }
}

/** What newcomers add to a budget: what they have spent, as far as all who were ever under it have spent more than it has. */
export function tallyJoining(newcomers: Tally, own: Tally, all: Tally): Tally {
  const total = Math.min(newcomers.total, Math.max(0, all.total - own.total))
  return { ...newcomers, sums: withSpendingAtMost(newcomers.sums, own.sums, all.sums), total }
}
