// Reads the bounds of a time that people write: an ISO 8601 timestamp with its offset, or a date, which means the whole
// day in UTC. A timestamp that ends a time is not part of it; a date that ends it is.
export interface Span {
  /** Epoch ms, [from, to). */
  from: number
  to: number
}

const DAY_MS = 24 * 60 * 60_000
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const INSTANT = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})(?:T${CLOCK}(?::[0-5]\\d(?:\\.\\d{1,3})?)?(?:Z|[+-]${CLOCK}))?$`)

/** What the text stands for: a whole day, or the instant alone (`to` equal to `from`); undefined for anything else. */
export function readInstant(text: unknown): Span | undefined {
  if (typeof text !== 'string' || text.length > 32) return undefined
  const [, date] = INSTANT.exec(text) ?? []
  if (date === undefined || !isDate(date)) return undefined
  const from = Date.parse(text)
  return { from, to: text === date ? from + DAY_MS : from }
}

/** True for a day of the calendar: parsing alone takes February 30th for March 1st or 2nd. */
function isDate(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}

/** The time from one bound to the other; throws TypeError for text that is no bound. */
export function spanOf(start: string, end: string): Span {
  const [first, last] = [readInstant(start), readInstant(end)]
  if (first === undefined || last === undefined) throw new TypeError(`No bounds of a time: ${start}, ${end}`)
  return { from: first.from, to: last.to }
}

export function isBefore(start: string, end: string): boolean {
  const { from, to } = spanOf(start, end)
  return from < to
}
