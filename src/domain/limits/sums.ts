// The sums that count against spend limits: open holds, and spending in the calendar day, week and month of a zone. A
// hold counts in every window that is current while it lives; a capture is booked at its own time.
import {
  capturedBetween,
  hoursWith,
  hoursWithout,
  isCapturedBetween,
  NO_HOURS,
  type HourSum,
} from '../time/hourSums.js'
import { addCapped, addMicros, type Micros } from '../values/money.js'
import { windowsAt, type Period } from '../time/windows.js'

export interface WindowSum {
  /** Start of the window (epoch ms) that `spent` belongs to. */
  start: number
  spent: Micros
  /** The window before, which may be the current one in a zone behind. Absent if nothing was spent in it. */
  last?: { start: number; spent: Micros }
  /** What `spent` covers since, where a change of zone moved `start` (epoch ms). Absent if that is `start`. */
  from?: number
  /** Spent before that, in up to 26 hours that may belong to this window in a zone ahead. Absent for none. */
  eve?: Micros
}

export interface Sums {
  held: Micros
  day: WindowSum
  week: WindowSum
  month: WindowSum
  /** Epoch ms of the last change of zone. Captures before it are in the windows and are never refunded from them. */
  movedAt: number
  /** The latest captures by hour. Absent for none. */
  hours?: readonly HourSum[]
}

export const PERIODS: readonly Period[] = ['day', 'week', 'month']

/** The local times of two zones differ by at most this much. */
const ZONES_MS = 26 * 3_600_000

/** The sums at `now`; windows that have begun since start at 0. */
export function sumsAt(sums: Sums, now: number, timezone: string): Sums {
  const { day, week, month } = windowsAt(now, timezone)
  if (sums.day.start === day.start && sums.week.start === week.start && sums.month.start === month.start) return sums
  const current = (period: Period, start: number): WindowSum =>
    sums[period].start === start ? sums[period] : begun(sums, period, start, timezone)
  const { held, movedAt, hours = NO_HOURS } = sums
  return {
    held,
    day: current('day', day.start),
    week: current('week', week.start),
    month: current('month', month.start),
    movedAt,
    hours,
  }
}

function begun(sums: Sums, period: Period, start: number, timezone: string): WindowSum {
  const { start: from, spent } = sums[period]
  const isNext = spent > 0 && windowsAt(start - 1, timezone)[period].start === from
  const eve = capturedBetween(sums.hours, start - ZONES_MS, start)
  return windowOf(start, 0, isNext ? { start: from, spent } : undefined, eve)
}

function windowOf(start: number, spent: Micros, last: WindowSum['last'], eve = 0, from = start): WindowSum {
  const before = { ...(last && last.spent > 0 && { last }), ...(eve > 0 && { eve }) }
  return { start, spent, ...before, ...(from !== start && { from }) }
}

/**
 * The sums in another zone, never less than was spent in its windows: each starts with the sum of the old window, and
 * with what was spent before that window but lies in the new one.
 */
export function sumsMoved(sums: Sums, now: number, from: string, to: string): Sums {
  const current = sumsAt(sums, now, from)
  if (from === to) return current
  const windows = windowsAt(now, to)
  const moved = (period: Period): WindowSum => {
    return windowMoved(current[period], windows[period].start, now, current.hours)
  }
  const { held, hours = NO_HOURS } = current
  return { held, day: moved('day'), week: moved('week'), month: moved('month'), movedAt: now, hours }
}

function windowMoved(sum: WindowSum, start: number, now: number, hours: Sums['hours']): WindowSum {
  const { spent, last, eve = 0, from = sum.start } = sum
  if (start >= from) return windowOf(start, spent, last, eve, from)
  // In the zone behind, the window before has not ended.
  if (start < from - ZONES_MS) return windowOf(start, addCapped(spent, last?.spent ?? 0), undefined)
  if (from > now - ZONES_MS) {
    const missing = capturedBetween(hours, start, from)
    return windowOf(start, addCapped(spent, missing), last, Math.max(0, eve - missing))
  }
  return windowOf(start, addCapped(spent, eve), last, 0, from - ZONES_MS)
}

