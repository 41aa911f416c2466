// Transfers that left a wallet, as the chain shows them, and whether a payment explains each. A payment that may still
// be the one keeps a transfer waiting: until it is confirmed with that transfer, which explains it, or until it ends
// otherwise, or is confirmed with another one, and nothing does.
import type { Ref } from '../limits/gate.js'
import type { Enforcement } from '../parties/wallet.js'
import type { Micros } from '../values/money.js'

export interface OutgoingTransfer {
  walletId: string
  txHash: string
  /** In its block. */
  logIndex: number
  /** Among the transfers of its transaction that left this wallet, from 0: unlike `logIndex`, no reorganization moves it. */
  place: number
  to: string
  amount: Micros
  block: number
}

/** A transfer, with the nonce of the authorization (EIP-3009) that it was made by, if it was. */
export interface AuthorizedTransfer extends OutgoingTransfer {
  nonce?: string
}

export interface WaitingTransfer extends AuthorizedTransfer {
  /** The payment that may be confirmed with it. */
  paymentId: string
}

export interface SeenTransfer extends AuthorizedTransfer {
  /** The latest time at which a payment that explains it was requested (epoch ms). */
  askedBefore: number
}

/** A payment from the wallet, as far as it may explain a transfer. */
export interface PossiblePayment {
  id: string
  /** Its transfer is under way, and the hash may not be known yet. */
  isUnderWay: boolean
  /** It is approved, and not executed. */
  isApproved: boolean
  createdAt: number
  walletId: string
  to: string
  amount: Micros
  /** Of a payment by x402: of the authorization by which it is paid. */
  nonce?: string
}

export interface Explanations {
  /** The payment that has the hash of the transaction, if one has. */
  withHash: (txHash: string) => PossiblePayment | undefined
  /** The payment whose authorization was used under the nonce, if it is known by now. */
  withNonce: (nonce: string) => PossiblePayment | undefined
  payment: (id: string) => PossiblePayment | undefined
  /** Payments from the wallet that may not have been made yet. */
  open: readonly PossiblePayment[]
  enforcement: Enforcement
}

/** Whether a transfer that the payment is not known to have made may be its own, also by the agent's own hand. */
export function mayBeMade({ isUnderWay, isApproved }: PossiblePayment, enforcement: Enforcement): boolean {
  return isUnderWay || (enforcement === 'COOPERATIVE' && isApproved)
}

/** Names a transfer for ever, and in the whole installation. */
export function ungovernedKey({ walletId, txHash, place }: OutgoingTransfer): string {
  return `ungoverned transfer ${walletId} ${txHash} ${place}`
}

export interface Judgement {
  waiting: WaitingTransfer[]
  found: OutgoingTransfer[]
}

/**
 * Which transfers go on waiting or begin to, and which no payment explains. A payment explains one transfer, and no
 * transfer waits for two payments in turn: who asks again and again could keep one waiting for ever.
 */
export function judged(
  waiting: readonly WaitingTransfer[],
  seen: readonly SeenTransfer[],
  explanations: Explanations,
): Judgement {
  const result: Judgement = { waiting: [], found: [] }
  const spent = new Set<string>()
  const kept = new Set(waiting.map(({ paymentId }) => paymentId))
  for (const transfer of waiting) {
    if (isExplained(transfer, explanations, spent)) continue
    const payment = explanations.payment(transfer.paymentId)
    if (payment && mayBeMade(payment, explanations.enforcement)) result.waiting.push(transfer)
    else result.found.push(bare(transfer))
  }
  for (const { askedBefore, ...transfer } of seen) {
    if (isExplained(transfer, explanations, spent)) continue
    const payment = explanations.open.find(
      (one) => isOf(one, transfer) && mayUse(one, transfer) && one.createdAt <= askedBefore && !kept.has(one.id),
    )
    if (payment === undefined) result.found.push(bare(transfer))
    else {
      kept.add(payment.id)
      result.waiting.push({ ...transfer, paymentId: payment.id })
    }
  }
  return result
}

/** `spent` has the hashes whose payment explains another transfer of the same transaction. */
function isExplained(transfer: AuthorizedTransfer, { withHash, withNonce }: Explanations, spent: Set<string>): boolean {
  const authorized = transfer.nonce === undefined ? undefined : withNonce(transfer.nonce)
  if (authorized) return isOf(authorized, transfer)
  const payment = withHash(transfer.txHash)
  if (payment === undefined || !isOf(payment, transfer) || spent.has(transfer.txHash)) return false
  spent.add(transfer.txHash)
  return true
}

function isOf(payment: PossiblePayment, { walletId, to, amount }: OutgoingTransfer): boolean {
  return payment.walletId === walletId && payment.amount === amount && payment.to.toLowerCase() === to.toLowerCase()
}

/** A payment by x402 is made by its own authorization alone. */
function mayUse({ nonce }: PossiblePayment, transfer: AuthorizedTransfer): boolean {
  return nonce === undefined || nonce === transfer.nonce
}

function bare(transfer: AuthorizedTransfer): OutgoingTransfer {
  const { walletId, txHash, logIndex, place, to, amount, block } = transfer
  return { walletId, txHash, logIndex, place, to, amount, block }
}

/** The actor that keeps how far the wallet's transfers have been looked through. */
export function watchOf(walletId: string): Ref<'watch'> {
  return `watch/${walletId}`
}
