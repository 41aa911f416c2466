// Repeats a command when another one changed its grounds before it began.
import type { Code } from '../domain/outcomes/codes.js'
import { refuse, type Result } from '../domain/outcomes/result.js'

const MAX_ATTEMPTS = 20
const CONTENTION = refuse('UNAVAILABLE', 'The objects of this request keep changing: try again')

/** An overtaken attempt does nothing; it returns undefined or refuses with VERSION_CONFLICT. */
export async function retryOnConflict<T, C extends Code>(
  attempt: () => Promise<Result<T, C> | undefined>,
): Promise<Result<T, C | 'UNAVAILABLE'>> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt()
    if (result && (result.ok || result.refusal.code !== 'VERSION_CONFLICT')) return result
  }
  return CONTENTION
}
