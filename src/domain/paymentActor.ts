// What a payment's actor keeps and the messages that it takes; what it does with them is its chart.
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
  /** What the request was decided on. */
  decision: Decision | null
  /** What the last execution was decided on that looked at the policies again; null while none has. */
  review: Decision | null
  /** Reviews taken, so that one of an earlier payment is told from one of this. */
  reviews: number
  /** A person has to approve it before it goes on. */
  asksPerson: boolean
  /** The request for that approval, the last one there was; null while nobody had to be asked. */
  approval: Approval | null
  /** Requests that no longer stand, the latest ones, oldest first. */
  formerApprovals: Approval[]
  /** Lets the agent pay from a wallet that the service has no key of; null until it is tried. */
  permit: Permit | null
  /** How long an approval lives (ms). */
  approvedForMs: number
  /** Epoch ms at which the state it is in ends by itself. */
  expiresAt: number
  autoExecute: boolean
  autoExecuteError: Code | null
  /** What it is on its way to while it releases its holds. */
  ending: Ending | null
  /** Why an administrator released it. */
  releasedFor: string | null
  /** What denied it or stopped its last execution. */
  causes: Violation[]
  /** The kind of the gate that gave the causes; null where the facts did. */
  refusedBy: string | null
  /** The transaction its next or only successful execution makes. */
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
  | { type: 'REQUEST'; now: number; organization: string; fields: Requested }
  | { type: 'EXECUTE'; now: number; review?: Review }
  | { type: 'CANCEL' | 'WAKE'; now: number }
  | { type: 'ADMITTED' | 'HELD' | 'CAPTURED' | 'RESTORED' | 'RELEASED' | 'RECONCILED'; now: number }
  | { type: 'REFUSED'; now: number; violations: Violation[] }
  | { type: 'RELEASE_HOLD'; now: number; reason: string }
  | ({ type: 'APPROVE'; review?: Review } & Said)
  | ({ type: 'DENY' } & Said)
  | { type: 'PERMIT'; now: number; permitForMs: number; review?: Review }
  /** `claim` is the hash's: it may confirm no other payment. `block` is the transfer's, where that can be read. */
  | { type: 'CONFIRM'; now: number; txHash: string; claim: Gate; block?: number }
  | TransferEvent

/** What somebody says to an approval request. */
export interface Said extends Given {
  now: number
  approvalId: string
}

/** What an execution goes on with when something it rests on has changed since the payment was decided. */
export interface Review {
  /** How many reviews the payment had taken when it was looked at: it is about that payment and no later one. */
  after: number
  /** Absent where what was decided still stands. */
  decision?: Decision
  /** The gates as they are to be asked now; those that are new stand at the end. */
  gates: Gate[]
  /** What a person is asked where one has to be. */
  approval?: Approval
}
