// A payment: its terms, its decision, and its public status.
import { type ChainType } from '../values/chains.js'
import type { Json } from '../values/canonical.js'
import { derivedId } from '../values/ids.js'
import { toNumber, type Micros } from '../values/money.js'
import type { Identity } from '../access/principal.js'
import type { SettlementMode } from './settlement.js'
import type { Violation } from '../outcomes/violation.js'
import type { CardBrand } from '../parties/card.js'
import type { CustodyType } from '../parties/wallet.js'
import type { X402Terms } from './x402.js'

export const URGENCIES = ['LOW', 'NORMAL', 'HIGH', 'CRITICAL'] as const

/** Routes that payments come through; each has its own idempotency keys, and only it goes on with its payments. */
export type Through = 'request' | 'approve' | 'card' | 'x402'

/** What carries the money. */
export const RAILS = ['TRANSFER', 'CARD', 'X402'] as const
export type Rail = (typeof RAILS)[number]

export type LineItem = { description: string; quantity: number; unitAmount: Micros }

/** What a payment is named by, and found by: the narrowest first. */
export const NAMED_BY = ['paymentKey', 'reference', 'sessionId', 'rail'] as const
type NamedBy = (typeof NAMED_BY)[number]

/** The last part of the name of a list of payments. */
export function paymentName(field: NamedBy, value: string): string {
  return derivedId(field, value)
}

/** As the interface shows it: the amount in units of the currency. */
export function shownItems(items: readonly LineItem[]): LineItem[] {
  return items.map((item) => ({ ...item, unitAmount: toNumber(item.unitAmount) }))
}

export interface PaymentTerms {
  agentId: string
  /** The identity that the requesting key counts as. */
  askedBy: Identity
  /** Absent for a transfer. A payment on a card has no wallet and no recipient on a chain: null wherever those stand. */
  rail?: Exclude<Rail, 'TRANSFER'>
  /** Only on the rail CARD: the card and the agent's assignment to it, at the time of the request. */
  card?: { id: string; assignmentId: string; last4: string; brand: CardBrand }
  /** Only on the rail X402: what is paid for, and the offer that was chosen. */
  x402?: X402Terms
  walletId: string | null
  delegationId: string | null
  amount: Micros
  currency: string
  chainType: ChainType | null
  /** In display form. */
  recipientAddress: string | null
  /** On a card the merchant's. */
  recipientName: string | null
  purpose: string | null
  category: string | null
  context: { [field: string]: Json } | null
  executionContext: string | null
  urgency: (typeof URGENCIES)[number]
  idempotencyKey: string | null
  /** The settlement mode of the request, and therefore of the execution. */
  settlementMode: SettlementMode
  /** The token's contract; null when none is known for the chain. */
  asset: string | null
  /** The purchase that it pays for, the number of the attempt (from 1), and the route that it came by. */
  paymentKey?: string
  attempt?: number
  through?: Through
  /** The agent's session, its invoice or order number, and what is bought: given, or absent. */
  sessionId?: string
  reference?: string
  lineItems?: LineItem[]
  /** The wallet at the time of the request. */
  wallet: { id: string; address: string; chainId: string; custodyType: CustodyType } | null
}

/** The terms of what is paid from a wallet to an address: by a transfer, or by x402. */
export type WalletTerms = PaymentTerms & {
  [Field in 'walletId' | 'delegationId' | 'chainType' | 'recipientAddress' | 'wallet']: NonNullable<PaymentTerms[Field]>
}

export function isTransfer(terms: PaymentTerms): terms is WalletTerms {
  return terms.rail === undefined
}

/** Throws for a payment on another rail: nothing that makes transfers may meet one. */
export function transferTerms(terms: PaymentTerms | null): WalletTerms {
  if (terms === null || !isTransfer(terms)) throw new Error('This payment is no transfer')
  return terms
}

export function isFromWallet(terms: PaymentTerms): terms is WalletTerms {
  return terms.wallet !== null
}

/** Throws for a payment on a card. */
export function walletTerms(terms: PaymentTerms | null): WalletTerms {
  if (terms === null || !isFromWallet(terms)) throw new Error('This payment is from no wallet')
  return terms
}

/** The terms of what is paid by x402. */
export type X402PaymentTerms = WalletTerms & { x402: X402Terms; asset: string }

