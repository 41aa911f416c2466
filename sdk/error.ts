// The one error the SDK throws for what the service or the connection did.
import type { Code, Decision, Operations } from './api.js'

export interface ErrorFacts {
  code: Code
  /** HTTP status; 0 when no answer came. */
  status: number
  requestId?: string | undefined
  details?: { path: string; message: string }[] | undefined
  reasons?: string[] | undefined
  violations?: NonNullable<Decision['violations']> | undefined
  payment?: PaymentRecord | undefined
  idempotencyKey?: string | undefined
  approvalRequestId?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/** A payment as a request or a status question shows it. */
export type PaymentRecord = Decision | Operations['GET /api/sdk/payments/{paymentId}']['answer']

export class BursarError extends Error {
  override readonly name = 'BursarError'
  /** What happened, as one of a closed list of words. */
  readonly code: Code
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /**
   * The `X-Request-Id` of the answer; of an outcome that `pay` reports, or leave whose token `approve` did not get, the
   * `requestId` of the payment.
   */
  readonly requestId?: string
  /** The fields that were wrong. */
  readonly details?: { path: string; message: string }[]
  /** Why a payment was denied or stopped, in words. */
  readonly reasons?: string[]
  readonly violations?: NonNullable<Decision['violations']>
  /** The payment as last seen, where `pay` threw. */
  readonly payment?: PaymentRecord
  /** Where `pay` threw, the key it asked with, a random one too: called again with it, it goes on with that payment. */
  readonly idempotencyKey?: string
  /** What a person has to decide before the request takes effect. */
  readonly approvalRequestId?: string
  /** Seconds that the service asked to wait. */
  readonly retryAfter?: number

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = facts.code
    this.status = facts.status
    const known = Object.entries(facts).filter(([, value]) => value !== undefined)
    Object.assign(this, Object.fromEntries(known))
  }
}
