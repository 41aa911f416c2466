// Wallets: make them, fund them in simulation, put policies on them.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type Amount = Body<'POST /api/wallets/{walletId}/fund'>['amount']

export function wallets({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/wallets'>, options?: CallOptions) =>
      list('GET /api/wallets', 'wallets', { query }, options),
    get: (walletId: string, options?: CallOptions) =>
      call('GET /api/wallets/{walletId}', { path: { walletId } }, options),
    /** The wallet of this address and chain, where there is one already. */
    create: (body: Body<'POST /api/wallets'>, options?: CallOptions) => call('POST /api/wallets', { body }, options),
    update: (walletId: string, body: Body<'PATCH /api/wallets/{walletId}'>, options?: CallOptions) =>
      call('PATCH /api/wallets/{walletId}', { path: { walletId }, body }, options),
    delete: (walletId: string, options?: CallOptions) =>
      call('DELETE /api/wallets/{walletId}', { path: { walletId } }, options),
    /** Adds to the simulated balance; refused in live settlement. */
    fund: (walletId: string, amount: Amount, options?: CallOptions) =>
      call('POST /api/wallets/{walletId}/fund', { path: { walletId }, body: { amount } }, options),
    policies: {
      assign: (walletId: string, policyId: string, options?: CallOptions) =>
        call('POST /api/wallets/{walletId}/policies', { path: { walletId }, body: { policyId } }, options),
      unassign: (walletId: string, policyId: string, options?: CallOptions) =>
        call('DELETE /api/wallets/{walletId}/policies', { path: { walletId }, query: { policyId } }, options),
    },
  }
}
