// The result of one check of a request: what it found, or why the request goes no further.
import type { Refused } from '../domain/refusal.js'

export type Checked<T> = { ok: true; value: T } | Refused

export function passed<T>(value: T): Checked<T> {
  return { ok: true, value }
}
