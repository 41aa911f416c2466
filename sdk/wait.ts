// Waits until a payment that requires approval is decided on, by reading it again and again. It only reads: it neither
// executes nor cancels anything.
import type { Client } from './call.js'
import { BursarError } from './error.js'
import { waiting, type Payment } from './pay.js'
import { waitBefore } from './retry.js'

export interface WaitOptions {
  /** Milliseconds for the whole wait. Default 600000, ten minutes; 0 to read the payment once. */
  timeout?: number | undefined
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** What became of a payment that required approval. */
export interface Waited {
  /**
   * APPROVED: execute it, or call `pay` again, unless `payment.status` says that it is executed already. DENIED: by a
   * person or, at the approval, by the policies (`payment.deniedBy`). EXPIRED: nobody decided in time, or it was approved
   * and not executed in time. CANCELLED: the agent, or an administrator, ended it.
   */
  outcome: 'APPROVED' | 'DENIED' | 'EXPIRED' | 'CANCELLED'
  payment: Payment
}

export interface Waiter {
  client: Client
  /** Milliseconds for one reading. */
  timeout: number
  /** Epoch ms. */
  now: () => number
  pause: (ms: number, signal?: AbortSignal) => Promise<void>
}

const PATIENCE_MS = 600_000
/** So that the reading at the deadline can have an answer. */
const SHORTEST_READING_MS = 1000

/** Throws REQUIRES_APPROVAL if it still waits at the deadline, and what the last reading threw if it had no answer. */
export async function wait(waiter: Waiter, paymentId: string, options: WaitOptions = {}): Promise<Waited> {
  const { timeout = PATIENCE_MS, signal } = options
  const deadline = waiter.now() + timeout
  for (let round = 0; ; round++) {
    const seen = await read(waiter, paymentId, deadline, signal)
    if (!(seen instanceof BursarError) && seen.status !== 'REQUIRES_APPROVAL') return became(seen)
    const leftMs = deadline - waiter.now()
    const waitMs = beforeNext(round, seen)
    // A refusal says itself when to come back: reading earlier would only be refused again.
    const isOver = waitMs === undefined || leftMs <= 0 || (seen instanceof BursarError && waitMs > leftMs)
    if (isOver) throw seen instanceof BursarError ? seen : waiting(seen)
    await waiter.pause(Math.min(waitMs, leftMs), signal)
  }
}

/** The payment, or why it could not be read. */
function read({ client, timeout, now }: Waiter, paymentId: string, deadline: number, signal?: AbortSignal) {
  const leftMs = Math.max(SHORTEST_READING_MS, deadline - now())
  // The loop itself retries, within its deadline.
  const options = { timeout: Math.min(timeout, leftMs), maxRetries: 0, signal }
  const answer = client.call('GET /api/sdk/payments/{paymentId}', { path: { paymentId } }, options)
  return answer.catch((error: unknown) => {
    if (error instanceof BursarError) return error
    throw error
  })
}

/** Milliseconds until the next reading: 1, 2, 4, 8 and 10 seconds as for any retry; undefined if there is to be none. */
function beforeNext(round: number, seen: Payment | BursarError): number | undefined {
  if (!(seen instanceof BursarError)) return waitBefore(round, Infinity, { status: 503 })
  // A reading that had no answer may be repeated, other than a payment.
  return waitBefore(round, Infinity, { status: seen.status || 503, retryAfter: seen.retryAfter })
}

/** A payment that is being executed, or was, has been approved. */
function became(payment: Payment): Waited {
  const { status } = payment
  const isEnd = status === 'DENIED' || status === 'EXPIRED' || status === 'CANCELLED'
  return { outcome: isEnd ? status : 'APPROVED', payment }
}
