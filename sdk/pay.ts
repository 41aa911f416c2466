// Pays exactly once: requests and executes a payment. If an answer is lost, it reads the payment before it sends
// anything again. Every repetition carries the idempotency key or names the payment, so it cannot make a second one.
import type { Code } from './api.js'
import type { Answer, Body, Client } from './call.js'
import { BursarError, type ErrorFacts, type PaymentRecord } from './error.js'
import { newIdempotencyKey, pause, type CallOptions, type Sending } from './send.js'
import { waitBefore } from './retry.js'

export type PaymentRequest = Body<'POST /api/sdk/payments/request'>
/** Without `autoExecute`: `pay` executes the payment itself. */
export type PayRequest = Omit<PaymentRequest, 'autoExecute'>
export type Payment = Answer<'GET /api/sdk/payments/{paymentId}'>
/** The answer of `execute` and of `pay`. */
export type Execution = Answer<'POST /api/sdk/payments/{paymentId}/execute'>

export interface Payer {
  client: Client
  maxRetries: number
}

interface Attempt<T, Seen> {
  send(): Promise<T>
  look(): Promise<Seen>
  /** The result that `look` found; undefined if there is none yet. Throws if the payment cannot be executed. */
  made?(seen: Seen): T | undefined
  /** True if sending again only returns what `look` found, or refuses it. */
  isRecorded?(seen: Seen): boolean
  signal?: AbortSignal | undefined
  payment?: PaymentRecord
  /** The result of an earlier sending, if there is one; otherwise rejects with the refusal. */
  afterRefusal?(refusal: BursarError): Promise<T>
}

const UNCERTAIN: ReadonlySet<Code> = new Set<Code>([
  'TIMEOUT',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  // Nothing was done by the last attempt; one before it may have had no answer.
  'NO_OWNER',
  'ALREADY_EXECUTED',
])

export async function pay(payer: Payer, request: PayRequest, options: CallOptions = {}): Promise<Execution> {
  const { signal, timeout } = options
  // Before the first request there is nothing to continue; after it, an abort leaves the outcome unknown.
  signal?.throwIfAborted()
  const ownKey = request.idempotencyKey ?? options.idempotencyKey
  const idempotencyKey = ownKey ?? newIdempotencyKey()
  let payment: PaymentRecord | undefined
  try {
    payment = await ask(payer, { ...request, idempotencyKey }, { signal, timeout })
    if (ownKey !== undefined) payment = await decidedSince(payer, payment, { signal, timeout })
    if (payment.status === 'DENIED') throw denied(payment)
    if (payment.status === 'REQUIRES_APPROVAL') throw waiting(payment)
    if (payment.status !== 'APPROVED') return await finished(payer, payment, { signal, timeout })
    return await execute(payer, payment, { signal, timeout })
  } catch (error) {
    // Only this call knows a random key, and the payment can be continued only under that key.
    const isAborted = signal?.aborted === true && error === signal.reason
    throw about(isAborted ? unknown(error, payment) : error, { idempotencyKey })
  }
}

/**
 * The decision. After a lost answer it is asked for again: only the service can tell whether what it has stored under
 * this key is this request.
 */
function ask(payer: Payer, body: PaymentRequest & { idempotencyKey: string }, options: CallOptions) {
  const { client } = payer
  const { idempotencyKey } = body
  return persist<PaymentRecord, { payments: PaymentRecord[] }>(payer, {
    send: () => client.call('POST /api/sdk/payments/request', { body }, { ...options, idempotencyKey }),
    look: () => client.call('GET /api/sdk/payments', { query: { idempotencyKey } }, options),
    isRecorded: ({ payments }) => payments.length > 0,
    signal: options.signal,
  })
}

/** A repeated key gets its first answer again. A person may have decided since, so the payment is read. */
async function decidedSince({ client }: Payer, asked: PaymentRecord, options: CallOptions): Promise<PaymentRecord> {
  if (asked.status !== 'REQUIRES_APPROVAL') return asked
  const path = { paymentId: asked.requestId }
  try {
    return await client.call('GET /api/sdk/payments/{paymentId}', { path }, options)
  } catch (error) {
    if (error instanceof BursarError) return asked
    throw error
  }
}

/** An attempt at the purchase that an earlier call has executed, or is executing. */
async function finished({ client }: Payer, asked: PaymentRecord, options: CallOptions): Promise<Execution> {
  const seen = await client.call('GET /api/sdk/payments/{paymentId}', { path: { paymentId: asked.requestId } }, options)
  return executionOrEnd(seen) ?? Promise.reject(unsettled(seen))
}

function execute(payer: Payer, payment: PaymentRecord, options: CallOptions): Promise<Execution> {
  const { client } = payer
  const path = { paymentId: payment.requestId }
  const idempotencyKey = newIdempotencyKey()
  const look = (more?: Sending): Promise<Payment> =>
    client.call('GET /api/sdk/payments/{paymentId}', { path }, { ...options, ...more })
  return persist<Execution, Payment>(payer, {
    send: () => client.call('POST /api/sdk/payments/{paymentId}/execute', { path }, { ...options, idempotencyKey }),
    look,
    made: executionOrEnd,
    signal: options.signal,
    payment,
    afterRefusal: async (refusal) => {
      // The reading must neither hide the refusal by its own failure nor hold it back by retries.
      const seen = await look({ maxRetries: 0 }).catch(() => undefined)
      const made = seen && executionOf(seen)
      if (made !== undefined) return made
      throw about(refusal, { payment: seen ?? payment })
    },
  })
}

