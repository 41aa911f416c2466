// What a receipt says of a payment, derived from the payment's audit entries and from nothing else, so that whoever has
// the entries can derive it again.
import type { PolicySnapshot } from '../../rules/compile.js'
import type { AuditEntry } from '../domain/audit.js'
import { hasLapsed, type Approval, type ApprovalStatus, type Verdict } from '../domain/approval.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import { toNumber } from '../domain/money.js'
import {
  currentDecision,
  shownStatus,
  transactionStatus,
  type Decision,
  type PaymentStatus,
  type PaymentTerms,
  type TransactionStatus,
} from '../domain/payment.js'
import type { SettlementMode } from '../domain/settlement.js'
import type { Violation } from '../domain/violation.js'
import type { Inclusion } from './audit.js'

export const RECEIPT_FORMAT = 'bursar-receipt/1'

interface Settled {
  transactionId: string
  status: TransactionStatus
  settlementMode: SettlementMode
  /** Of the transfer on the chain. */
  txHash?: string
  executedAt: string
}

export interface ReceiptParts {
  /** As it was asked for; the amount in units of the currency. */
  request: { [field: string]: Json }
  /** What the rules saw: amounts in micro-units, times in epoch ms. */
  facts: Decision['facts']
  decision: { [field: string]: Json }
  /** What became of it, and why. */
  outcome: { status: PaymentStatus; causes: Violation[] }
  /** Null while nothing is executed. */
  settlement: Settled | null
  /** Whom it was asked, the last request last, and what they said. */
  approvals: AskedPeople[]
}

interface AskedPeople {
  id: string
  status: ApprovalStatus
  requestedAt: string
  decisions: Said[]
}

interface Said {
  by: { type: string; id: string; name: string }
  decision: Verdict
  comment: string | null
  at: string
  /** It counted no longer: whoever said it might decide no more when another did, or its step was over. */
  lapsed?: true
}

export interface Receipt extends ReceiptParts {
  format: typeof RECEIPT_FORMAT
  requestId: string
  organization: { id: string }
  /** The versions that decided, as far as they decide. */
  policies: Omit<PolicySnapshot, 'name'>[]
  auditEntries: { entry: AuditEntry; proof: Inclusion }[]
  /** The signed note that the proofs lead to. */
  checkpoint: string
  verifierKey: string
}

/** A payment as its entries leave it: its fields that the audit log shows, and its state. */
export interface Recorded {
  id: string
  createdAt: number
  state: string
  terms: PaymentTerms
  /** What the request was decided on, and what the last execution that looked again was. */
  decision: Decision
  review: Decision | null
  ending: PaymentStatus | null
  causes: Violation[]
  transactionId: string
  txHash: string | null
  executedAt: number | null
  approval: Approval | null
  formerApprovals: Approval[]
}

type Fields = { [field: string]: Json | undefined }

/** Undefined where an entry changes a field from something else than the entries before it had left. */
export function recorded(entries: readonly AuditEntry[]): Recorded | undefined {
  const [first, ...later] = entries
  const fields: Fields = { ...(first?.data as Fields | undefined) }
  for (const { data } of later) {
    for (const [field, change] of Object.entries(data as { [field: string]: { from: Json; to: Json } })) {
      if (canonicalJson(fields[field] ?? null) !== canonicalJson(change.from)) return undefined
      fields[field] = change.to
    }
  }
  return first && (fields as unknown as Recorded)
}

export function partsOf(payment: Recorded): ReceiptParts {
  const { terms, createdAt, state, ending, causes } = payment
  const { facts, nearest: _way, ...decided } = currentDecision(payment)
  const { askedBy: _asker, settlementMode: _mode, ...asked } = terms
  return {
    request: { ...asked, amount: toNumber(terms.amount), requestedAt: iso(createdAt) },
    facts,
    decision: decided as unknown as { [field: string]: Json },
    outcome: { status: shownStatus(state, ending), causes },
    settlement: settledOf(payment),
    approvals: approvalsOf(payment),
  }
}

/** One without a beginning was prepared, and nobody was asked. */
function approvalsOf({ approval, formerApprovals }: Recorded): AskedPeople[] {
  const all = approval === null ? formerApprovals : [...formerApprovals, approval]
  return all.filter(({ createdAt }) => createdAt > 0).map((asked) => ({
    id: asked.id,
    status: asked.status,
    requestedAt: iso(asked.createdAt),
    decisions: asked.decisions.map((made) => {
      const { by: { type, id, name }, decision, comment, at } = made
      return { by: { type, id, name }, decision, comment, at: iso(at), ...(hasLapsed(asked, made) && { lapsed: true as const }) }
    }),
  }))
}

function settledOf(payment: Recorded): Settled | null {
  const { transactionId, txHash, executedAt } = payment
  if (executedAt === null) return null
  const { settlementMode } = payment.terms
  return {
    transactionId,
    // What was executed and has no transfer any more is on its way to be FAILED.
    status: transactionStatus(payment) ?? 'FAILED',
    settlementMode,
    ...(settlementMode === 'live' && txHash !== null && { txHash }),
    executedAt: iso(executedAt),
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
