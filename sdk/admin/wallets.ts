// Wallets: creation, simulated funds and policy assignments.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type Amount = Body<'POST /api/wallets/{walletId}/fund'>['amount']

export function wallets({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/wallets'>, options?: CallOptions) =>
      list('GET /api/wallets', 'wallets', { query }, options),
    get: (walletId: string, options?: CallOptions) =>
      call('GET /api/wallets/{walletId}', { path: { walletId } }, options),
    /** Creates a wallet, or returns the existing one with this address and chain. */
    create: (body: Body<'POST /api/wallets'>, options?: CallOptions) => call('POST /api/wallets', { body }, options),
    update: (walletId: string, body: Body<'PATCH /api/wallets/{walletId}'>, options?: CallOptions) =>
      call('PATCH /api/wallets/{walletId}', { path: { walletId }, body }, options),
    delete: (walletId: string, options?: CallOptions) =>
      call('DELETE /api/wallets/{walletId}', { path: { walletId } }, options),
    /** Adds USDC to the simulated balance. Throws INVALID_STATUS in live settlement. */
    fund: (walletId: string, amount: Amount, options?: CallOptions) =>
      call('POST /api/wallets/{walletId}/fund', { path: { walletId }, body: { amount } }, options),
    /**
     * Without a signature answers a challenge; with the challenge's signature (EIP-191) by the address's key, the address
     * is the organization's. Throws ALREADY_EXISTS where another organization has proved it before.
     */
    prove: (walletId: string, body: Body<'POST /api/wallets/{walletId}/proof'> = {}, options?: CallOptions) =>
      call('POST /api/wallets/{walletId}/proof', { path: { walletId }, body }, options),
    /** Who may spend from it: the delegations in force. */
    delegations: (walletId: string, query?: Query<'GET /api/wallets/{walletId}/delegations'>, options?: CallOptions) =>
      list('GET /api/wallets/{walletId}/delegations', 'delegations', { path: { walletId }, query }, options),
    policies: {
      assign: (walletId: string, policyId: string, options?: CallOptions) =>
        call('POST /api/wallets/{walletId}/policies', { path: { walletId }, body: { policyId } }, options),
      unassign: (walletId: string, policyId: string, options?: CallOptions) =>
        call('DELETE /api/wallets/{walletId}/policies', { path: { walletId }, query: { policyId } }, options),
    },
  }
}
