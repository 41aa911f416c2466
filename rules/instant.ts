// Parses written time bounds: an ISO 8601 timestamp with offset, or a date, which means the whole day in the caller's
// zone. An end that is a timestamp is excluded; one that is a date is included.
import { dayBegins, isCalendarDay } from '../src/domain/time/windows.js'

export interface RuleSpan {
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

function isDate(bound: string): boolean {
  return bound.length === DATE_LENGTH
}

/** The span between two bounds, with dates as days in the zone; throws TypeError for text that is no bound. */
export function spanOf(start: string, end: string, timezone: string): RuleSpan {
  return between(start, end, (date, daysLater) => dayBegins(date, timezone, daysLater))
}

/**
 * Compares dates as days of UTC, because the zone is unknown when a rule is written. A span that is empty in the actual
 * zone never matches.
 */
export function isBefore(start: string, end: string): boolean {
  const { from, to } = between(start, end, (date, daysLater) => Date.parse(date) + daysLater * DAY_MS)
  return from < to
}

function between(start: string, end: string, begins: (date: string, daysLater: number) => number): RuleSpan {
  if (!isBound(start) || !isBound(end)) throw new TypeError(`No bounds of a time: ${start}, ${end}`)
  return {
    from: isDate(start) ? begins(start, 0) : Date.parse(start),
    to: isDate(end) ? begins(end, 1) : Date.parse(end),
  }
}

/** The span in words; dates are given their zone. */
export function describeSpan(start: string, end: string, timezone: string): string {
  return `${start} to ${end}${isDate(start) || isDate(end) ? ` in ${timezone}` : ''}`
}
