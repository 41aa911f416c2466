// Answers that show a secret once. If the first answer was lost and the call is repeated, the service answers again,
// without the secret. That must not look like success.
import { BursarError } from './error.js'

const SECRETS = ['key', 'apiKey', 'webhookSecret', 'secret', 'setupUrl'] as const

/** An answer that has its secret. */
export type WithSecret<T> = T extends unknown
  ? T & Required<Pick<T, Extract<keyof T, (typeof SECRETS)[number]>>>
  : never

/** The answer with its secret. Throws TIMEOUT with status 0, naming the `remedy`, if only a lost answer had it. */
export async function withSecret<T extends object>(answer: Promise<T>, remedy: string): Promise<WithSecret<T>> {
  const shown = await answer
  if (SECRETS.some((name) => Object.hasOwn(shown, name))) return shown as WithSecret<T>
  const made = 'id' in shown ? ` (${String(shown.id)})` : ''
  const message = `The request succeeded${made}, but the answer with its secret was lost: ${remedy}`
  throw new BursarError(message, { code: 'TIMEOUT', status: 0 })
}

const PERHAPS_LOST =
  'The service may have created the first signing secret, and the answer with it was lost: unless you have one, ' +
  'call webhooks.rotateSecret() for another'

/**
 * The answer to a change that makes the organization's signing secret if it has none. `hadOne` is true if it certainly
 * had one. Throws TIMEOUT with status 0 if the change was made and the answer with the secret may have been lost. An
 * error after which the change may have been made says so in its message.
 */
export async function withFirstSecret<T extends { webhookSecret?: string }>(
  hadOne: boolean,
  send: (onUncertain: () => void) => Promise<T>,
): Promise<T> {
  let isUncertain = false
  try {
    const answer = await send(() => void (isUncertain = true))
    if (hadOne || !isUncertain || answer.webhookSecret !== undefined) return answer
  } catch (error) {
    if (hadOne || !mayBeMade(error, isUncertain)) throw error
    throw new BursarError(`${error.message}. ${PERHAPS_LOST}`, { ...error, cause: error.cause })
  }
  throw new BursarError(`The change was made. ${PERHAPS_LOST}`, { code: 'TIMEOUT', status: 0 })
}

/** An answer that cannot be read is an INTERNAL_ERROR, too. */
function mayBeMade(error: unknown, isUncertain: boolean): error is BursarError {
  if (!(error instanceof BursarError) || error.code === 'REQUIRES_APPROVAL') return false
  return isUncertain || error.code === 'TIMEOUT' || error.code === 'INTERNAL_ERROR'
}
