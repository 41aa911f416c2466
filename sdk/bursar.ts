// The client for agents: requests, executes and reads the agent's own payments. It authenticates with an agent key
// (`service_agent_…`).
import { approve, type ExternalPayment, type Permit } from './approve.js'
import { connect, type Answer, type Body, type Client, type Query } from './call.js'
import { buy, type Buyer, type PaidRequest, type PaidResponse } from './fetch.js'
import { pay, type Execution, type Payer, type PaymentRequest, type PayRequest } from './pay.js'
import { MAX_RETRIES, pause, TIMEOUT_MS, type CallOptions, type ClientOptions } from './send.js'
import { wait, type Waited, type WaitOptions } from './wait.js'
import { X402 } from './x402.js'

export interface BursarOptions extends ClientOptions {
  /** An agent key, `service_agent_…`. */
  apiKey: string
  /** Used instead of the global `fetch` for the servers that `fetch` pays. */
  sellerFetch?: typeof globalThis.fetch | undefined
}

type Decision = Answer<'POST /api/sdk/payments/request'>

/**
 * Calls the service as one agent. Amounts are USDC: requests take decimal text or a number with at most 6 decimals,
 * answers have numbers. Times in answers are ISO 8601. Methods throw `BursarError`, the reason of `signal` if that ends
 * the call, and a TypeError for an empty id.
 */
export class Bursar {
  readonly payments: Payments
  readonly counterparties: Counterparties
  readonly cards: Cards
  readonly x402: X402
  readonly #client: Client
  readonly #buyer: Buyer

