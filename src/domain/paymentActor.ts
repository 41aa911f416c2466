// The context of a payment's actor and the messages it takes. Its chart says what it does with them.
import type { Approval, Given } from './approval.js'
import type { Code } from './codes.js'
import type { AskingContext, Gate } from './gate.js'
import type { Decision, Ending, PaymentTerms, Permit } from './payment.js'
import type { TransferContext, TransferEvent } from './settlement.js'
import type { Violation } from './violation.js'

export interface PaymentContext extends AskingContext, TransferContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  terms: PaymentTerms | null
  /** The request's decision. */
  decision: Decision | null
  /** The decision of the last review that evaluated the policies again; null without one. */
  review: Decision | null
  /** Reviews taken: a review made on an earlier count is outdated. */
  reviews: number
  /** A person has to approve the payment before it goes on. */
  asksPerson: boolean
  /** The last approval request; null while none was needed. */
  approval: Approval | null
  /** The latest approval requests that were replaced, oldest first. */
  formerApprovals: Approval[]
  /** The agent's right to pay from a wallet whose key the service does not have; null without one. */
  permit: Permit | null
  /** How long an approved payment may wait (ms). */
  approvedForMs: number
  /** Epoch ms at which the present state ends by itself. */
  expiresAt: number
  autoExecute: boolean
  autoExecuteError: Code | null
  /** The end that a releasing payment comes to. */
  ending: Ending | null
  /** An administrator's reason for the release. */
  releasedFor: string | null
  /** Violations that denied the payment or stopped its last execution. */
  causes: Violation[]
  /** The kind of the gate that gave the causes; null where the facts did. */
  refusedBy: string | null
  /** The transaction of its next, or only successful, execution. */
  transactionId: string
  executedAt: number | null
}

type Requested = Pick<
  PaymentContext,
  | 'id'
  | 'order'
  | 'terms'
  | 'decision'
  | 'gates'
  | 'approvedForMs'
  | 'approval'
  | 'autoExecute'
  | 'autoExecuteError'
  | 'transactionId'
>

export type PaymentEvent =
  /** `walletId` is the wallet that was asked for, if one was. */
  | { type: 'REQUEST'; now: number; organization: string; fields: Requested; walletId?: string }
  | { type: 'EXECUTE'; now: number; review?: Review }
  | { type: 'CANCEL' | 'WAKE'; now: number }
  | { type: 'ADMITTED' | 'HELD' | 'CAPTURED' | 'RESTORED' | 'RELEASED' | 'RECONCILED'; now: number }
  | { type: 'REFUSED'; now: number; violations: Violation[] }
  | { type: 'RELEASE_HOLD'; now: number; reason: string }
  | ({ type: 'APPROVE'; review?: Review } & DecidingEvent)
  | ({ type: 'DENY' } & DecidingEvent)
  | { type: 'PERMIT'; now: number; permitForMs: number; review?: Review }
  /**
   * `claim` claims the hash, which may confirm no other payment. `block` is the transfer's, where the chain can be
   * read.
   */
  | { type: 'CONFIRM'; now: number; txHash: string; claim: Gate; block?: number }
  | TransferEvent

/** A decision on an approval request. */
export interface DecidingEvent extends Given {
  now: number
  approvalId: string
}

/** The result of a review in which something has changed since the payment's decision. */
export interface Review {
  /** The payment's `reviews` when the review was made; the review is outdated under any other count. */
  after: number
  /** Absent where the decision stands. */
  decision?: Decision
  /** The gates to ask from now on, new ones last. */
  gates: Gate[]
  /** The approval request, where a person is required. */
  approval?: Approval
}
