// A payment's transfer in live settlement: its order, its signed forms, and reports about it. It knows no chain and no
// library.
import type { Code } from '../outcomes/codes.js'
import type { AskingContext, Gate } from '../limits/gate.js'
import type { Micros } from '../values/money.js'
import type { Detail } from '../outcomes/result.js'
import { enforcementOf, type CustodyType, type SlotName } from '../parties/wallet.js'

export const SETTLEMENT_MODES = ['test', 'live'] as const
export type SettlementMode = (typeof SETTLEMENT_MODES)[number]

/** The outside call that a state waits for. INVARIANT: every call is idempotent. */
export type OutsideCall = 'sign' | 'broadcast' | 'lookup' | 'lookupAuthorization'

/** One transfer of a chain's asset, as a payment orders it. */
export interface TransferOrder {
  chainId: string
  /** The wallet's address, in display form. */
  from: string
  to: string
  amount: Micros
  /** The token's contract at the time of the request. */
  asset: string
}

/** A signed transfer. INVARIANT: it is stored before it leaves the signer. */
export interface SignedTransfer {
  hash: string
  /** The bytes to send, the same on every attempt. */
  raw: string
  nonce: number
  /** In wei, as decimal text. */
  maxFeePerGas: string
  maxPriorityFeePerGas: string
  gas: string
  /** Epoch ms. */
  signedAt: number
}

/** A transfer that is deep enough in a block. */
export interface Mined {
  txHash: string
  block: number
}

/** Why an execution did not begin. Nothing has left the service, and nothing will. */
export interface SendFailure<C extends Code = Code> {
  code: C
  message: string
}

/** A transfer claimed by an agent, as the chain has to show it. */
export interface ClaimedTransfer extends TransferOrder {
  txHash: string
  /** Epoch ms of the payment's request: an earlier transfer was made for something else. */
  askedAt: number
}

export type TransferVerdict =
  | { is: 'made'; block: number }
  /** Not in the chain, or not deep enough, yet: ask again. */
  | { is: 'unsettled'; reason: string }
  /** No node of its chain is configured. */
  | { is: 'unread'; reason: string }
  /** Not the claimed transfer; `details` name the fields in which it differs. */
  | { is: 'wrong'; reason: string; details: Detail[] }

/** True for custody in which the service makes transfers itself. */
export function isMadeHere(custodyType: CustodyType): custodyType is 'MANAGED' | SlotName {
  return enforcementOf(custodyType) === 'SIGNER'
}

/** The part of a payment's context about its transfer. */
export interface TransferContext {
  /** Every signed form of the one transfer, all with the same nonce; empty once it is final. */
  transfers: SignedTransfer[]
  /** The transfer's nonce, forever; null before it is signed. */
  nonce: number | null
  /** The hash of the form in the chain, else of the one signed last; or the hash that the agent confirmed with. */
  txHash: string | null
  /** The provider that sends the transfer; null when the service does. */
  provider: string | null
  /** The block that holds the transfer, deep enough. */
  block: number | null
  /** Epoch ms. */
  confirmedAt: number | null
  /** Why the last transfer was not made, or failed. */
  stopReason: string | null
}

/** Reports from outside about the transfer. */
export type TransferEvent =
  | { type: 'SIGNED' | 'REPLACED'; now: number; transfer: SignedTransfer }
  /** The service signs nothing: a provider will send the transfer. */
  | { type: 'ENTRUSTED'; now: number; provider: string }
  | ({ type: 'UNMADE'; now: number } & SendFailure)
  /** The transfer is on its way. */
  | { type: 'ACCEPTED'; now: number; txHash?: string }
  /** It is unknown whether the transfer is on its way. */
  | { type: 'UNKNOWN'; now: number }
  | ({ type: 'CONFIRMED'; now: number } & Mined)
  | { type: 'REVERTED'; now: number; txHash?: string; reason: string }
  /** The chain has dropped the block in which the transfer was confirmed. */
  | { type: 'REORGED'; now: number }
  /** The transfer need not be watched any more. */
  | { type: 'FINAL'; now: number }

type Hashed = Pick<TransferContext, 'txHash' | 'confirmedAt'>

/** A confirmation is of one hash: whoever was told of it is told of another one, too. */
export function underHash({ txHash: former, confirmedAt }: Hashed, txHash: string | null): Hashed {
  return { txHash, confirmedAt: txHash === former ? confirmedAt : null }
}

export function withTransfer(
  context: TransferContext,
  { transfer }: TransferEvent & { type: 'SIGNED' | 'REPLACED' },
): Partial<TransferContext> {
  return {
    transfers: [...context.transfers, transfer],
    nonce: transfer.nonce,
    ...underHash(context, transfer.hash),
  }
}

/** The changes of a payment whose execution could not begin. */
export function afterSendFailure({ autoExecute }: { autoExecute: boolean }, { code, message }: SendFailure) {
  const told = autoExecute ? { autoExecute: false, autoExecuteError: code } : { refusal: code }
  return { ...told, stopReason: message, txHash: null, provider: null }
}

/** The wallet's gate is told the block. */
export function inBlock(context: Pick<AskingContext, 'gates'> & Hashed, { txHash, block }: Mined) {
  return { ...underHash(context, txHash), block, gates: tellingWallet(context.gates, { block: String(block) }) }
}

/** The wallet's gate is told that there is no block. */
export function outOfBlock({ gates }: Pick<AskingContext, 'gates'>) {
  return { block: null, gates: tellingWallet(gates, {}) }
}

/** Replaces the block in the ask for the wallet's gate. */
export function tellingWallet(gates: readonly Gate[], told: { block?: string }): Gate[] {
  return gates.map((gate): Gate => {
    if (!gate.ref.startsWith('wallet/')) return gate
    const { block: _former, ...terms } = gate.terms ?? {}
    return { ...gate, terms: { ...terms, ...told } }
  })
}

/** The counterparty's gate learns of the failure. A transfer that was never accepted is dated by its failure. */
export function afterFailure(
  { gates, executedAt }: Pick<AskingContext, 'gates'> & { executedAt: number | null },
  { reason, now }: TransferEvent & { type: 'REVERTED' },
) {
  const told = gates.map((gate): Gate => (gate.ref.startsWith('counterparty/') ? { ...gate, failed: true } : gate))
  return { stopReason: reason, gates: told, executedAt: executedAt ?? now }
}
