// Formats times in the reader's zone; the exact time in UTC is shown beside them.
import { BursarError } from '../api.js'

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY_IN_UTC = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

export const dateTime = (at: string | number): string => DATE_TIME.format(new Date(at))

/** A day such as 2026-01-31, which is one of UTC. */
export const dayInUtc = (day: string): string => DAY_IN_UTC.format(new Date(day))

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

export function isDay(written: string): boolean {
  return DAY.test(written) && !Number.isNaN(Date.parse(written))
}

/**
 * The start of a day such as 2026-01-31 in the reader's zone, or of the day `daysLater` days later; days may have 23 to
 * 25 hours. Throws for an invalid day; undefined stays undefined.
 */
export function startOf(written: string | null, daysLater = 0): string | undefined {
  if (!written) return undefined
  if (!isDay(written)) {
    const message = `“${written}” in the URL is not a date: use the form 2026-01-31`
    throw new BursarError(message, { code: 'VALIDATION_ERROR', status: 400 })
  }
  const [, year, month, date] = DAY.exec(written)!.map(Number)
  return new Date(year!, month! - 1, date! + daysLater).toISOString()
}

/** `2026-01-31 13:05:00 UTC`. */
export const utc = (at: string | number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const FARTHEST_MS = 8.64e15

/** Whether it is a valid time in epoch milliseconds. */
export const isMoment = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= FARTHEST_MS

/** `in 3 hours`, `2 days ago`. */
export function relative(at: string | number, now = Date.now()): string {
  const ms = new Date(at).getTime() - now
  const [unit, size] = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs) ?? UNITS.at(-1)!
  return RELATIVE.format(Math.trunc(ms / size), unit)
}

/** `4 minutes`; in the largest unit that it fills. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? UNITS.at(-1)!
  const count = Math.floor(ms / size)
  if (count === 0) return 'less than a second'
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}
