// Objects as they are stored: without the fields whose values are implied by what is stored anyway.
import type { Json } from '../../domain/values/canonical.js'
import { isImplied } from '../../domain/values/implied.js'

export interface Fields {
  [field: string]: Json | undefined
}

/** What fields have unless something else is stored; only plain values and empty arrays are ever left out. */
export type Implied<T> = { readonly [Field in keyof T]?: unknown }

/** Names the implied fields that an object lacks. */
const LACKING = '-'

/** An object without what is implied. */
export type Reduced<T> = Partial<T> & { [LACKING]?: (keyof T)[] }

/** The object without what is implied; `expanded` is the inverse. */
export function reduced<T extends object>(object: T, implied: Implied<T>): Reduced<T> {
  const kept: Reduced<T> = {}
  for (const field in object) {
    const value = object[field]
    if (value !== undefined && !isImplied(value, implied[field])) kept[field] = value
  }
  for (const field in implied) {
    if (object[field] === undefined) kept[LACKING] = [...(kept[LACKING] ?? []), field]
  }
  return kept
}

export function expanded<T extends object>(
  { [LACKING]: lacking, ...kept }: Reduced<T>,
  implied: Implied<NoInfer<T>>,
): T {
  const fields = { ...implied, ...kept } as T
  if (lacking !== undefined) for (const field of lacking) delete fields[field]
  return fields
}

/** Of these fields, those that are not as implied. */
export function unimplied(names: readonly string[], fields: Fields, implied: Implied<Fields>): Fields {
  const kept: Fields = {}
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && !isImplied(value, implied[name])) kept[name] = value
  }
  return kept
}
