// The numbers that policies limit: sums by calendar window and for ever, and the payments of the last week. One tally
// is kept for each agent and one for each policy whose budget is shared.
import type { Entry } from './gate.js'
import { addMicros, type Micros } from './money.js'
import { sumsMoved, withCapture, withHold, withoutCapture, withoutHold, type Sums } from './sums.js'

/** A payment that counts, and since when (epoch ms). */
export interface Recent {
  id: string
  at: number
}

export interface Tally {
  sums: Sums
  /** Spent since the beginning, micro-units. */
  total: Micros
  /** The payments of the last week, oldest first; null until a policy counts payments. */
  recent: Recent[] | null
  /** Since when every payment that counts is seen as it comes (epoch ms); of earlier ones it has to be told. */
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
/** Policies count up to 1,000 payments, so that more need not be known. */
export const MOST_RECENT = 1000

/** The tally as it stands at `now` in `timezone`; windows of another zone begin with what the old ones had counted. */
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
  // What came since and is not among its own is over.
  const earlier = (known ?? []).filter(({ at }) => at <= since)
  const byId = new Map<string, number>()
  for (const { id, at } of [...earlier, ...(own ?? [])]) if (at > now - WEEK_MS) byId.set(id, at)
  const all = [...byId].map(([id, at]) => ({ id, at })).sort((a, b) => a.at - b.at)
  return all.slice(-MOST_RECENT)
}

export function tallyWithHold(tally: Tally, id: string, amount: Micros, at: number): Tally {
  const { sums, total, recentSince, timezone } = tally
  const recent = tally.recent && [...tally.recent.filter((known) => known.id !== id), { id, at }]
  return { sums: withHold(sums, amount), total, recent, recentSince, timezone }
}

export function tallyWithCapture(tally: Tally, amount: Micros): Tally {
  return { ...tally, sums: withCapture(tally.sums, amount), total: addMicros(tally.total, amount) }
}

/** Takes a capture back into a hold. */
export function tallyRestored(tally: Tally, { amount, capturedAt }: Entry): Tally {
  const sums = withHold(withoutCapture(tally.sums, amount, capturedAt!), amount)
  return { ...tally, sums, total: tally.total - amount }
}

/** Gives back what an open entry counted, and forgets the payment. */
export function tallyReleased(
  tally: Tally,
  id: string,
  { state, amount, capturedAt }: Pick<Entry, 'state' | 'amount' | 'capturedAt'>,
): Tally {
  const recent = tally.recent && tally.recent.filter((known) => known.id !== id)
  if (state === 'held') return { ...tally, sums: withoutHold(tally.sums, amount), recent }
  return { ...tally, sums: withoutCapture(tally.sums, amount, capturedAt!), total: tally.total - amount, recent }
}

/** The tally without what an open entry counts, to judge that entry's own payment against. */
export function tallyWithout(tally: Tally, id: string, entry: Entry | null): Tally {
  return entry?.state === 'held' || entry?.state === 'captured' ? tallyReleased(tally, id, entry) : tally
}
