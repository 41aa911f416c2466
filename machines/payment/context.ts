// The context of a payment's actor and the messages it takes. Its chart says what it does with them.
import type { Approval, Given } from '../../src/domain/payment/approval.js'
import type { Code } from '../../src/domain/outcomes/codes.js'
import type { Ask, AskingContext, Gate } from '../../src/domain/limits/gate.js'
import type { Decision, PaymentTerms, Permit } from '../../src/domain/payment/terms.js'
import type { TransferContext, TransferEvent } from '../../src/domain/payment/settlement.js'
import type { Micros } from '../../src/domain/values/money.js'
import type { Violation } from '../../src/domain/outcomes/violation.js'

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
  /** The agent's right to pay by itself: from a wallet whose key the service does not have, on a card, or by x402. */
  permit: Permit | null
  /** How long an approved payment may wait (ms). */
  approvedForMs: number
  /** Epoch ms at which the present state ends by itself. */
  expiresAt: number
  autoExecute: boolean
  autoExecuteError: Code | null
  /** An administrator's reason for the release. */
  releasedFor: string | null
  /** Violations of the gate that denied the payment or stopped its last execution; see `causesOf`. */
  causes: Violation[]
  /** The kind of that gate; null where none did. */
  refusedBy: string | null
  /** Executions begun: a provider tells one submission from another by it. */
  sending: number
  /** The transaction of its next, or only successful, execution. */
  transactionId: string
  executedAt: number | null
  /** The unique key of the transfer that it was confirmed with; null without one. */
  transferKey: string | null
  /** It was released after it may have been paid: it keeps the key of its purchase. */
  keepsKey: boolean
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
  /** `walletId`, `chainId` and `cardId` are what was asked for, if it was. */
  | {
      type: 'REQUEST'
      now: number
      organization: string
      fields: Requested
      walletId?: string | undefined
      chainId?: string | undefined
      cardId?: string | undefined
      /** It is authorized by x402 at once, for so long. */
      permitForMs?: number | undefined
    }
  | { type: 'EXECUTE'; now: number; review?: Review }
  | { type: 'CANCEL' | 'WAKE'; now: number }
  | RecordedRefusal
  /** `allowRetry` says that the payment was not made, and its purchase may be paid anew. */
  | { type: 'RELEASE_HOLD'; now: number; reason: string; allowRetry?: boolean }
  | ({ type: 'APPROVE'; review?: Review } & DecidingEvent)
  | ({ type: 'DENY' } & DecidingEvent)
  | { type: 'PERMIT'; now: number; permitForMs: number; review?: Review }
  /** `transferKey` is the hash's unique key. `block` is the transfer's, where the chain can be read. */
  | { type: 'CONFIRM'; now: number; txHash: string; transferKey: string; block?: number }
  /** The card was charged, with whatever amount and however late; `lacksKey` where another attempt has the purchase. */
  | { type: 'CHARGE'; now: number; amount: Micros; reference: string; lacksKey: boolean }
  /** The card was not charged, and will not be. */
  | { type: 'VOID'; now: number; reference: string }
  /** What was signed for x402 was paid: as the agent says, or in a block of the chain. */
  | { type: 'SETTLED'; now: number; isUndelivered?: boolean; txHash?: string; block?: number }
  /** Whether the server gave what is to be paid, as the agent says. */
  | { type: 'DELIVERY'; now: number; isUndelivered: boolean }
  /** The chain shows that what was signed for x402 was not paid, and never can be. */
  | { type: 'LAPSED'; now: number }
  | TransferEvent

/** A gate of kind `by` refused this ask, and with it the command, of which nothing is left. */
export interface RecordedRefusal {
  type: 'REFUSED'
  now: number
  organization: string
  violations: Violation[]
  by: string
  ask: Ask
  command: Exclude<PaymentEvent, RecordedRefusal>
}

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
