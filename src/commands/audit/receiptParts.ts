// The parts of a receipt, derived from the payment's audit entries alone, so that every holder of the entries can
// derive them again.
import { charts } from '../../../machines/index.js'
import { shapeOf } from '../../actor/contextCopies.js'
import type { PolicySnapshot } from '../../../rules/compile.js'
import { wholeData, type AuditEntry } from '../../domain/audit/entry.js'
import type { RawEntry } from '../../domain/audit/forms.js'
import { shownDecisions, type Approval, type ApprovalStatus, type Verdict } from '../../domain/payment/approval.js'
import { canonicalJson, type Json } from '../../domain/values/canonical.js'
import { toNumber } from '../../domain/values/money.js'
import {
  causesOf,
  currentDecision,
  shownItems,
  type Decision,
  type PaymentStatus,
  type PaymentTerms,
  type TransactionStatus,
} from '../../domain/payment/terms.js'
import type { SettlementMode } from '../../domain/payment/settlement.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import type { Inclusion } from './audit.js'
import { transactionStatus, paymentStatus } from '../status.js'

export const RECEIPT_FORMAT = 'bursar-receipt/1'

interface Settled {
  transactionId: string
  status: TransactionStatus
  settlementMode: SettlementMode
  /** The hash of the transfer on the chain. */
  txHash?: string
  executedAt: string
}

export interface ReceiptParts {
  /** The request, with its amount in units of the currency. */
  request: { [field: string]: Json }
  /** Facts of the rules: amounts in micro-units, times in epoch ms. */
  facts: Decision['facts']
  decision: Omit<Decision, 'facts' | 'nearest'>
  /** The result, and its causes. */
  outcome: { status: PaymentStatus; causes: Violation[] }
  /** Null before execution. */
  settlement: Settled | null
  /** The approval requests, last one last, with their decisions. */
  approvals: ApprovalRecord[]
}

interface ApprovalRecord {
  id: string
  status: ApprovalStatus
  requestedAt: string
  decisions: ApprovalDecisionRecord[]
}

interface ApprovalDecisionRecord {
  by: { type: string; id: string; name: string }
  decision: Verdict
  comment: string | null
  at: string
  /** The decision stopped counting: its decider had lost the right before the next decision, or its step was over. */
  lapsed?: true
}

export interface Receipt extends ReceiptParts {
  format: typeof RECEIPT_FORMAT
  requestId: string
  organization: { id: string }
  /** The versions that decided, without what has no effect. */
  policies: Omit<PolicySnapshot, 'name'>[]
  auditEntries: { entry: RawEntry; proof: Inclusion }[]
  /** The signed note that the proofs lead to. */
  checkpoint: string
  verifierKey: string
}

/** A payment's logged fields and state, after its last entry. */
export interface Recorded {
  id: string
  createdAt: number
  state: string
  terms: PaymentTerms
  /** The request's decision, and the last review's. */
  decision: Decision
  review: Decision | null
  causes: Violation[]
  refusedBy: string | null
  transactionId: string
  txHash: string | null
  executedAt: number | null
  approval: Approval | null
  formerApprovals: Approval[]
}

type Fields = { [field: string]: Json | undefined }

/** Undefined where an entry's `from` differs from what the entries before it left. */
export function recorded(entries: readonly AuditEntry[]): Recorded | undefined {
  const { initial } = shapeOf(charts.payment.machine)
  const [first, ...later] = entries.map((entry) => wholeData(entry, initial))
  const fields: Fields = { ...first }
  for (const data of later) {
    for (const [field, change] of Object.entries(data as { [field: string]: { from: Json; to: Json } })) {
      if (canonicalJson(fields[field] ?? null) !== canonicalJson(change.from)) return undefined
      fields[field] = change.to
    }
  }
  return first && (fields as unknown as Recorded)
}

export function partsOf(payment: Recorded): ReceiptParts {
  const { terms, createdAt } = payment
  const { facts, nearest: _way, ...decided } = currentDecision(payment)
  const { askedBy: _asker, settlementMode: _mode, through: _route, lineItems, ...asked } = terms
  const items = lineItems && { lineItems: shownItems(lineItems) }
  return {
    request: { ...asked, ...items, amount: toNumber(terms.amount), requestedAt: iso(createdAt) },
    facts,
    decision: decided,
    outcome: { status: paymentStatus(payment), causes: [...causesOf(payment)] },
    settlement: settledOf(payment),
    approvals: approvalsOf(payment),
  }
}

/** A request without `createdAt` was prepared but never opened. */
function approvalsOf({ approval, formerApprovals }: Recorded): ApprovalRecord[] {
  const all = approval === null ? formerApprovals : [...formerApprovals, approval]
  return all
    .filter(({ createdAt }) => createdAt > 0)
    .map((asked) => ({
      id: asked.id,
      status: asked.status,
      requestedAt: iso(asked.createdAt),
      decisions: shownDecisions(asked),
    }))
}

function settledOf(payment: Recorded): Settled | null {
  const { transactionId, txHash, executedAt } = payment
  if (executedAt === null) return null
  const { settlementMode } = payment.terms
  return {
    transactionId,
    // An executed payment without a transfer is about to be FAILED.
    status: transactionStatus(payment) ?? 'FAILED',
    settlementMode,
    ...(settlementMode === 'live' && txHash !== null && { txHash }),
    executedAt: iso(executedAt),
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
