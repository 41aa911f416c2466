// The one error that the SDK throws for refusals by the service and failures of the connection.
import type { Code, Decision, Operations } from './api.js'

export interface ErrorFacts {
  code: Code
  /** HTTP status; 0 when there was no answer. */
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

/** A payment as a request for it, or a reading of its status, answers it. */
export type PaymentRecord = Decision | Operations['GET /api/sdk/payments/{paymentId}']['answer']

/** Thrown by every method of the clients and by `verifyWebhook`. `message` names the remedy. */
export class BursarError extends Error {
  override readonly name = 'BursarError'
  /** The outcome, one of a closed list; docs/errors.md describes each. */
  readonly code: Code
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /**
   * The `X-Request-Id` of the answer. For an outcome of a payment that `pay` reports, and for a permit whose token
   * `approve` could not get, the `requestId` of the payment.
   */
  readonly requestId?: string
  /** The invalid fields: the path of each and what is wrong with it. */
  readonly details?: { path: string; message: string }[]
  /** Why a payment was denied or stopped, as sentences. */
  readonly reasons?: string[]
  /** The rules and limits that a payment violates, with `limit` and `current` in USDC for amounts. */
  readonly violations?: NonNullable<Decision['violations']>
  /** The payment as last read, if `pay` threw: after a refused execution as it is since, if it could be read. */
  readonly payment?: PaymentRecord
  /** If `pay` threw, its idempotency key, given or random. Calling `pay` again with it continues that payment. */
  readonly idempotencyKey?: string
  /** The approval request that a person must decide before the request takes effect. */
  readonly approvalRequestId?: string
  /** Seconds to wait, from the `Retry-After` header. */
  readonly retryAfter?: number

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = facts.code
    this.status = facts.status
    const known = Object.entries(facts).filter(([, value]) => value !== undefined)
    Object.assign(this, Object.fromEntries(known))
  }
}
