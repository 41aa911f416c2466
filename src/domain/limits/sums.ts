// The sums that count against spend limits: open holds, and spending in the calendar day, week and month of a zone. A
// hold counts in every window that is current while it lives; a capture is booked at its own time. In a new zone a
// window goes on with what the old one had spent, and counts whole days more where it begins earlier.
import { addCapped, addMicros, type Micros } from '../values/money.js'
import { windowsAt, type Period } from '../time/windows.js'

interface PastSum {
  /** Epoch ms before which it was spent. */
  end: number
  spent: Micros
}

export interface WindowSum {
  /** Start of the window (epoch ms) that `spent` belongs to. */
  start: number
  spent: Micros
  /** What was spent before it, as far back as the window of another zone may begin. Absent for nothing. */
  past?: readonly PastSum[]
}

export interface Sums {
  held: Micros
  day: WindowSum
  week: WindowSum
  month: WindowSum
}

export const PERIODS: readonly Period[] = ['day', 'week', 'month']

const DAY_MS = 24 * 3_600_000
/** Longer than any such window of any zone. */
const REACH_MS: Readonly<Record<Period, number>> = { day: 2 * DAY_MS, week: 8 * DAY_MS, month: 32 * DAY_MS }
const NOTHING: readonly PastSum[] = []

/** The sums at `now`; windows that have begun since start at 0. */
export function sumsAt(sums: Sums, now: number, timezone: string): Sums {
  const { day, week, month } = windowsAt(now, timezone)
  if (sums.day.start === day.start && sums.week.start === week.start && sums.month.start === month.start) return sums
  const current = (period: Period, start: number): WindowSum =>
    sums[period].start === start ? sums[period] : begun(sums, period, start, timezone)
  const { held } = sums
  return {
    held,
    day: current('day', day.start),
    week: current('week', week.start),
    month: current('month', month.start),
  }
}

/** The last day with spending is kept apart: a zone ahead mostly counts that alone of a former week or month. */
function begun({ day, ...sums }: Sums, period: Period, start: number, timezone: string): WindowSum {
  const { spent, past = NOTHING } = period === 'day' ? day : sums[period]
  if (spent === 0 && past.length === 0) return { start, spent: 0 }
  const last = Math.min(spent, day.spent)
  const { end } = windowsAt(day.start, timezone).day
  const all = [{ end, spent: last }, { end: day.start, spent: spent - last }, ...past]
  const kept = all.filter((one) => one.spent > 0 && one.end > start - REACH_MS[period])
  return windowOf(start, 0, kept)
}

function windowOf(start: number, spent: Micros, past: readonly PastSum[]): WindowSum {
  return past.length === 0 ? { start, spent } : { start, spent, past }
}

/** The sums in another zone, never less than was spent in its windows. */
export function sumsMoved(sums: Sums, now: number, from: string, to: string): Sums {
  const current = sumsAt(sums, now, from)
  if (from === to) return current
  const { day, week, month } = windowsAt(now, to)
  return {
    held: current.held,
    day: windowMoved(current.day, day.start),
    week: windowMoved(current.week, week.start),
    month: windowMoved(current.month, month.start),
  }
}

function windowMoved({ spent, past = NOTHING }: WindowSum, start: number): WindowSum {
  const reached = past.filter(({ end }) => end > start)
  const earlier = past.filter(({ end }) => end <= start)
  return windowOf(
    start,
    reached.reduce((sum, one) => addCapped(sum, one.spent), spent),
    earlier,
  )
}

/** Spent plus held in one window, micro-units. */
export function counted(sums: Sums, period: Period): Micros {
  return sums[period].spent + sums.held
}

export function withHold(sums: Sums, amount: Micros): Sums {
  return { ...sums, held: addMicros(sums.held, amount) }
}

export function withoutHold(sums: Sums, amount: Micros): Sums {
  return { ...sums, held: sums.held - amount }
}

/** The sums without holds, and with `maybeSpent` as spent at their time. */
export function settledSums(sums: Sums, maybeSpent: Micros): Sums {
  return withCapture({ ...sums, held: maybeSpent }, maybeSpent)
}

/** Books a held amount as spent at the time of the sums. */
export function withCapture(sums: Sums, amount: Micros): Sums {
  const booked = (window: WindowSum): WindowSum => ({ ...window, spent: addMicros(window.spent, amount) })
  return {
    held: sums.held - amount,
    day: booked(sums.day),
    week: booked(sums.week),
    month: booked(sums.month),
  }
}

/** Undoes a capture, in those windows only that counted it. */
export function withoutCapture(sums: Sums, amount: Micros, capturedAt: number): Sums {
  const refunded = (window: WindowSum): WindowSum =>
    capturedAt < window.start ? window : { ...window, spent: Math.max(0, window.spent - amount) }
  return { ...sums, day: refunded(sums.day), week: refunded(sums.week), month: refunded(sums.month) }
}

/** The sums with what another agent has spent added, at the same time in the same zone; its holds are left out. */
export function withSpendingOf(sums: Sums, other: Sums): Sums {
  const both = (one: WindowSum, more: WindowSum): WindowSum =>
    windowOf(one.start, addCapped(one.spent, more.spent), pastOf(one, more))
  const { held, day, week, month } = sums
  return { held, day: both(day, other.day), week: both(week, other.week), month: both(month, other.month) }
}

function pastOf({ past: one = NOTHING }: WindowSum, { past: more = NOTHING }: WindowSum): readonly PastSum[] {
  if (more.length === 0) return one
  const sums = new Map<number, Micros>()
  for (const { end, spent } of [...one, ...more]) sums.set(end, addCapped(sums.get(end) ?? 0, spent))
  return [...sums].map(([end, spent]) => ({ end, spent }))
}

/** The sums with as much spending as `all` has more than `own`, where that is less; all at one time in one zone. */
export function withSpendingAtMost(sums: Sums, own: Sums, all: Sums): Sums {
  const capped = (period: Period): WindowSum => {
    const spent = Math.min(sums[period].spent, Math.max(0, all[period].spent - own[period].spent))
    return { ...sums[period], spent }
  }
  return { ...sums, day: capped('day'), week: capped('week'), month: capped('month') }
}
