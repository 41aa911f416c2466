// Captures of the last two days by hour: exact enough to tell which of them lie in a window of another time zone.
import { addCapped, type Micros } from '../values/money.js'

export interface HourSum {
  /** Start of the hour, epoch ms. */
  at: number
  spent: Micros
}

const HOUR_MS = 3_600_000
/** Twice the largest difference between two zones. */
const KEPT_MS = 52 * HOUR_MS
export const NO_HOURS: readonly HourSum[] = []

const hourOf = (now: number): number => now - (now % HOUR_MS)

/** Adds a capture at `now` (epoch ms) and drops hours that are too old to matter. */
export function hoursWith(hours: readonly HourSum[] = NO_HOURS, amount: Micros, now: number): readonly HourSum[] {
  const at = hourOf(now)
  const known = hours.find((hour) => hour.at === at)
  const others = hours.filter((hour) => hour !== known && hour.at > at - KEPT_MS)
  return [...others, { at, spent: addCapped(known?.spent ?? 0, amount) }]
}

/** Undoes a capture, if its hour is still kept. */
export function hoursWithout(
  hours: readonly HourSum[] = NO_HOURS,
  amount: Micros,
  capturedAt: number,
): readonly HourSum[] {
  const at = hourOf(capturedAt)
  const left = hours.map((hour) => (hour.at === at ? { at, spent: hour.spent - amount } : hour))
  return left.filter(({ spent }) => spent > 0)
}

/** The sum of the hours that reach into [from, to), epoch ms; an hour is not divided. */
export function capturedBetween(hours: readonly HourSum[] = NO_HOURS, from: number, to: number): Micros {
  let sum = 0
  for (const { at, spent } of hours) if (reaches(at, from, to)) sum = addCapped(sum, spent)
  return sum
}

/** True where `capturedBetween` counts a capture at `capturedAt`. */
export function isCapturedBetween(capturedAt: number, from: number, to: number): boolean {
  return reaches(hourOf(capturedAt), from, to)
}

function reaches(hour: number, from: number, to: number): boolean {
  return hour + HOUR_MS > from && hour < to
}
