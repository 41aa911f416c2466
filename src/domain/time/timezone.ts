// The wall clock of a time zone: weekday, hour and minute at an instant. Offsets come from Temporal once for each
// stretch of constant offset; within it local time is arithmetic. It reads no clock.
import { Temporal } from 'temporal-polyfill'
import { memoizeSpan, type TimeSpan } from './spans.js'

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface LocalTime {
  weekday: Weekday
  /** 0-23 */
  hour: number
  /** 0-59 */
  minute: number
}

interface OffsetSpan extends TimeSpan {
  /** Local time minus UTC. */
  readonly offsetMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The time that one measurement covers: two spans reach over the next two weeks. */
const STRETCH_MS = 32 * DAY_MS
/** 1970-01-01 was a Thursday, three days after a Monday. */
const EPOCH_WEEKDAY = 3

const spanAt = memoizeSpan(measureOffset)

/** The wall clock at `now` (epoch ms) in an IANA zone; throws RangeError for an unknown zone. */
export function localTimeAt(now: number, timezone: string): LocalTime {
  const local = now + spanAt(now, timezone).offsetMs
  const sinceMidnight = modulo(local, DAY_MS)
  return {
    // INVARIANT: a remainder by 7 is an index of WEEKDAYS.
    weekday: WEEKDAYS[modulo(Math.floor(local / DAY_MS) + EPOCH_WEEKDAY, 7)] as Weekday,
    hour: Math.floor(sinceMidnight / HOUR_MS),
    minute: Math.floor((sinceMidnight % HOUR_MS) / MINUTE_MS),
  }
}

/**
 * The end (epoch ms, after `now`) of the time in which weekday and hour stay as they are at `now`: the next full hour,
 * or earlier where the offset may change.
 */
export function sameHourUntil(now: number, timezone: string): number {
  const span = spanAt(now, timezone)
  return Math.min(span.to, now + HOUR_MS - modulo(now + span.offsetMs, HOUR_MS))
}

/** The start (epoch ms, at most `now`) of the hour of the wall clock that holds `now`. */
export function hourBegins(now: number, timezone: string): number {
  return now - modulo(now + spanAt(now, timezone).offsetMs, HOUR_MS)
}

/**
 * The next time (epoch ms, after `now`) at which the wall clock shows a minute of the day (0-1440), or earlier where
 * the offset may change.
 */
export function wallClockComesTo(minute: number, now: number, timezone: string): number {
  const span = spanAt(now, timezone)
  const wait = modulo(minute * MINUTE_MS - (now + span.offsetMs), DAY_MS)
  return Math.min(span.to, now + (wait === 0 ? DAY_MS : wait))
}

/**
 * Walks forward from the start of the stretch. Never backward: for a zone that never changed its offset, Temporal would
 * search back to the beginning of its records.
 */
function measureOffset(now: number, timezone: string): OffsetSpan {
  const start = Math.floor(now / STRETCH_MS) * STRETCH_MS
  let zoned = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone)
  for (;;) {
    const end = start + STRETCH_MS
    const next = zoned.getTimeZoneTransition('next')
    const to = Math.min(next?.epochMilliseconds ?? end, end)
    if (next === null || now < to) return { from: zoned.epochMilliseconds, to, offsetMs: offsetMs(zoned) }
    zoned = next
  }
}

function offsetMs(zoned: Temporal.ZonedDateTime): number {
  return zoned.offsetNanoseconds / 1e6
}

/** A remainder that is never negative, for instants before 1970. */
function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