/** The execution of an executed payment; undefined while it can still be executed. Throws if it cannot be. */
function executionOrEnd(payment: Payment): Execution | undefined {
  const { status } = payment
  if (status === 'APPROVED') return undefined
  if (status === 'DENIED') throw denied(payment)
  if (status === 'REQUIRES_APPROVAL') throw waiting(payment)
  if (status === 'EXECUTING') throw unsettled(payment)
  const execution = executionOf(payment)
  if (execution === undefined) throw ended(payment)
  return execution
}

/** The execution of an executed payment. */
function executionOf(payment: Payment): Execution | undefined {
  const { status, requestId, paymentKey, attempt, transaction, amount, currency, recipientAddress, wallet } = payment
  if (status !== 'EXECUTED' || transaction === undefined) return undefined
  // A purchase that a card has paid is no transfer.
  if (recipientAddress === null || wallet === null) return undefined
  const { id: transactionId, settlementMode, txHash } = transaction
  const hash = txHash === undefined ? {} : { txHash }
  const purchase = paymentKey === undefined ? {} : { paymentKey, attempt: attempt! }
  const made = { transactionId, ...hash, settlementMode }
  return { requestId, status, ...purchase, ...made, amount, currency, recipientAddress, wallet }
}

/** Sends. After an uncertain outcome it looks for the result, and sends again if it found none. */
async function persist<T, Seen>(payer: Payer, attempt: Attempt<T, Seen>): Promise<T> {
  let last = payer.maxRetries
  for (let round = 0; ; round++) {
    try {
      return await attempt.send()
    } catch (error) {
      if (!(error instanceof BursarError)) throw error
      if (!isUncertain(error)) {
        if (attempt.afterRefusal === undefined) throw error
        return await attempt.afterRefusal(error)
      }
      const seen = await look(payer, attempt)
      const found = attempt.made?.(seen)
      if (found !== undefined) return found
      // A 5xx has used up its retries; a lost answer has not been retried. Either may still be carried out.
      const isLost = error.code === 'TIMEOUT'
      // The one further round retries as often again.
      if (!isLost) last = Math.min(last, round + 1)
      if ((isLost || attempt.isRecorded?.(seen) === true) && round < last) continue
      throw attempt.payment ? unknown(error, attempt.payment) : error
    }
  }
}

/** Retries `look` until it has an answer. If it gets none, the outcome is unknown. */
async function look<Seen>({ maxRetries }: Payer, { look, signal, payment }: Attempt<unknown, Seen>): Promise<Seen> {
  for (let round = 0; ; round++) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof BursarError)) throw error
      const waitMs = isUncertain(error) ? waitBefore(round, maxRetries, { status: error.status || 500 }) : undefined
      if (waitMs === undefined) throw unknown(error, payment)
      await pause(waitMs, signal)
    }
  }
}

/** True if the payment may or may not have been made. */
function isUncertain({ code }: BursarError): boolean {
  return UNCERTAIN.has(code)
}

/** The error for a payment whose outcome is unknown. */
function unknown(cause: unknown, payment: PaymentRecord | undefined): BursarError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `It is unknown whether it was paid: call pay again with the same paymentKey, or this error's idempotencyKey (${why})`
  return new BursarError(message, { code: 'TIMEOUT', status: 0, cause, requestId: payment?.requestId, payment })
}

/** The same error with further facts. */
function about(error: unknown, facts: Pick<ErrorFacts, 'payment' | 'idempotencyKey'>): unknown {
  if (!(error instanceof BursarError)) return error
  return new BursarError(error.message, { ...error, cause: error.cause, ...facts })
}

function denied(payment: PaymentRecord): BursarError {
  const { requestId, reasons, violations } = payment
  const message = `The payment was denied: ${reasons.join('; ')}`
  return new BursarError(message, { code: 'PAYMENT_DENIED', status: 403, requestId, reasons, violations, payment })
}

export function waiting(payment: PaymentRecord): BursarError {
  const { requestId, reasons, violations, approvalRequestId } = payment
  const facts = { requestId, reasons, violations, approvalRequestId, payment }
  return new BursarError('The payment waits for approval by a person', {
    code: 'REQUIRES_APPROVAL',
    status: 202,
    ...facts,
  })
}

function ended(payment: PaymentRecord): BursarError {
  const { requestId, status, reasons } = payment
  const code = status === 'EXPIRED' ? 'EXPIRED' : 'INVALID_STATUS'
  return new BursarError(`The payment is ${status}`, { code, status: 400, requestId, reasons, payment })
}

/** The execution is still in progress: the caller has to ask again. */
function unsettled(payment: PaymentRecord): BursarError {
  const { requestId } = payment
  return new BursarError('The payment is still being executed', { code: 'TIMEOUT', status: 0, requestId, payment })
}
