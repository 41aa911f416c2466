// Repeats a command when another one changed its grounds before it began.
import { refuse, type Refused } from '../domain/outcomes/result.js'

const MAX_ATTEMPTS = 20
const CONTENTION = refuse('UNAVAILABLE', 'What this depends on keeps changing: try again')

/** An overtaken attempt does nothing; it returns undefined or refuses with VERSION_CONFLICT. */
export async function retryOnConflict<Result extends { ok: true }>(
  attempt: () => Promise<Result | Refused | undefined>,
): Promise<Result | Refused> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt()
    if (result && !isConflict(result)) return result
  }
  return CONTENTION
}

function isConflict(result: { ok: true } | Refused): boolean {
  return !result.ok && result.refusal.code === 'VERSION_CONFLICT'
}
