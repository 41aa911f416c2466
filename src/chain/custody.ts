// The custody port: who holds the key of a wallet, and what Bursar may ask of them. A provider's adapter is one module
// that exports `createCustody(settings)`; docs/custody.md describes it, src/chain/contract.ts checks one.
import type { LocalAccount } from 'viem'
import type { Code } from '../domain/codes.js'
import type { NotMade, TransferOrder } from '../domain/settlement.js'

/** Gives an account that signs; Bursar builds the transaction, stores it signed, and sends it. */
export interface Signer {
  kind: 'signer'
  /** Rejects with a CustodyError where it cannot sign for this address and organization. It must not send anything. */
  account(address: string, organization: string): Promise<Pick<LocalAccount, 'address' | 'signTransaction'>>
}

/** What became of what a provider was asked to send. */
export type Submission =
  | { is: 'accepted'; txHash?: string }
  /** Nothing was sent, and under this key nothing ever will be. */
  | { is: 'refused'; code: Code; message: string }
  /** It knows of nothing under this key. */
  | { is: 'absent' }

export interface SubmittedOrder extends TransferOrder {
  /** Whose payment it is; the service lets an address be paid from by one organization alone. */
  organization: string
}

/** Sends by itself. Asked twice with one key, it sends once. */
export interface Submitter {
  kind: 'submitter'
  /**
   * Names the provider and the account there, the same as long as keys mean the same. What was entrusted to one is never
   * submitted to another.
   */
  id: string
  /** Rejects where the outcome is not known. */
  submit(order: SubmittedOrder, key: string): Promise<Submission>
  status(key: string): Promise<Submission>
}

export type Custody = Signer | Submitter

/** The adapter's own settings: those of its slot without the slot's name, `BURSAR_PROVIDER_A_URL` as `URL`. */
export type CustodySettings = Readonly<Record<string, string>>

export interface CustodyModule {
  /** Throws when the settings do not suffice. */
  createCustody(settings: CustodySettings): Custody | Promise<Custody>
}

/** The codes that an adapter may give. */
const CUSTODY_CODES: readonly Code[] = ['WALLET_CONFIG_ERROR', 'CUSTODY_NOT_CONFIGURED', 'INSUFFICIENT_BALANCE', 'UNAVAILABLE']

/**
 * Why nothing was made, from what an adapter threw or answered; undefined where that has none of the codes. Adapters are
 * modules of others and cannot throw a class of this one.
 */
export function reasonOf(said: unknown): NotMade | undefined {
  const { code, message } = (said ?? {}) as { code?: unknown; message?: unknown }
  const known = CUSTODY_CODES.find((one) => one === code)
  return known && { code: known, message: String(message) }
}

/** Nothing was signed or sent, and the payment may be tried again. */
export class CustodyError extends Error implements NotMade {
  override name = 'CustodyError'

  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message)
  }
}
