// What agents paid or wanted to: payments with how they were decided, and transactions.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type Policies = NonNullable<Body<'POST /api/payments/{paymentId}/replay'>>['policies']

export function payments({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/payments'>, options?: CallOptions) =>
      list('GET /api/payments', 'payments', { query }, options),
    /** With `trace`: every rule that was evaluated, its facts and its outcome. */
    get: (paymentId: string, options?: CallOptions) =>
      call('GET /api/payments/{paymentId}', { path: { paymentId } }, options),
    /** Decides it again on the facts of then; under the policies of then unless `current` ones are asked for. */
    replay: (paymentId: string, policies?: Policies, options?: CallOptions) =>
      call('POST /api/payments/{paymentId}/replay', { path: { paymentId }, body: { policies } }, options),
    /** Ends what is not executed, and frees what it holds. */
    release: (paymentId: string, reason: string, options?: CallOptions) =>
      call('POST /api/payments/{paymentId}/release', { path: { paymentId }, body: { reason } }, options),
    /** The signed proof of what became of it. */
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
