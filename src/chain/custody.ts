// The custody port: what Bursar asks of an adapter that holds a wallet's key. An adapter is a module that exports
// `createCustody(settings)`; docs/custody.md describes it, src/chain/contract.ts checks one.
import type { LocalAccount } from 'viem'
import type { Code } from '../domain/outcomes/codes.js'
import type { SendFailure, TransferOrder } from '../domain/payment/settlement.js'
import { foreignText } from '../domain/values/text.js'

/** Signs only; Bursar builds the transaction, stores the signed bytes and broadcasts them. */
export interface Signer {
  kind: 'signer'
  /** Rejects with a CustodyError when it cannot sign for this address and organization. It must not send anything. */
  account(address: string, organization: string): Promise<Pick<LocalAccount, 'address' | 'signTransaction'>>
}

/** A provider's answer about a transfer submitted to it. */
export type Submission =
  | { is: 'accepted'; txHash?: string }
  /** Nothing was sent, and nothing ever will be under this key. */
  | { is: 'refused'; code: Code; message: string }
  /** The provider knows no transfer under this key. */
  | { is: 'absent' }

export interface SubmittedOrder extends TransferOrder {
  /** The paying organization; the service lets only one organization pay from an address. */
  organization: string
}

/** Signs and sends by itself. It sends once per key, however often it is asked. */
export interface Submitter {
  kind: 'submitter'
  /**
   * Names the provider and the account there; it stays the same as long as submission keys keep their meaning. A
   * transfer submitted to one id is never submitted to another.
   */
  id: string
  /** Rejects when the outcome is unknown. */
  submit(order: SubmittedOrder, key: string): Promise<Submission>
  status(key: string): Promise<Submission>
}

export type Custody = Signer | Submitter

/** The adapter's settings, without the slot's prefix: `BURSAR_PROVIDER_A_URL` as `URL`. */
export type CustodySettings = Readonly<Record<string, string>>

export interface CustodyModule {
  /** Throws when settings are missing or invalid. */
  createCustody(settings: CustodySettings): Custody | Promise<Custody>
}

/** The codes that an adapter may give. */
const CUSTODY_CODES: readonly Code[] = [
  'WALLET_CONFIG_ERROR',
  'CUSTODY_NOT_CONFIGURED',
  'INSUFFICIENT_BALANCE',
  'UNAVAILABLE',
]

/**
 * The reason why nothing was sent, from what an adapter threw or answered; undefined without one of the codes. It reads
 * the fields, because adapters are external modules and cannot throw this project's classes.
 */
export function reasonOf(said: unknown): SendFailure | undefined {
  const { code, message } = (said ?? {}) as { code?: unknown; message?: unknown }
  const known = CUSTODY_CODES.find((one) => one === code)
  return known && { code: known, message: foreignText(message) }
}

/** Nothing was signed or sent; the payment may be retried. */
export class CustodyError extends Error implements SendFailure {
  override name = 'CustodyError'

  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message)
  }
}
