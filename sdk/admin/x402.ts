// Payments by x402.
import type { Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function x402({ list }: Client) {
  return {
    /** The services that the organization has paid: who is paid at each host, how often, and how much (USDC). */
    services: (query?: Query<'GET /api/x402/services'>, options?: CallOptions) =>
      list('GET /api/x402/services', 'services', { query }, options),
  }
}
