// Payments by x402: what a server asks for with HTTP 402 is decided on as any payment, and signed by the service.
import type { Body, Client, Query } from './call.js'
import type { CallOptions } from './send.js'

export class X402 {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /**
   * Decides on what a server asks for with HTTP 402, and signs it: `headers` are those to repeat the request with. The
   * amount counts from then on, until it is paid or `validBefore` has passed. The same `paymentKey` gives the same
   * signature again. A denial is an answer (`status: 'DENIED'`), not an error. Throws PRICE_CHANGED if the server asks for
   * something else than for the first time, NO_WALLET if no wallet on its chain is delegated, and TEST_SETTLEMENT for
   * a chain that test settlement does not sign for.
   */
  authorize(body: Body<'POST /api/sdk/x402/authorize'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/x402/authorize', { body }, options)
  }

  /**
   * Tells what the server answered: `paymentResponse` is its header `PAYMENT-RESPONSE`. It may be told again. In live
   * settlement the payment is EXECUTED only when its chain shows it.
   */
  settle(requestId: string, body: Body<'POST /api/sdk/x402/{requestId}/settle'> = {}, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/x402/{requestId}/settle', { path: { requestId }, body }, options)
  }

  /** The services that the agent has paid, the latest first. */
  services(query?: Query<'GET /api/sdk/x402/services'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/x402/services', 'services', { query }, options)
  }
}
