// Short text for messages: quoted input and lists, cut when long. It changes no value.
import { toNumber, type Micros } from '../src/domain/values/money.js'

const LONGEST = 60
const MAX_LISTED = 5

/** Any value, quoted for a message; lists and objects are named by their kind. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? JSON.stringify(shortText(value)) : String(value)
}

export function shortText(text: string): string {
  return clipped(text, LONGEST)
}

/** The first half of a character that was cut in two. */
const HALF = /[\uD800-\uDBFF]$/

export function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(HALF, '')}…` : text
}

/** The first few entries, and the number of others. */
export function shownList<Entry>(
  entries: readonly Entry[],
  separator = ', ',
  textOf: (entry: Entry) => string = String,
): string {
  const more = entries.length - MAX_LISTED
  const first = entries.slice(0, MAX_LISTED).map((entry) => textOf(entry))
  return first.join(separator) + (more > 0 ? ` and ${more} more` : '')
}

/** An amount as people read it. */
export function money(amount: Micros): string {
  return String(toNumber(amount))
}