/** Spent plus held in one window, micro-units. */
export function counted(sums: Sums, period: Period): Micros {
  return sums[period].spent + sums.held
}

export function withHold(sums: Sums, amount: Micros): Sums {
  const { day, week, month, movedAt, hours = NO_HOURS } = sums
  return { held: addMicros(sums.held, amount), day, week, month, movedAt, hours }
}

export function withoutHold(sums: Sums, amount: Micros): Sums {
  return { ...sums, held: sums.held - amount }
}

/** The sums without holds, and with `maybeSpent` as spent at `now`, the time of the sums. */
export function settledSums(sums: Sums, maybeSpent: Micros, now: number): Sums {
  return maybeSpent === 0 ? { ...sums, held: 0 } : withCapture({ ...sums, held: maybeSpent }, maybeSpent, now)
}

/** Books a held amount as spent at `now`, the time of the sums. */
export function withCapture(sums: Sums, amount: Micros, now: number): Sums {
  const booked = (window: WindowSum): WindowSum => ({ ...window, spent: addMicros(window.spent, amount) })
  return {
    held: sums.held - amount,
    day: booked(sums.day),
    week: booked(sums.week),
    month: booked(sums.month),
    movedAt: sums.movedAt,
    hours: hoursWith(sums.hours, amount, now),
  }
}

/** Undoes a capture, in those windows only that counted it. */
export function withoutCapture(sums: Sums, amount: Micros, capturedAt: number): Sums {
  const hours = hoursWithout(sums.hours, amount, capturedAt)
  if (capturedAt < sums.movedAt) return { ...sums, hours }
  const refunded = (window: WindowSum): WindowSum => windowWithout(window, amount, capturedAt)
  return { ...sums, day: refunded(sums.day), week: refunded(sums.week), month: refunded(sums.month), hours }
}

function windowWithout(
  { start, spent, last, eve = 0, from }: WindowSum,
  amount: Micros,
  capturedAt: number,
): WindowSum {
  const less = (sum: Micros, isIn: boolean): Micros => (isIn ? Math.max(0, sum - amount) : sum)
  if (capturedAt >= start) return windowOf(start, less(spent, true), last, eve, from)
  const former = last && { start: last.start, spent: less(last.spent, capturedAt >= last.start) }
  return windowOf(start, spent, former, less(eve, isCapturedBetween(capturedAt, start - ZONES_MS, start)), from)
}

/** The sums with what another agent has spent added, at the same time in the same zone; its holds are left out. */
export function withSpendingOf(sums: Sums, other: Sums): Sums {
  const both = (one: WindowSum, more: WindowSum): WindowSum => {
    const last = {
      start: (one.last ?? more.last)?.start ?? 0,
      spent: addCapped(one.last?.spent ?? 0, more.last?.spent ?? 0),
    }
    const from = Math.max(one.from ?? one.start, more.from ?? more.start)
    const eve = addCapped(one.eve ?? 0, more.eve ?? 0)
    return windowOf(one.start, addCapped(one.spent, more.spent), last, eve, from)
  }
  const { held, movedAt } = sums
  const { hours: others = NO_HOURS } = other
  const hours = others.reduce((all, { at, spent }) => hoursWith(all, spent, at), sums.hours ?? NO_HOURS)
  const [day, week, month] = PERIODS.map((period) => both(sums[period], other[period]))
  return { held, day: day!, week: week!, month: month!, movedAt, hours }
}

/** The sums with as much spending as `all` has more than `own`, where that is less; all at one time in one zone. */
export function withSpendingAtMost(sums: Sums, own: Sums, all: Sums): Sums {
  const capped = (period: Period): WindowSum => {
    const spent = Math.min(sums[period].spent, Math.max(0, all[period].spent - own[period].spent))
    return { ...sums[period], spent }
  }
  return { ...sums, day: capped('day'), week: capped('week'), month: capped('month') }
}
