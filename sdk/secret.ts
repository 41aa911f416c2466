// Answers that show a secret once. Where the first answer was lost and the call was repeated, the service says again
// what it made, without the secret: that must not look like success.
import { BursarError } from './error.js'

/** The answer with its secret; throws TIMEOUT with status 0 where only the answer that was lost had it. */
export async function withSecret<T extends object>(answer: Promise<T>, secret: keyof T & string, remedy: string): Promise<T> {
  const shown = await answer
  if (shown[secret] !== undefined) return shown
  const made = 'id' in shown ? ` (${String(shown.id)})` : ''
  const message = `It was made${made}, and the answer with its ${secret} was lost: ${remedy}`
  throw new BursarError(message, { code: 'TIMEOUT', status: 0 })
}
