// How a payment's transfer is made in live settlement: what is ordered, what was signed, and what the outside world says
// of it. It knows no chain and no library.
import type { Code } from './codes.js'
import type { AskingContext, Gate } from './gate.js'
import type { Micros } from './money.js'
import { isProviderSlot, type CustodyType, type SlotName } from './wallet.js'

export const SETTLEMENT_MODES = ['test', 'live'] as const
export type SettlementMode = (typeof SETTLEMENT_MODES)[number]

/** What a state waits for from outside; whatever it is, asking again is asking once. */
export type Call = 'sign' | 'broadcast' | 'lookup'

/** One transfer of a chain's asset, as a payment wants it made. */
export interface TransferOrder {
  chainId: string
  /** Of the wallet, in its shown form. */
  from: string
  to: string
  amount: Micros
  /** The contract of the token, as it was when the payment was asked for. */
  asset: string
}

/** A transfer as it was signed. It is stored before anybody but its signer sees it. */
export interface SignedTransfer {
  hash: string
  /** The very bytes that are sent, as often as they are sent. */
  raw: string
  nonce: number
  /** In wei, as decimal text. */
  maxFeePerGas: string
  maxPriorityFeePerGas: string
  gas: string
  /** Epoch ms. */
  signedAt: number
}

/** A transfer in a block that is deep enough. */
export interface Mined {
  txHash: string
  block: number
}

/** Why an execution could not begin; nothing has left the service, and nothing will. */
export interface NotMade {
  code: Code
  message: string
}

/** A transfer that somebody says was made, as it has to show in the chain. */
export interface ClaimedTransfer extends TransferOrder {
  txHash: string
  /** When it was asked for, epoch ms: what was made before was made for something else. */
  askedAt: number
}

export type Verdict =
  | { is: 'made'; block: number }
  /** It may still come, or come deep enough: ask again. */
  | { is: 'unsettled'; reason: string }
  /** It is something else. */
  | { is: 'wrong'; reason: string }

/** Custody by whose means the service itself makes transfers. */
export function isMadeHere(custodyType: CustodyType): custodyType is 'MANAGED' | SlotName {
  return custodyType === 'MANAGED' || isProviderSlot(custodyType)
}

/** What a payment keeps of its transfer. */
export interface TransferContext {
  /** Every form in which its one transfer was signed, all of one nonce; none once it is final. */
  transfers: SignedTransfer[]
  /** Of its transfer, for ever; null as long as nothing was signed. */
  nonce: number | null
  /** Of the form that is in the chain, else of the one signed last; or the one that an agent confirmed the payment with. */
  txHash: string | null
  /** The provider that it is entrusted to; null while nobody else sends it. */
  provider: string | null
  /** The block that its transfer is in, deep enough. */
  block: number | null
  /** Epoch ms. */
  confirmedAt: number | null
  /** Why its last transfer was not made, or failed. */
  stopReason: string | null
}

/** What the outside world says of it. */
export type TransferEvent =
  | { type: 'SIGNED' | 'REPLACED'; now: number; transfer: SignedTransfer }
  /** Nothing is signed here: a provider will send it. */
  | { type: 'ENTRUSTED'; now: number; provider: string }
  | ({ type: 'UNMADE'; now: number } & NotMade)
  /** It is on its way. */
  | { type: 'ACCEPTED'; now: number; txHash?: string }
  /** Nobody can tell whether it is. */
  | { type: 'UNKNOWN'; now: number }
  | ({ type: 'CONFIRMED'; now: number } & Mined)
  | { type: 'REVERTED'; now: number; txHash?: string; reason: string }
  /** The chain has left the block that it was confirmed in. */
  | { type: 'REORGED'; now: number }
  /** Nobody has to watch it any more. */
  | { type: 'FINAL'; now: number }

export function withTransfer(
  { transfers }: TransferContext,
  { transfer }: TransferEvent & { type: 'SIGNED' | 'REPLACED' },
): Partial<TransferContext> {
  return { transfers: [...transfers, transfer], nonce: transfer.nonce, txHash: transfer.hash }
}

/** The payment as it is after an execution that could not begin, whoever began it. */
export function unmade({ autoExecute }: { autoExecute: boolean }, { code, message }: NotMade) {
  const told = autoExecute ? { autoExecute: false, autoExecuteError: code } : { refusal: code }
  return { ...told, stopReason: message, txHash: null, provider: null }
}

/** The wallet's gate is asked next, and is told the block. */
export function inBlock(context: Pick<AskingContext, 'gates'>, { txHash, block }: Mined) {
  return { txHash, block, ...askingWallet(context, { block: String(block) }) }
}

/** The wallet's gate is asked next: there is no block any more. */
export function outOfBlock(context: Pick<AskingContext, 'gates'>) {
  return { block: null, ...askingWallet(context, {}) }
}

function askingWallet({ gates }: Pick<AskingContext, 'gates'>, told: { block?: string }) {
  return { gates: tellingWallet(gates, told), cursor: gates.findIndex(isWallet) }
}

const isWallet = ({ ref }: Gate): boolean => ref.startsWith('wallet/')

/** The gates with the block that the wallet's is told with what it is asked. */
export function tellingWallet(gates: readonly Gate[], told: { block?: string }): Gate[] {
  return gates.map((gate): Gate => {
    if (!isWallet(gate)) return gate
    const { block: _former, ...terms } = gate.terms ?? {}
    return { ...gate, terms: { ...terms, ...told } }
  })
}

/** The counterparty's gate is told that its payment has failed. What nobody ever accepted is listed as of its failure. */
export function afterFailure(
  { gates, executedAt }: Pick<AskingContext, 'gates'> & { executedAt: number | null },
  { reason, now }: TransferEvent & { type: 'REVERTED' },
) {
  const told = gates.map((gate): Gate => (gate.ref.startsWith('counterparty/') ? { ...gate, failed: true } : gate))
  return { stopReason: reason, gates: told, executedAt: executedAt ?? now }
}
