// The dashboard's way to the service: the SDK's client, typed by what the service says it takes and answers. The
// session is in a cookie that no script sees, so there is no key here.
import { connect } from '../sdk/call.js'
import { BursarError } from '../sdk/error.js'

export type { Answer, Body, Entry, Query, Route } from '../sdk/call.js'
export { BursarError } from '../sdk/error.js'
export { withSecret } from '../sdk/secret.js'
export { newIdempotencyKey } from '../sdk/send.js'

export const api = connect({ baseUrl: location.origin, maxRetries: 2 })

const CARRIED_OUT =
  'What you sent before was carried out after all, as it was then. Look at what came of it before you send this too.'

/** Nobody here knows what became of the request: no answer has come, of which the cause tells why. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof BursarError && error.code === 'TIMEOUT' && error.cause !== undefined

/**
 * An answer after which nothing of the request is open. Until there is one, it may have been carried out, and is to be
 * sent again under the idempotency key that it had.
 */
export function isSettled(cause: unknown): boolean {
  if (!(cause instanceof BursarError)) return false
  const wasMade = cause.code === 'TIMEOUT' && !isUnanswered(cause)
  return wasMade || cause.code === 'REQUIRES_APPROVAL' || cause.code === 'IDEMPOTENCY_CONFLICT'
}

/** What went wrong, in a sentence for people. */
export function sentenceOf(cause: unknown): string {
  if (!(cause instanceof BursarError)) return 'Something went wrong on this page. Reload it, and report it if it stays.'
  if (isUnanswered(cause)) return 'The service did not answer. Check your connection and try again.'
  if (cause.code === 'IDEMPOTENCY_CONFLICT') return CARRIED_OUT
  if (cause.code === 'RATE_LIMITED') return 'Too many requests. Wait a moment and try again.'
  if (cause.code === 'INSUFFICIENT_SCOPE') return `${cause.message}. Ask an owner for a role that may.`
  return cause.message
}

export const isSignedOut = (cause: unknown): boolean => cause instanceof BursarError && cause.code === 'AUTH_FAILED'

/** Their role does not let them read it. */
export const isForbidden = (cause: unknown): boolean => cause instanceof BursarError && cause.status === 403

/** Somebody else changed it since the version that was named. */
export const isOvertaken = (cause: unknown): boolean =>
  cause instanceof BursarError && cause.code === 'VERSION_CONFLICT'

/** The change is made when somebody else agrees. */
export const isHeld = (cause: unknown): cause is BursarError =>
  cause instanceof BursarError && cause.code === 'REQUIRES_APPROVAL'

/** What was read, or undefined where it is not there any more. */
export async function unlessRemoved<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((cause: unknown) => {
    if (cause instanceof BursarError && cause.status === 404) return undefined
    throw cause
  })
}
