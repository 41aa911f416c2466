// Objects as they are stored: without the fields whose values are implied by what is stored anyway.
import type { Json } from '../../domain/values/canonical.js'

export interface Fields {
  [field: string]: Json | undefined
}

/** What fields have unless something else is stored; only plain values and empty arrays are ever left out. */
export interface Implied {
  readonly [field: string]: unknown
}

/** Names the implied fields that an object lacks. */
const LACKING = '-'

/** The object without what is implied; `expanded` is the inverse. */
export function reduced(object: object, implied: Implied): Fields {
  const fields = object as Fields
  const kept = unimplied(Object.keys(fields), fields, implied)
  const lacking = Object.keys(implied).filter((field) => fields[field] === undefined)
  if (lacking.length > 0) kept[LACKING] = lacking
  return kept
}

export function expanded({ [LACKING]: lacking, ...kept }: Fields, implied: Implied): Fields {
  const fields = { ...implied, ...kept } as Fields
  if (lacking !== undefined) for (const field of lacking as string[]) delete fields[field]
  return fields
}

/** Of these fields, those that are not as implied. */
export function unimplied(names: readonly string[], fields: Fields, implied: Implied): Fields {
  const kept: Fields = {}
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && !isImplied(value, implied[name])) kept[name] = value
  }
  return kept
}

function isImplied(value: Json, implied: unknown): boolean {
  return (
    value === implied || (Array.isArray(value) && value.length === 0 && Array.isArray(implied) && implied.length === 0)
  )
}
