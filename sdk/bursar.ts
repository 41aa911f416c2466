// What an agent holds: asks, pays, and looks at what is its own. Its key is an agent key (`service_agent_…`).
import { approve, type ExternalPayment, type Permit } from './approve.js'
import { connect, type Answer, type Body, type Client, type Query } from './call.js'
import { pay, type Execution, type Payer, type PaymentRequest, type PayRequest } from './pay.js'
import { MAX_RETRIES, type CallOptions, type ClientOptions } from './send.js'

export interface BursarOptions extends ClientOptions {
  /** An agent key. */
  apiKey: string
}

type Decision = Answer<'POST /api/sdk/payments/request'>

export class Bursar {
  readonly payments: Payments
  readonly counterparties: Counterparties
  readonly #client: Client

  constructor(options: BursarOptions) {
    this.#client = connect(options)
    this.payments = new Payments(this.#client, options.maxRetries ?? MAX_RETRIES)
    this.counterparties = new Counterparties(this.#client)
  }

  /** The agent, its wallets with what they may spend, its policies and the key. */
  setup(options?: CallOptions) {
    return this.#client.call('GET /api/sdk/setup', {}, options)
  }

  wallets(query?: Query<'GET /api/sdk/wallets'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/wallets', 'wallets', { query }, options)
  }

  transactions(query?: Query<'GET /api/sdk/transactions'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/transactions', 'transactions', { query }, options)
  }

  policies(query?: Query<'GET /api/sdk/policies'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/policies', 'policies', { query }, options)
  }
}

export class Payments {
  readonly #client: Client
  readonly #payer: Payer

  constructor(client: Client, maxRetries: number) {
    this.#client = client
    this.#payer = { client, maxRetries }
  }

  /** Asks. A denial is an answer (`status: 'DENIED'`) and not an error. */
  request(body: PaymentRequest, options: CallOptions = {}): Promise<Decision> {
    const idempotencyKey = options.idempotencyKey ?? body.idempotencyKey
    return this.#client.call('POST /api/sdk/payments/request', { body }, { ...options, idempotencyKey })
  }

  /** Executes an approved payment. After a TIMEOUT ask for its `status` before you call this again. */
  execute(paymentId: string, options?: CallOptions): Promise<Execution> {
    return this.#client.call('POST /api/sdk/payments/{paymentId}/execute', { path: { paymentId } }, options)
  }

  status(paymentId: string, options?: CallOptions) {
    return this.#client.call('GET /api/sdk/payments/{paymentId}', { path: { paymentId } }, options)
  }

  /**
   * Asks and executes. Throws PAYMENT_DENIED or REQUIRES_APPROVAL, with the decision as `payment`. After a silence it
   * looks before it sends anything again. Where it stays unknown what became of the payment it throws TIMEOUT, with the
   * `idempotencyKey` to call it again with; give one of your own to be able to do that after a crash, too.
   */
  pay(request: PayRequest, options?: CallOptions): Promise<Execution> {
    return pay(this.#payer, request, options)
  }

  cancel(paymentId: string, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/payments/{paymentId}/cancel', { path: { paymentId } }, options)
  }

  /**
   * For a wallet that the agent pays from itself: the permit for an approved payment, or for a new one. Where leave is
   * given (`approved`) the `approvalToken` is there, which `confirm` takes. Where an answer was lost it is asked for
   * again; where it stays lost this throws, with the payment as `requestId`, to be approved by that id. With an
   * `idempotencyKey` the same call is safe after a TIMEOUT without one.
   */
  approve(payment: string | ExternalPayment, options: CallOptions = {}): Promise<Permit> {
    return approve(this.#payer, payment, options)
  }

  /** Tells the service which transaction paid what a permit allowed. */
  confirm(approvalId: string, body: Body<'POST /api/sdk/payments/{approvalId}/confirm'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/payments/{approvalId}/confirm', { path: { approvalId }, body }, options)
  }

  list(query?: Query<'GET /api/sdk/payments'>, options?: CallOptions) {
    return this.#client.list('GET /api/sdk/payments', 'payments', { query }, options)
  }
}

export class Counterparties {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Registers a recipient, or updates what is given of one that is registered. */
  upsert(body: Body<'POST /api/sdk/counterparties'>, options?: CallOptions) {
    return this.#client.call('POST /api/sdk/counterparties', { body }, options)
  }

  find(address: string, options?: CallOptions) {
    return this.#client.call('GET /api/sdk/counterparties', { query: { address } }, options)
  }
}
