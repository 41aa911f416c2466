// Local time by Intl.DateTimeFormat alone, to check the calendar code against. It must not use Temporal or anything
// from src, or it would repeat their mistakes.
import { seedOr, share } from '../support/depth.js'

export interface LocalFields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** The random tests cover these years; fast-check prints the seed when one fails. */
export const FROM = Date.UTC(2024, 0, 1)
export const TO = Date.UTC(2028, 0, 1)
export const SEED = seedOr(20240229)

export const SECOND = 1_000
export const HOUR = 3_600 * SECOND
export const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

export function localFields(instant: number, timezone: string): LocalFields {
  const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of formatOf(timezone).formatToParts(instant)) {
    if (type in fields) fields[type as keyof LocalFields] = Number(value)
  }
  return fields
}

/** 0 is Monday. */
export function weekdayIndex(fields: LocalFields): number {
  return (new Date(Date.UTC(fields.year, fields.month - 1, fields.day)).getUTCDay() + 6) % 7
}

/** Every instant in [from, to] at which the zone's offset changes, to the second. */
function transitions(timezone: string, from = FROM, to = TO): number[] {
  const found: number[] = []
  for (let day = from; day < to; day += DAY) {
    if (offset(day, timezone) !== offset(day + DAY, timezone)) found.push(changeBetween(day, day + DAY, timezone))
  }
  return found
}

/** The zones whose clocks change between FROM and TO, each with the instants; fewer of them at less depth. */
export function changingZones(): [timezone: string, changes: number[]][] {
  return share(Intl.supportedValuesOf('timeZone'))
    .map((timezone): [string, number[]] => [timezone, transitions(timezone)])
    .filter(([, changes]) => changes.length > 0)
}

function changeBetween(from: number, to: number, timezone: string): number {
  let [before, after] = [from, to]
  while (after - before > SECOND) {
    const middle = before + Math.floor((after - before) / 2 / SECOND) * SECOND
    if (offset(middle, timezone) === offset(from, timezone)) before = middle
    else after = middle
  }
  return after
}

function offset(instant: number, timezone: string): number {
  const { year, month, day, hour, minute, second } = localFields(instant, timezone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known !== undefined) return known
  const number = 'numeric'
  const fields = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hourCycle: 'h23', ...fields })
  formats.set(timezone, format)
  return format
}
