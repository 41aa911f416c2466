// The time that the overview is about: whole days of the organization's zone, chosen in the address.
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const USUAL_DAYS = 30
const DATE = /^\d{4}-\d{2}-\d{2}$/

export const CUSTOM = 'custom'
export const PERIOD_CHOICES = [
  ['1', 'Today'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  [CUSTOM, 'Custom'],
] as const
type Choice = (typeof PERIOD_CHOICES)[number][0]

/** Days such as 2026-01-31. */
interface DaySpan {
  from: string
  to: string
}

export interface ShownPeriod extends DaySpan {
  choice: Choice
  /** The number of its days; at most 0 if it ends before it begins. */
  length: number
  timeZone: string
}

/** By zone, because it takes long to make one; UTC, the usual one, needs none. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of a time in a zone. */
export function dayAt(at: number, timeZone: string): string {
  if (timeZone === 'UTC') return new Date(at).toISOString().slice(0, 10)
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  formats.set(timeZone, format)
  return format.format(at)
}

export function daysLater(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

function lengthOf({ from, to }: DaySpan): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

/** What a text in the address says, if that is a day. */
function written(day: string | null): string | undefined {
  return day !== null && DATE.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined
}

export function periodOf(query: URLSearchParams, timeZone: string, now = Date.now()): ShownPeriod {
  const today = dayAt(now, timeZone)
  const [choice] = PERIOD_CHOICES.find(([one]) => one === query.get('period')) ?? [String(USUAL_DAYS) as Choice]
  if (choice !== CUSTOM) {
    const length = Number(choice)
    return { choice, from: daysLater(today, 1 - length), to: today, length, timeZone }
  }
  const to = written(query.get('to')) ?? today
  const from = written(query.get('from')) ?? daysLater(to, 1 - USUAL_DAYS)
  return { choice, from, to, length: lengthOf({ from, to }), timeZone }
}

/**
 * The same number of days before. If the period goes on, these end at the same hour: the whole of yesterday would be more
 * than any morning.
 */
export function periodBefore({ from, to, length, timeZone }: ShownPeriod, now = Date.now()): DaySpan {
  const last = daysLater(to, -length)
  const then = now - length * DAY_MS
  // A day of 23 or 25 hours between them puts it on another day in its first or last hour.
  const sameHour = [0, 2, -2].map((hours) => then + hours * HOUR_MS).find((at) => dayAt(at, timeZone) === last)
  const goesOn = dayAt(now, timeZone) === to && sameHour !== undefined
  return { from: daysLater(from, -length), to: goesOn ? new Date(sameHour).toISOString() : last }
}

export function daysOf({ from, length }: ShownPeriod): string[] {
  return Array.from({ length }, (_, index) => daysLater(from, index))
}

/** `the 7 days before`, `the day before`. */
export function nameOfBefore({ length }: ShownPeriod): string {
  return length === 1 ? 'the day before' : `the ${length} days before`
}
