// What differs between two values, field by field down to the fields that differ.
import { isFields } from './anyValue.js'

export interface Difference {
  /** The names from the record to the field. */
  path: string[]
  from: unknown
  to: unknown
}

export function differencesWithin(path: string[], from: unknown, to: unknown): Difference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isFields(from) || !isFields(to)) return [{ path, from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name) => differencesWithin([...path, name], from[name] ?? null, to[name] ?? null))
}
