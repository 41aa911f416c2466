// The sums that count against spend limits: open holds, and spending in the calendar day, week and month of a zone. A
// hold counts in every window that is current while it lives; a capture is booked at its own time.
import { addMicros, type Micros } from './money.js'
import { windowsAt, type Period, type Window } from './windows.js'

export interface WindowSum {
  /** Start of the window (epoch ms) that `spent` belongs to. */
  start: number
  spent: Micros
}

export interface Sums {
  held: Micros
  day: WindowSum
  week: WindowSum
  month: WindowSum
  /** Epoch ms of the last change of zone. Captures before it are in the windows and are never refunded from them. */
  movedAt: number
}

export const PERIODS: readonly Period[] = ['day', 'week', 'month']

/** The sums at `now`; windows that have begun since start at 0. */
export function sumsAt(sums: Sums, now: number, timezone: string): Sums {
  const { day, week, month } = windowsAt(now, timezone)
  if (sums.day.start === day.start && sums.week.start === week.start && sums.month.start === month.start) return sums
  const current = (sum: WindowSum, { start }: Window): WindowSum => (sum.start === start ? sum : { start, spent: 0 })
  const { held, movedAt } = sums
  return {
    held,
    day: current(sums.day, day),
    week: current(sums.week, week),
    month: current(sums.month, month),
    movedAt,
  }
}

/**
 * The sums in another zone. Its windows start with the old windows' sums, so that a change of zone never frees budget.
 */
export function sumsMoved(sums: Sums, now: number, from: string, to: string): Sums {
  const current = sumsAt(sums, now, from)
  if (from === to) return current
  const windows = windowsAt(now, to)
  const moved = (period: Period): WindowSum => ({ start: windows[period].start, spent: current[period].spent })
  return { held: sums.held, day: moved('day'), week: moved('week'), month: moved('month'), movedAt: now }
}

/** Spent plus held in one window, micro-units. */
export function counted(sums: Sums, period: Period): Micros {
  return sums[period].spent + sums.held
}

export function withHold(sums: Sums, amount: Micros): Sums {
  const { day, week, month, movedAt } = sums
  return { held: addMicros(sums.held, amount), day, week, month, movedAt }
}

export function withoutHold(sums: Sums, amount: Micros): Sums {
  return { ...sums, held: sums.held - amount }
}

/** Books a held amount as spent, now. */
export function withCapture(sums: Sums, amount: Micros): Sums {
  const booked = (window: WindowSum): WindowSum => ({ start: window.start, spent: addMicros(window.spent, amount) })
  const held = sums.held - amount
  return { ...sums, held, day: booked(sums.day), week: booked(sums.week), month: booked(sums.month) }
}

/** Undoes a capture, in those windows only that counted it. */
export function withoutCapture(sums: Sums, amount: Micros, capturedAt: number): Sums {
  const refunded = (window: WindowSum): WindowSum =>
    capturedAt >= window.start && capturedAt >= sums.movedAt
      ? { start: window.start, spent: Math.max(0, window.spent - amount) }
      : window
  return { ...sums, day: refunded(sums.day), week: refunded(sums.week), month: refunded(sums.month) }
}
