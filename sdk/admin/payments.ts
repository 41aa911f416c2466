// Payments of all agents with their decisions, and transactions.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type Policies = NonNullable<Body<'POST /api/payments/{paymentId}/replay'>>['policies']

export interface ReleaseOptions extends CallOptions {
  allowRetry?: boolean
}

export function payments({ call, lines, list }: Client) {
  return {
    /**
     * With `search`, or a filter that no list serves, there is no `total`, and a page may be short and have a next one:
     * iterate.
     */
    list: (query?: Query<'GET /api/payments'>, options?: CallOptions) =>
      list('GET /api/payments', 'payments', { query }, options),
    /**
     * The payments that pass the filters as CSV, newest first: one text when awaited, line by line when iterated, each
     * with its carriage return. Throws LIMIT_REACHED while another export of the organization goes on.
     */
    export: (query?: Query<'GET /api/payments/export'>, options?: CallOptions) =>
      lines('GET /api/payments/export', { query }, options),
    /** The payment with its `trace`: every evaluated rule, its facts and its outcome. */
    get: (paymentId: string, options?: CallOptions) =>
      call('GET /api/payments/{paymentId}', { path: { paymentId } }, options),
    /** Decides the payment again on its stored facts, under its stored policies unless `policies` says `current`. */
    replay: (paymentId: string, policies?: Policies, options?: CallOptions) =>
      call('POST /api/payments/{paymentId}/replay', { path: { paymentId }, body: { policies } }, options),
    /**
     * Ends a payment that is not executed and releases its reservation. One that may have been paid keeps its
     * `paymentKey`, unless `allowRetry` says that it was not. Throws ALREADY_EXECUTED or INVALID_STATUS.
     */
    release: (paymentId: string, reason: string, { allowRetry, ...options }: ReleaseOptions = {}) =>
      call('POST /api/payments/{paymentId}/release', { path: { paymentId }, body: { reason, allowRetry } }, options),
    /** The receipt: a signed proof of the request, its decision and its settlement. */
    receipt: (paymentId: string, options?: CallOptions) =>
      call('GET /api/payments/{paymentId}/receipt', { path: { paymentId } }, options),
  }
}

export function transactions({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/transactions'>, options?: CallOptions) =>
      list('GET /api/transactions', 'transactions', { query }, options),
    get: (transactionId: string, options?: CallOptions) =>
      call('GET /api/transactions/{transactionId}', { path: { transactionId } }, options),
  }
}