export function isX402(terms: PaymentTerms): terms is X402PaymentTerms {
  return terms.rail === 'X402'
}

export function railOf({ rail }: Pick<PaymentTerms, 'rail'>): Rail {
  return rail ?? 'TRANSFER'
}

/** Who is paid, for people: an address, or the merchant on a card. */
export function recipientText({ recipientAddress, recipientName }: PaymentTerms): string {
  return recipientAddress ?? recipientName ?? ''
}

/** What a card was charged with, as its agent has confirmed. */
export interface Charge {
  /** The true amount; the payment's terms keep the approved one. */
  amount: Micros
  reference: string
  /** It is more than was approved, or came when nothing was held any more. */
  overcharged: boolean
  /** Another attempt had taken the purchase's key by then. */
  lacksKey?: true
}

/** What was paid, or is to be. */
export function amountOf({ terms, permit }: { terms: PaymentTerms | null; permit: Permit | null }): Micros {
  return permit?.charge?.amount ?? terms!.amount
}

export const OUTCOMES = ['APPROVED', 'REQUIRES_APPROVAL', 'DENIED'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface Decision {
  id: string
  /** Content hash of all policies that applied. */
  policySetHash: string
  outcome: Outcome
  /** Why it is denied: at most so many that answers and records stay short. */
  violations: Violation[]
  /** How many reasons there are; absent where all of them are listed. */
  violationsTotal?: number
  /** The versions of the policies that applied, and their facts: enough to decide the payment again. */
  policies: { id: string; version: number }[]
  facts: { [name: string]: Json }
  /** The organization's zone, for rules that name none. */
  timezone: string
  /** The delegation requires a person, whatever the policies say. */
  preapproval: boolean
  /** Only on a denial by the facts. */
  nearest?: Nearest
}

/** The current decision: the last review's, or the request's. A payment has one once it was requested. */
export function currentDecision({ decision, review }: Record<'decision' | 'review', Decision | null>): Decision {
  return review ?? decision!
}

export const HINTS = ['maxAmountNow', 'earliestAt', 'approvalWouldAllow'] as const
export type Hint = (typeof HINTS)[number]

interface Stopped extends Record<'decision' | 'review', Decision | null> {
  causes: readonly Violation[]
  refusedBy: string | null
}

/** The violations that denied a payment or stopped its last execution: a gate's, or those of the decision itself. */
export function causesOf(stopped: Stopped): readonly Violation[] {
  return stopped.refusedBy === null ? currentDecision(stopped).violations : stopped.causes
}

/** The same of an actor's fields; none for an actor that is no payment, or none yet. */
export function stopOf({
  causes = [],
  refusedBy = null,
  decision = null,
  review = null,
}: Partial<Stopped>): Violation[] {
  return decision === null ? [...causes] : [...causesOf({ causes, refusedBy, decision, review })]
}

/** How many there are, with those that are not listed. */
export function causesTotalOf(payment: Stopped): number {
  const { violationsTotal } = currentDecision(payment)
  const listed = causesOf(payment).length
  return payment.refusedBy === null ? (violationsTotal ?? listed) : listed
}

/** The way out of a denial. */
export interface Nearest {
  /**
   * The largest amount that would be approved now or, where the denied one needed a person, that the same rules would put
   * to a person; null when there is none.
   */
  maxAmountNow: Micros | null
  /** A person would decide on that amount. */
  asksPerson?: true
  /** Epoch ms at which the same payment would be approved if nothing but time changed; null when time does not help. */
  earliestAt: number | null
  /** A person could approve the payment from another of the agent's wallets. */
  approvalWouldAllow: boolean
  /** Hints that were left out, because so many rules apply that looking for them would hold up others. */
  omitted?: Hint[]
}

/** The right to pay: from a wallet whose key the service does not have, on a card, or by x402. */
export interface Permit {
  /** Epoch ms until which the agent may pay. A later payment still counts; what was signed for x402 is void by then. */
  expiresAt: number
  /** What the card was charged with, once the agent has confirmed it. */
  charge?: Charge
  /** By x402: it was paid, and the agent did not get what it paid for. */
  undelivered?: true
}

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

export const TRANSACTION_STATUSES = ['PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED', 'UNKNOWN'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]
