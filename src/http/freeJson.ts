// Judges JSON that a caller may shape freely: whether it can be kept and hashed as it is. It changes nothing.
const LONE_SURROGATE = /\p{Surrogate}/u
const ILL_FORMED = 'must be well-formed Unicode, without lone surrogates'

/** What is wrong with the value as a free JSON object, undefined when nothing is. */
export function objectProblem(value: unknown, maxBytes: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  return jsonProblem(value, maxBytes)
}

/** What is wrong with the value as free JSON of any kind, undefined when nothing is. */
export function jsonProblem(value: unknown, maxBytes: number): string | undefined {
  const problem = problemWithin(value)
  if (problem !== undefined) return problem
  return Buffer.byteLength(JSON.stringify(value)) <= maxBytes ? undefined : `must be at most ${maxBytes} bytes of JSON`
}

// Depth is safe: a body that nests deeper than 32 never gets here.
function problemWithin(value: unknown): string | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? ILL_FORMED : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    // The store would give a member of this name back changed.
    if (name === '__proto__') return 'must have no member called __proto__'
    const problem = problemWithin(name) ?? problemWithin(member)
    if (problem !== undefined) return problem
  }
  return undefined
}
