// Which fields of an actor's context people may see: those that the row of its kind shows. Hashes and secrets inside
// shown fields, and the queries of URLs, are concealed too.
import { charts, type Charts, type Kind } from '../../machines/index.js'
import { TURN_FIELDS } from '../actor/contextCopies.js'
import type { Json } from '../domain/values/canonical.js'
import { isConcealed, redacted } from '../domain/audit/redact.js'

export type ShownFields = { [field: string]: Json }

export function isShown(kind: string, field: string): boolean {
  return (charts as Partial<Charts>)[kind as Kind]?.shown.includes(field) === true
}

/** A field's value without its concealed parts. */
export function shownValue(field: string, value: Json | undefined): Json {
  if (value === undefined || value === null) return null
  if (isConcealed(field)) return 'CONCEALED'
  if (Array.isArray(value)) return value.map((one) => shownValue('', one))
  if (typeof value !== 'object') return redacted(field, value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shownValue(name, inner)]))
}

/** The shown part of a context, and the names of the concealed fields. */
export function shownContext(kind: string, context: ShownFields): { context: ShownFields; concealed: string[] } {
  const fields = Object.entries(context)
  const shown = fields.filter(([field]) => isShown(kind, field))
  return {
    context: Object.fromEntries(shown.map(([field, value]) => [field, shownValue(field, value)])),
    concealed: fields.flatMap(([field]) => (isShown(kind, field) || TURN_FIELDS.includes(field) ? [] : [field])),
  }
}
