// What a payment is: what was asked, what was decided, and how it shows to the world.
import { isRead, type ChainType } from './chains.js'
import type { Json } from './canonical.js'
import type { Micros } from './money.js'
import type { Identity } from './principal.js'
import type { SettlementMode } from './settlement.js'
import type { Violation } from './violation.js'
import type { CustodyType } from './wallet.js'

export const URGENCIES = ['LOW', 'NORMAL', 'HIGH', 'CRITICAL'] as const

export interface PaymentTerms {
  agentId: string
  /** Whom the key counts as that asked. */
  askedBy: Identity
  walletId: string
  delegationId: string
  amount: Micros
  currency: string
  chainType: ChainType
  /** In its shown form. */
  recipientAddress: string
  recipientName: string | null
  purpose: string | null
  category: string | null
  context: Json
  executionContext: string | null
  urgency: (typeof URGENCIES)[number]
  idempotencyKey: string | null
  /** How it was asked for, and is therefore executed. */
  settlementMode: SettlementMode
  /** The contract of the token that it moves; null where none is known of its chain. */
  asset: string | null
  /** The wallet as it was when the payment was asked for. */
  wallet: { id: string; address: string; chainId: string; custodyType: CustodyType }
}

export const OUTCOMES = ['APPROVED', 'REQUIRES_APPROVAL', 'DENIED'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface Decision {
  id: string
  /** Content hash of all policies that applied. */
  policySetHash: string
  outcome: Outcome
  violations: Violation[]
  /** The policies that applied, by version, and the facts they saw: enough to decide it again. */
  policies: { id: string; version: number }[]
  facts: { [name: string]: Json }
  /** The organization's zone, for rules that name none. */
  timezone: string
  /** The delegation asks for a person, whatever the policies say. */
  preapproval: boolean
  /** Only of a denial by the facts. */
  nearest?: Nearest
}

/** The decision that counts now: of the last review, or of the request. A payment that was asked for has one. */
export function currentDecision({ decision, review }: Record<'decision' | 'review', Decision | null>): Decision {
  return review ?? decision!
}

/** The way out of a denial. */
export interface Nearest {
  /** The largest amount that would be approved now; null when none would. */
  maxAmountNow: Micros | null
  /** Epoch ms at which the same payment would be approved if nothing but time changed; null when time does not help. */
  earliestAt: number | null
  /** Another of the agent's wallets would let a person approve it. */
  approvalWouldAllow: boolean
}

/** Leave to pay from a wallet that the service has no key of. */
export interface Permit {
  /** Epoch ms until which the agent may pay; what it pays later counts all the same. */
  expiresAt: number
}

export type Ending = 'DENIED' | 'CANCELLED' | 'EXPIRED' | 'FAILED'

export const PAYMENT_STATUSES = [
  'APPROVED',
  'REQUIRES_APPROVAL',
  'DENIED',
  'EXECUTING',
  'EXECUTED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

const STATUS_OF_STATE: Readonly<Record<string, PaymentStatus>> = {
  awaitingApproval: 'REQUIRES_APPROVAL',
  approved: 'APPROVED',
  permitted: 'APPROVED',
  admitting: 'EXECUTING',
  capturing: 'EXECUTING',
  'transferring.signing': 'EXECUTING',
  'transferring.submitting': 'EXECUTING',
  'transferring.unknown': 'EXECUTING',
  'transferred.submitted': 'EXECUTED',
  'transferred.reconciling': 'EXECUTED',
  'transferred.reopening': 'EXECUTED',
  'transferred.confirmed': 'EXECUTED',
  restoring: 'APPROVED',
  executed: 'EXECUTED',
  failed: 'FAILED',
  denied: 'DENIED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

export const TRANSACTION_STATUSES = ['PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED', 'UNKNOWN'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

const TRANSACTION_OF_STATE: Readonly<Record<string, TransactionStatus>> = {
  'transferring.submitting': 'PENDING',
  'transferring.unknown': 'UNKNOWN',
  'transferred.submitted': 'SUBMITTED',
  'transferred.reconciling': 'SUBMITTED',
  'transferred.reopening': 'SUBMITTED',
  'transferred.confirmed': 'CONFIRMED',
  executed: 'CONFIRMED',
  failed: 'FAILED',
}

/** How a payment's transfer stands; undefined where there is none that may have left. */
export function transactionStatus({ state, terms }: { state: string; terms: PaymentTerms }): TransactionStatus | undefined {
  const status = TRANSACTION_OF_STATE[state]
  // Somebody says that it was sent, and no chain was asked.
  const isWord = terms.settlementMode === 'live' && !isRead(terms.chainType)
  return status === 'CONFIRMED' && isWord ? 'SUBMITTED' : status
}

/** The status that a state of the chart shows as; one that is releasing shows what it is about to be. */
export function shownStatus(state: string, ending: PaymentStatus | null): PaymentStatus {
  return STATUS_OF_STATE[state] ?? ending ?? 'APPROVED'
}
