// Answers that show a secret once. Where the first answer was lost and the call was repeated, the service says again
// what it made, without the secret: that must not look like success.
import { BursarError } from './error.js'

const SECRETS = ['key', 'apiKey', 'webhookSecret', 'setupUrl']

/** The answer with its secret; throws TIMEOUT with status 0 where only the answer that was lost had it. */
export async function withSecret<T extends object>(answer: Promise<T>, remedy: string): Promise<T> {
  const shown = await answer
  if (SECRETS.some((name) => Object.hasOwn(shown, name))) return shown
  const made = 'id' in shown ? ` (${String(shown.id)})` : ''
  const message = `It was made${made}, and the answer with its secret was lost: ${remedy}`
  throw new BursarError(message, { code: 'TIMEOUT', status: 0 })
}