  constructor(options: BursarOptions) {
    this.#client = connect(options)
    this.payments = new Payments(this.#client, options)
    this.counterparties = new Counterparties(this.#client)
    this.cards = new Cards(this.#client)
    this.x402 = new X402(this.#client)
    this.#buyer = { client: this.#client, fetch: options.sellerFetch ?? ((...asked) => fetch(...asked)) }
  }

  /** The agent, its organization, its delegated wallets with balance and remaining limits, its policies, the key. */
  setup(options?: CallOptions) {
    return this.#client.call('GET /api/sdk/setup', {}, options)
  }

  /**
   * Like `fetch`, for a server that may answer 402 with an offer of x402: the service decides and signs, and the request
   * is repeated once. The answer has the payment as `bursarPayment`; a 402 after payment is not paid again. Throws
   * PAYMENT_DENIED, REQUIRES_APPROVAL and what `x402.authorize` throws; TIMEOUT where the server did not answer the paid
   * request: fetched again with the same `paymentKey`, it is paid once all the same. A redirect of the paid request is
   * answered, not followed. Throws a TypeError for a body that is a stream.
   */
  fetch(url: string | URL, request: PaidRequest): Promise<PaidResponse> {
    return buy(this.#buyer, url, request)
  }

  /** The delegated wallets, with their balance, and what is spent, reserved and remaining (USDC). */
  wallets(query?: Query<'GET /api/sdk/wallets'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/wallets', 'wallets', { query }, options)
  }

  /**
   * What may be spent now, for each wallet: the smaller of what delegation and policies leave; null where there is no
   * limit. Above `approvalAbove` a person must approve.
   */
  limits(options?: CallOptions) {
    return this.#client.call('GET /api/sdk/limits', {}, options)
  }

  /** The agent's executed payments. `from` and `to` are ISO 8601. */
  transactions(query?: Query<'GET /api/sdk/transactions'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/transactions', 'transactions', { query }, options)
  }

  /** The policies that apply to the agent. */
  policies(query?: Query<'GET /api/sdk/policies'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/policies', 'policies', { query }, options)
  }
}

export class Cards {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** The cards that the agent may pay with, and what is left of their limits (USD). */
  list(query?: Query<'GET /api/sdk/cards'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/cards', 'cards', { query }, options)
  }

  /**
   * Requests a payment on a card. Approved, the answer has the `approvalToken`: pay with the card within ten minutes, then
   * `confirm`. After a person has approved it, call this with the `requestId`: that gives the token, and the same one
   * again. A denial is an answer (`status: 'DENIED'`), not an error.
   */
  approve(payment: string | Body<'POST /api/sdk/cards/approve'>, options: CallOptions = {}) {
    if (typeof payment === 'string') {
      return this.#client.call('POST /api/sdk/cards/{requestId}/approve', { path: { requestId: payment } }, options)
    }
    const idempotencyKey = options.idempotencyKey ?? payment.idempotencyKey
    return this.#client.call('POST /api/sdk/cards/approve', { body: payment }, { ...options, idempotencyKey })
  }

  /**
   * Says what the card was charged with (`COMPLETED`), however late and however much, or that it was not (`VOIDED`). The
   * same `transactionReference` may be confirmed again; another throws ALREADY_EXECUTED.
   */
  confirm(requestId: string, body: Body<'POST /api/sdk/cards/{requestId}/confirm'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/cards/{requestId}/confirm', { path: { requestId }, body }, options)
  }
}

export class Payments {
  readonly #client: Client
  readonly #payer: Payer

  readonly #timeout: number

  constructor(client: Client, { maxRetries = MAX_RETRIES, timeout = TIMEOUT_MS }: ClientOptions) {
    this.#client = client
    this.#payer = { client, maxRetries }
    this.#timeout = timeout
  }

  /**
   * Requests a payment without executing it, unless `autoExecute` is set. A denial is an answer (`status: 'DENIED'`),
   * not an error. With `paymentKey` (the invoice or order number), a purchase that is or may be paid is answered as it
   * stands. Throws NO_WALLET if no delegated wallet could pay, PRICE_CHANGED if the purchase has another amount,
   * recipient or chain, and IDEMPOTENCY_CONFLICT if the idempotency key belongs to a different request.
   */
  request(body: PaymentRequest, options: CallOptions = {}): Promise<Decision> {
    const idempotencyKey = options.idempotencyKey ?? body.idempotencyKey
    return this.#client.call('POST /api/sdk/payments/request', { body }, { ...options, idempotencyKey })
  }

  /**
   * Executes an approved payment, once: a later call throws ALREADY_EXECUTED. Throws LIMIT_EXCEEDED,
   * INSUFFICIENT_BALANCE, EXPIRED or INVALID_STATUS if the payment can no longer be made, and
   * MANUAL_EXECUTION_REQUIRED for an external wallet. After a TIMEOUT, read its `status` before you call this again.
   */
  execute(paymentId: string, options?: CallOptions): Promise<Execution> {
    return this.#client.call('POST /api/sdk/payments/{paymentId}/execute', { path: { paymentId } }, options)
  }

  /** The payment as it is now. Throws NOT_FOUND if the agent has no payment with this id. */
  status(paymentId: string, options?: CallOptions) {
    return this.#client.call('GET /api/sdk/payments/{paymentId}', { path: { paymentId } }, options)
  }

  /**
   * Requests a payment and executes it. Throws PAYMENT_DENIED or REQUIRES_APPROVAL, with the decision as `payment`. If
   * an answer is lost, it reads the payment before it sends anything again. If the outcome stays unknown, it throws
   * TIMEOUT, also after an abort. Name the purchase with `paymentKey` (the invoice or order number): however often it is
   * paid, also after a crash, a denial or an expiry, it is paid once. Without one, retry with the `idempotencyKey` of the
   * error.
   */
  pay(request: PayRequest, options?: CallOptions): Promise<Execution> {
    return pay(this.#payer, request, options)
  }

  /**
   * Waits until a payment that requires approval is approved, denied, expired or cancelled, which `outcome` tells apart;
   * then `pay` with the same `paymentKey`, or `execute`. It reads the payment after 1, 2, 4, 8 and then every 10 seconds.
   * Throws REQUIRES_APPROVAL if it still waits at the end of `timeout`, by default ten minutes.
   */
  wait(paymentId: string, options?: WaitOptions): Promise<Waited> {
    const client = this.#client
    return wait({ client, timeout: this.#timeout, now: Date.now, pause }, paymentId, options)
  }

  /**
   * Cancels a payment that is not executed and releases its reservation. Throws ALREADY_EXECUTED, or INVALID_STATUS if
   * it has ended, is being executed, or is permitted.
   */
  cancel(paymentId: string, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/payments/{paymentId}/cancel', { path: { paymentId } }, options)
  }

  /**
   * Gets the permit to pay from an external wallet, for an approved payment (its id) or for a new one. If the payment
   * is permitted (`approved: true`), the answer has the `approvalToken` that `confirm` takes; otherwise it has the
   * reasons. If the token was lost with an answer, this requests it again. If it still has none, it throws with the
   * payment's id as `requestId`: call it again with that id. Pass a `paymentKey` to be able to retry after a TIMEOUT
   * that has no `requestId`.
   */
  approve(payment: string | ExternalPayment, options: CallOptions = {}): Promise<Permit> {
    return approve(this.#payer, payment, options)
  }

  /**
   * Confirms that a permitted payment was made: `txHash` is the hash of its transfer, `approvalToken` comes from
   * `approve`. Throws INVALID_TOKEN for another payment's token and ALREADY_EXECUTED for a transfer that has confirmed
   * another payment; in live settlement also NOT_CONFIRMED while the transfer is not deep enough (confirm again after
   * `retryAfter`), TRANSFER_MISMATCH with `details` for another transfer, and UNAVAILABLE if the chain cannot be read.
   */
  confirm(approvalId: string, body: Body<'POST /api/sdk/payments/{approvalId}/confirm'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/payments/{approvalId}/confirm', { path: { approvalId }, body }, options)
  }

  /** The agent's payments, newest first. `paymentKey`, `reference`, `sessionId` and `idempotencyKey` find those so named. */
  list(query?: Query<'GET /api/sdk/payments'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/payments', 'payments', { query }, options)
  }
}

export class Counterparties {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Registers a counterparty, or updates the given fields of a registered one; `created` is true in both cases. */
  upsert(body: Body<'POST /api/sdk/counterparties'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/counterparties', { body }, options)
  }

  /** What the organization knows of an address: `found`, and its `counterparty` or null. */
  find(address: string, options?: CallOptions) {
    return this.#client.call('GET /api/sdk/counterparties', { query: { address } }, options)
  }
}
