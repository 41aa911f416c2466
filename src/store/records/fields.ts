// Objects as they are stored: without the fields whose values are implied by what is stored anyway.
import type { Json } from '../../domain/values/canonical.js'
import { isImplied } from '../../domain/values/implied.js'

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
  const kept: Fields = {}
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined && !isImplied(value, implied[field])) kept[field] = value
  }
  for (const field in implied) {
    if (fields[field] === undefined) kept[LACKING] = [...((kept[LACKING] as string[] | undefined) ?? []), field]
  }
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
