// The calendar day, week (from Monday) and month of an instant in a time zone. A window begins where its first local
// day begins, which need not be midnight. Never compute a window's length: days have 22 to 26 hours.
import { Temporal } from 'temporal-polyfill'
import { memoizeSpan, type TimeSpan } from './spans.js'

export type Period = 'day' | 'week' | 'month'

/** Epoch ms, [start, end). */
export interface Window {
  readonly start: number
  readonly end: number
}

export type Windows = Readonly<Record<Period, Window>>

interface DaySpan extends TimeSpan {
  readonly windows: Windows
  /** YYYY-MM-DD */
  readonly name: string
}

/** The longest name in the IANA database has 32 characters. */
const LONGEST_NAME = 64
/** Temporal also accepts offsets such as `+02:00`; every IANA name begins with a letter. */
const NAME = /^[A-Za-z]/

const DATE = /^\d{4}-\d{2}-\d{2}$/

const daySpanAt = memoizeSpan(measureDay)

/** The windows that hold `now` (epoch ms) in an IANA zone; throws RangeError for an unknown zone. */
export function windowsAt(now: number, timezone: string): Windows {
  return daySpanAt(now, timezone).windows
}

/** The calendar day (YYYY-MM-DD) whose window holds `now` (epoch ms) in an IANA zone. */
export function dayNameAt(now: number, timezone: string): string {
  return daySpanAt(now, timezone).name
}

/** The name of the period that holds a calendar day: of a week its Monday, of a month YYYY-MM. */
export function periodName(day: string, period: Period): string {
  if (period === 'day') return day
  if (period === 'month') return day.slice(0, 7)
  const date = Temporal.PlainDate.from(day)
  return String(date.subtract({ days: date.dayOfWeek - 1 }))
}

/** Epoch ms at which a calendar day (YYYY-MM-DD) begins in an IANA zone, or the day `daysLater` after it. */
export function dayBegins(date: string, timezone: string, daysLater = 0): number {
  return startOf(Temporal.PlainDate.from(date).add({ days: daysLater }), timezone)
}

/** Checks the calendar too: parsing alone takes 30 February for 1 or 2 March. */
export function isCalendarDay(text: string): boolean {
  const midnight = DATE.test(text) ? Date.parse(text) : NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}

/** True for a name of the IANA database, in any letter case; false for offsets, other text and other types. */
export function isTimezone(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > LONGEST_NAME || !NAME.test(text)) return false
  try {
    // The constructor takes zone names only; other Temporal functions also find a zone in the text of a date.
    return new Temporal.ZonedDateTime(0n, text).timeZoneId !== ''
  } catch {
    return false
  }
}

function measureDay(now: number, timezone: string): DaySpan {
  const day = dayAt(now, timezone)
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
  const first = day.with({ day: 1 })
  // Frozen, because all callers share the answer.
  const windows = Object.freeze({
    day: windowBetween(day, day.add({ days: 1 }), timezone),
    week: windowBetween(monday, monday.add({ days: 7 }), timezone),
    month: windowBetween(first, first.add({ months: 1 }), timezone),
  })
  return { from: windows.day.start, to: windows.day.end, windows, name: String(day) }
}

/**
 * The calendar day whose window holds `now`. When clocks go back just after midnight they show the day before once more
 * (St. John's, 2010-11-07 00:01). That piece stays in the new day, so that windows never overlap.
 */
function dayAt(now: number, timezone: string): Temporal.PlainDate {
  const shown = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate()
  const next = shown.add({ days: 1 })
  return now < startOf(next, timezone) ? shown : next
}

function windowBetween(from: Temporal.PlainDate, to: Temporal.PlainDate, timezone: string): Window {
  return Object.freeze({ start: startOf(from, timezone), end: startOf(to, timezone) })
}

function startOf(date: Temporal.PlainDate, timezone: string): number {
  return date.toZonedDateTime(timezone).startOfDay().epochMilliseconds
}
