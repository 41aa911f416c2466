// Formats times in the reader's zone; the exact time in UTC is shown beside them. Not by Intl, whose formatters block the
// first paint longer than all components do.
import { BursarError } from '../api.js'
import { plural } from './money.js'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const UNITS: [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

const two = (number: number): string => String(number).padStart(2, '0')

/** `31 Jan 2026, 14:05`. */
export function dateTime(at: string | number): string {
  const moment = new Date(at)
  const day = `${moment.getDate()} ${MONTHS[moment.getMonth()]} ${moment.getFullYear()}`
  return `${day}, ${two(moment.getHours())}:${two(moment.getMinutes())}`
}

/** `31 Jan`; of a day such as 2026-01-31, or of its start in UTC. */
export function dayOfMonth(day: string | number): string {
  const moment = new Date(day)
  return `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]}`
}

/** `31 Jan 2026`; of a day such as 2026-01-31. */
export const dayInUtc = (day: string): string => `${dayOfMonth(day)} ${new Date(day).getUTCFullYear()}`

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

/** `in 3 hours`, `2 days ago`, `yesterday`, `now`. */
export function relative(at: string | number, now = Date.now()): string {
  const ms = new Date(at).getTime() - now
  const { count, unit } = inUnits(Math.abs(ms))
  if (count === 0) return 'now'
  if (unit === 'day' && count === 1) return ms < 0 ? 'yesterday' : 'tomorrow'
  return ms < 0 ? `${plural(count, unit)} ago` : `in ${plural(count, unit)}`
}

/** `4 minutes`; in the largest unit that it fills. */
export function duration(ms: number): string {
  const { count, unit } = inUnits(ms)
  return count === 0 ? 'less than a second' : plural(count, unit)
}

function inUnits(ms: number): { count: number; unit: string } {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? UNITS.at(-1)!
  return { count: Math.floor(ms / size), unit }
}
