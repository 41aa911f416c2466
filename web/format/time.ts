// Formats times in the reader's zone; the exact time in UTC is shown beside them.
import { BursarError } from '../api.js'

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

export const dateTime = (at: string | number): string => DATE_TIME.format(new Date(at))

/**
 * The start of a day such as 2026-01-31 in the reader's zone, or of the day `daysLater` days later; days may have 23 to
 * 25 hours. Throws for an invalid day; undefined stays undefined.
 */
export function startOf(written: string | null, daysLater = 0): string | undefined {
  if (!written) return undefined
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(written) ?? []).map(Number)
  const start = new Date(year!, month! - 1, date! + daysLater)
  if (!Number.isNaN(Date.parse(written)) && !Number.isNaN(start.getTime())) return start.toISOString()
  const message = `“${written}” in the URL is not a date: use the form 2026-01-31`
  throw new BursarError(message, { code: 'VALIDATION_ERROR', status: 400 })
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
