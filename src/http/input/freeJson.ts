// Checks free-form JSON: whether it can be stored and hashed unchanged, and has card numbers. It does not alter the value.
import type { Json } from '../../domain/values/canonical.js'
import { hasCardNumber } from '../../domain/values/cardNumber.js'

const LONE_SURROGATE = /\p{Surrogate}/u
const ILL_FORMED = 'must be well-formed Unicode, without lone surrogates'

/** Why the value is not a valid free-form JSON object; undefined when it is. */
export function objectProblem(value: unknown, maxBytes: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  return jsonProblem(value, maxBytes)
}

/** Why the value is not valid free-form JSON; undefined when it is. */
export function jsonProblem(value: unknown, maxBytes: number): string | undefined {
  const problem = problemWithin(value)
  if (problem !== undefined) return problem
  return Buffer.byteLength(JSON.stringify(value)) <= maxBytes ? undefined : `must be at most ${maxBytes} bytes of JSON`
}

// The recursion is safe: bodies nested deeper than 32 levels are refused earlier.
function problemWithin(value: unknown): string | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? ILL_FORMED : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    // The store does not preserve a member of this name.
    if (name === '__proto__') return 'must have no member called __proto__'
    const problem = problemWithin(name) ?? problemWithin(member)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** True where one of its texts or numbers, or the name of a member, is or has the number of a card. */
export function holdsCardNumber(value: Json | undefined): boolean {
  if (typeof value === 'string' || typeof value === 'number') return hasCardNumber(String(value))
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsCardNumber)
  return Object.entries(value).some(([name, member]) => hasCardNumber(name) || holdsCardNumber(member))
}
