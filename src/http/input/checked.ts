// The result of one check of a request: a value, or a refusal.
import type { Refused } from '../../domain/outcomes/refusal.js'

export type Checked<T> = { ok: true; value: T } | Refused

export function passed<T>(value: T): Checked<T> {
  return { ok: true, value }
}
