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

function sumsOf(held: Micros, windowOf: (period: Period) => WindowSum): Sums {
  return { held, day: windowOf('day'), week: windowOf('week'), month: windowOf('month') }
}

/** The sums at `now`; windows that have begun since start at 0. */
export function sumsAt(sums: Sums, now: number, timezone: string): Sums {
  const windows = windowsAt(now, timezone)
  if (PERIODS.every((period) => sums[period].start === windows[period].start)) return sums
  return sumsOf(sums.held, (period) => {
    const { start } = windows[period]
    return sums[period].start === start ? sums[period] : begun(sums, period, start, timezone)
  })
}

function begun(sums: Sums, period: Period, start: number, timezone: string): WindowSum {
  const { spent, past = NOTHING } = sums[period]
  const ended = spent === 0 ? NOTHING : lastDayApart(sums.day, spent, timezone)
  const kept = [...ended, ...past].filter((one) => one.spent > 0 && one.end > start - REACH_MS[period])
  return withPast(start, 0, kept)
}

/** Of a former week or month, a zone ahead mostly counts the last day alone. `day` is the latest of the sums. */
function lastDayApart(day: WindowSum, spent: Micros, timezone: string): PastSum[] {
  const last = Math.min(spent, day.spent)
  const { end } = windowsAt(day.start, timezone).day
  return [
    { end, spent: last },
    { end: day.start, spent: spent - last },
  ]
}

function withPast(start: number, spent: Micros, past: readonly PastSum[]): WindowSum {
  return past.length === 0 ? { start, spent } : { start, spent, past }
}

/** The sums in another zone, never less than was spent in its windows. */
export function sumsMoved(sums: Sums, now: number, from: string, to: string): Sums {
  const current = sumsAt(sums, now, from)
  if (from === to) return current
  const windows = windowsAt(now, to)
  return sumsOf(current.held, (period) => windowMoved(current[period], windows[period].start))
}

function windowMoved({ spent, past = NOTHING }: WindowSum, start: number): WindowSum {
  const reached = past.filter(({ end }) => end > start)
  const sum = reached.reduce((all, one) => addCapped(all, one.spent), spent)
  const earlier = past.filter(({ end }) => end <= start)
  return withPast(start, sum, earlier)
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

/** Books an amount as spent at the time of the sums, in place of what was held for it. */
export function withCapture(sums: Sums, amount: Micros, held: Micros = amount): Sums {
  return sumsOf(sums.held - held, (period) => withSpent(sums[period], addCapped(sums[period].spent, amount)))
}

const withSpent = (window: WindowSum, spent: Micros): WindowSum => ({ ...window, spent })

/** Undoes a capture, in those windows only that counted it. */
export function withoutCapture(sums: Sums, amount: Micros, capturedAt: number): Sums {
  return sumsOf(sums.held, (period) => {
    const { start, spent } = sums[period]
    return capturedAt < start ? sums[period] : withSpent(sums[period], Math.max(0, spent - amount))
  })
}

/** The sums with what another agent has spent added, at the same time in the same zone; its holds are left out. */
export function withSpendingOf(sums: Sums, other: Sums): Sums {
  return sumsOf(sums.held, (period) => {
    const [one, more] = [sums[period], other[period]]
    return withPast(one.start, addCapped(one.spent, more.spent), pastOf(one, more))
  })
}

function pastOf({ past: one = NOTHING }: WindowSum, { past: more = NOTHING }: WindowSum): readonly PastSum[] {
  if (more.length === 0) return one
  const sums = new Map<number, Micros>()
  for (const { end, spent } of [...one, ...more]) sums.set(end, addCapped(sums.get(end) ?? 0, spent))
  return [...sums].map(([end, spent]) => ({ end, spent }))
}

/** The sums with as much spending as `all` has more than `own`, where that is less; all at one time in one zone. */
export function withSpendingAtMost(sums: Sums, own: Sums, all: Sums): Sums {
  return sumsOf(sums.held, (period) => {
    const more = Math.max(0, all[period].spent - own[period].spent)
    return withSpent(sums[period], Math.min(sums[period].spent, more))
  })
}
