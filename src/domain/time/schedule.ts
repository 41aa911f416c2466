// The hours and weekdays on which a delegation may pay, by the wall clock of its time zone. Hours that wrap midnight
// belong to the day on which they begin. It decides on time alone, not on limits or statuses.
import { localTimeAt, sameHourUntil, type Weekday } from './timezone.js'

export { WEEKDAYS, type Weekday } from './timezone.js'

export interface Schedule {
  /** IANA name. */
  timezone: string
  /** First open hour, 0-23. */
  hoursStart: number
  /** First closed hour, 1-24; 24 is the end of the day, and less than `hoursStart` wraps midnight. */
  hoursEnd: number
  days: readonly Weekday[]
}

const DAY_BEFORE: Record<Weekday, Weekday> = {
  Mon: 'Sun',
  Tue: 'Mon',
  Wed: 'Tue',
  Thu: 'Wed',
  Fri: 'Thu',
  Sat: 'Fri',
  Sun: 'Sat',
}

/**
 * Far enough for every schedule with an open day: an hour that the clocks skip this week comes again within 14 days of
 * its last opening.
 */
const HORIZON_MS = 15 * 24 * 60 * 60_000

/** True for different whole hours 0-23 and 1-24; a start after the end wraps midnight. */
export function isScheduleValid(hoursStart: number, hoursEnd: number): boolean {
  const whole = Number.isInteger(hoursStart) && Number.isInteger(hoursEnd)
  return whole && hoursStart >= 0 && hoursStart <= 23 && hoursEnd >= 1 && hoursEnd <= 24 && hoursStart !== hoursEnd
}

/** True when the wall clock at `now` (epoch ms) is within the hours of an allowed day. */
export function isOpen(schedule: Schedule, now: number): boolean {
  const { weekday, hour } = localTimeAt(now, schedule.timezone)
  const day = openingDay(schedule, weekday, hour)
  return day !== undefined && schedule.days.includes(day)
}

/** The first open instant (epoch ms) from `now` on; undefined when there is none within 15 days. */
export function nextOpening(schedule: Schedule, now: number): number | undefined {
  const last = now + HORIZON_MS
  for (let at = now; at <= last; at = sameHourUntil(at, schedule.timezone)) {
    if (isOpen(schedule, at)) return at
  }
  return undefined
}

/** The day on which the opening that holds this hour began; undefined outside of the hours. */
function openingDay(schedule: Schedule, weekday: Weekday, hour: number): Weekday | undefined {
  const { hoursStart, hoursEnd } = schedule
  if (hoursStart <= hoursEnd) return hoursStart <= hour && hour < hoursEnd ? weekday : undefined
  if (hour >= hoursStart) return weekday
  return hour < hoursEnd ? DAY_BEFORE[weekday] : undefined
}
