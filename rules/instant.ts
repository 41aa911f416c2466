// Reads the bounds of a time that people write: an ISO 8601 timestamp with its offset, or a date, which means the whole
// day in the zone of whoever asks. A timestamp that ends a time is not part of it; a date that ends it is.
import { dayBegins, isCalendarDay } from '../src/domain/windows.js'

export interface Span {
  /** Epoch ms, [from, to). */
  from: number
  to: number
}

const DAY_MS = 24 * 60 * 60_000
const DATE_LENGTH = 'YYYY-MM-DD'.length
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const INSTANT = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})(?:T${CLOCK}(?::[0-5]\\d(?:\\.\\d{1,3})?)?(?:Z|[+-]${CLOCK}))?$`)

export function isBound(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 32) return false
  const [, date] = INSTANT.exec(text) ?? []
  return date !== undefined && isCalendarDay(date)
}

/** Of a bound: it is a whole day, and no instant. */
function isDate(bound: string): boolean {
  return bound.length === DATE_LENGTH
}

/** The time from one bound to the other, where dates are days in the zone; throws TypeError for text that is no bound. */
export function spanOf(start: string, end: string, timezone: string): Span {
  return between(start, end, (date, daysLater) => dayBegins(date, timezone, daysLater))
}

/** As days of UTC: when a rule is written, its zone is not known. A time that has no length elsewhere is never there. */
export function isBefore(start: string, end: string): boolean {
  const { from, to } = between(start, end, (date, daysLater) => Date.parse(date) + daysLater * DAY_MS)
  return from < to
}

function between(start: string, end: string, begins: (date: string, daysLater: number) => number): Span {
  if (!isBound(start) || !isBound(end)) throw new TypeError(`No bounds of a time: ${start}, ${end}`)
  return {
    from: isDate(start) ? begins(start, 0) : Date.parse(start),
    to: isDate(end) ? begins(end, 1) : Date.parse(end),
  }
}

/** As it is said of a time: bounds that are dates need their zone. */
export function saidOf(start: string, end: string, timezone: string): string {
  return `${start} to ${end}${isDate(start) || isDate(end) ? ` in ${timezone}` : ''}`
}
