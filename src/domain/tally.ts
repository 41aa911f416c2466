// The numbers that policies limit: sums by calendar window and in total, and the payments of the last week. Each agent
// has one tally, and each policy with a shared budget.
import type { Hold } from './gate.js'
import { addCapped, addMicros, type Micros } from './money.js'
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

/** A payment that counts, from `at` on (epoch ms). */
export interface Recent {
  id: string
  at: number
}

export interface Tally {
  sums: Sums
  /** Spent in all time, micro-units. */
  total: Micros
  /** Payments of the last week, oldest first; null until a policy counts payments. */
  recent: Recent[] | null
  /** Epoch ms from which the tally itself sees every payment that counts; earlier ones come with the ask. */
  recentSince: number
  /** The IANA zone of the windows: the organization's. */
  timezone: string
}

const NOTHING = { start: 0, spent: 0 }
export const NO_TALLY: Tally = {
  sums: { held: 0, day: NOTHING, week: NOTHING, month: NOTHING, movedAt: 0 },
  total: 0,
  recent: null,
  recentSince: 0,
  timezone: 'UTC',
}

export const WEEK_MS = 7 * 86_400_000
/** Policies count up to 1,000 payments; more need not be known. */
export const MAX_RECENT = 1000

/** The tally at `now` in `timezone`; windows of a new zone start with the old windows' sums. */
export function tallyAt(tally: Tally, now: number, timezone: string, known: readonly Recent[] | undefined): Tally {
  const sums = sumsMoved(tally.sums, now, tally.timezone, timezone)
  const recentSince = tally.recent === null && known !== undefined ? now : tally.recentSince
  return { sums, total: tally.total, recent: recentAt(tally.recent, known, recentSince, now), recentSince, timezone }
}

function recentAt(
  own: readonly Recent[] | null,
  known: readonly Recent[] | undefined,
  since: number,
  now: number,
): Recent[] | null {
  if (own === null && known === undefined) return null
  // The tally has seen all later payments itself; those missing from it have ended.
  const earlier = (known ?? []).filter(({ at }) => at <= since)
  const byId = new Map<string, number>()
  for (const { id, at } of [...earlier, ...(own ?? [])]) if (at > now - WEEK_MS) byId.set(id, at)
  const all = [...byId].map(([id, at]) => ({ id, at })).sort((a, b) => a.at - b.at)
  return all.slice(-MAX_RECENT)
}

export function tallyWithHold(tally: Tally, id: string, amount: Micros, at: number): Tally {
  const { sums, total, recentSince, timezone } = tally
  const recent = tally.recent && [...tally.recent.filter((known) => known.id !== id), { id, at }]
  return { sums: withHold(sums, amount), total, recent, recentSince, timezone }
}

export function tallyWithCapture(tally: Tally, amount: Micros, now: number): Tally {
  return { ...tally, sums: withCapture(tally.sums, amount, now), total: addMicros(tally.total, amount) }
}

/** Turns a capture back into a hold. */
export function tallyRestored(tally: Tally, { amount, capturedAt }: Hold): Tally {
  const sums = withHold(withoutCapture(tally.sums, amount, capturedAt!), amount)
  return { ...tally, sums, total: tally.total - amount }
}

/** Removes a hold's amount, and the payment. */
export function tallyReleased(tally: Tally, id: string, { amount, capturedAt }: Hold): Tally {
  const recent = tally.recent && tally.recent.filter((known) => known.id !== id)
  if (capturedAt === undefined) return { ...tally, sums: withoutHold(tally.sums, amount), recent }
  return { ...tally, sums: withoutCapture(tally.sums, amount, capturedAt), total: tally.total - amount, recent }
}

/** The tally without a hold, for evaluating that hold's own payment. */
export function tallyWithout(tally: Tally, id: string, hold: Hold | null): Tally {
  return hold === null ? tally : tallyReleased(tally, id, hold)
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
