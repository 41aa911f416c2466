// The dashboard's access to the service: the SDK's client, with types generated from the service's own description. The
// session is in a cookie that scripts cannot read, so there is no key here.
import { connect } from '../sdk/call.js'
import { BursarError } from '../sdk/error.js'

export type { Answer, Body, Entry, Parts, Route } from '../sdk/call.js'
export { BursarError } from '../sdk/error.js'
export { withSecret, type WithSecret } from '../sdk/secret.js'
export { newIdempotencyKey } from '../sdk/send.js'

export const api = connect({ baseUrl: location.origin, maxRetries: 2 })

const CARRIED_OUT = 'The previous request succeeded after all. Check its result before you send another one.'

/** No answer has come, so the outcome of the request is unknown; the cause says why. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof BursarError && error.code === 'TIMEOUT' && error.cause !== undefined

/**
 * The outcome of the request is known. Until then it may have been carried out, and must be repeated with the same
 * idempotency key.
 */
export function isSettled(cause: unknown): boolean {
  if (!(cause instanceof BursarError)) return false
  const wasMade = cause.code === 'TIMEOUT' && !isUnanswered(cause)
  return wasMade || cause.code === 'REQUIRES_APPROVAL' || cause.code === 'IDEMPOTENCY_CONFLICT'
}

/** The error as a sentence for people. */
export function sentenceOf(cause: unknown): string {
  if (!(cause instanceof BursarError))
    return 'Something went wrong on this page. Reload the page, and report the error if it persists.'
  if (isUnanswered(cause)) return 'The service did not respond. Check your connection and try again.'
  if (cause.code === 'IDEMPOTENCY_CONFLICT') return CARRIED_OUT
  if (cause.code === 'RATE_LIMITED') return 'Too many requests. Wait a moment and try again.'
  if (cause.code === 'INSUFFICIENT_SCOPE') return `${cause.message}. Ask an owner for a role with this permission.`
  return cause.message
}

export const isSignedOut = (cause: unknown): boolean => cause instanceof BursarError && cause.code === 'AUTH_FAILED'

/** The person's role does not permit reading it. */
export const isForbidden = (cause: unknown): boolean => cause instanceof BursarError && cause.status === 403

/** Somebody else changed it after the version that the request named. */
export const isOvertaken = (cause: unknown): boolean =>
  cause instanceof BursarError && cause.code === 'VERSION_CONFLICT'

/** All entries of a list, page after page. */
export async function everyOne<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

/** The change waits for the approval of a second person. */
export const isHeld = (cause: unknown): cause is BursarError =>
  cause instanceof BursarError && cause.code === 'REQUIRES_APPROVAL'

/** What was read, or undefined if it does not exist any more. */
export async function unlessRemoved<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((cause: unknown) => {
    if (cause instanceof BursarError && cause.status === 404) return undefined
    throw cause
  })
}
