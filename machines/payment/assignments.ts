// The assignments of a payment's chart, except those of its transfer on a chain.
import {
  decidedApproval,
  escalatedApproval,
  openedApproval,
  type Approval,
  type Verdict,
} from '../../src/domain/payment/approval.js'
import type { PaymentContext, PaymentEvent, RecordedRefusal, Review, DecidingEvent } from './context.js'
import { tellingWallet, underHash } from '../../src/domain/payment/settlement.js'
import { executionCode, type Violation } from '../../src/domain/outcomes/violation.js'

export interface Taken {
  context: PaymentContext
  event: PaymentEvent
}

type Changes = Partial<PaymentContext>

/** Replaced approval requests to keep. */
const FORMER_APPROVALS = 10

/** The command, also where a gate has refused it: the refusal may still record what the command said. */
export function commandIn(event: PaymentEvent): Exclude<PaymentEvent, RecordedRefusal> {
  return event.type === 'REFUSED' ? event.command : event
}
export function reviewOf(event: PaymentEvent): Review | undefined {
  const command = commandIn(event)
  return 'review' in command ? command.review : undefined
}
export const refusedBy = (event: PaymentEvent): Violation[] => (event.type === 'REFUSED' ? event.violations : [])

/** A former stop explains nothing once the payment goes on, expires or is cancelled. */
export const NO_STOP = { causes: [] as Violation[], refusedBy: null, stopReason: null }

/** Replaces the approval request. */
function withNewApproval({ approval, formerApprovals }: PaymentContext, next: Approval | undefined): Changes {
  if (next === undefined) return {}
  const former = approval === null ? formerApprovals : [...formerApprovals, approval]
  return { approval: next, formerApprovals: former.slice(-FORMER_APPROVALS) }
}

function reviewTaken(context: PaymentContext, { gates, decision }: Review): Changes {
  return { gates, review: decision ?? context.review, reviews: context.reviews + 1 }
}

/** Takes the review; a person is asked where it requires one. */
export function takenReview({ context, event }: Taken): Changes {
  const taken = reviewOf(event)
  if (taken === undefined) return {}
  const asksPerson = taken.decision?.outcome === 'REQUIRES_APPROVAL'
  return { ...reviewTaken(context, taken), asksPerson, ...(asksPerson && withNewApproval(context, taken.approval)) }
}

/** Takes the review, and asks a person again whatever its outcome. */
export function takenReviewToAsk({ context, event }: Taken): Changes {
  const taken = reviewOf(event)!
  return { ...reviewTaken(context, taken), asksPerson: true, ...withNewApproval(context, taken.approval) }
}

function waitingFor({ events }: PaymentContext, approval: Approval, now: number): Changes {
  return { approval, expiresAt: approval.expiresAt, updatedAt: now, events: [...events, 'approval.requested'] }
}

export function awaited({ context, event }: Taken): Changes {
  const approval = openedApproval(context.approval!, event.now)
  return { ...waitingFor(context, approval, event.now), permit: null, ...NO_STOP }
}

export function escalated({ context, event }: Taken): Changes {
  return waitingFor(context, escalatedApproval(context.approval!, event.now)!, event.now)
}

/** The approval request with the decision added. */
export function decided({ context, event }: Taken, verdict: Verdict): Approval {
  const said = commandIn(event) as PaymentEvent & DecidingEvent
  return decidedApproval(context.approval!, said, verdict, said.now)
}

/** The approval request with its final decision. */
export function settled(taken: Taken, verdict: Verdict): Changes {
  const { events } = taken.context
  const approval = { ...decided(taken, verdict), status: verdict }
  return { approval, asksPerson: false, events: [...events, `approval.${verdict.toLowerCase()}`] }
}

export function filed({ event }: Taken): Changes {
  const { now, organization, fields } = commandIn(event) as PaymentEvent & { type: 'REQUEST' }
  const expiresAt = now + fields.approvedForMs
  const asksPerson = fields.decision?.outcome === 'REQUIRES_APPROVAL'
  const events = ['payment.requested']
  // Fields added after a spread cost much more than fields before it.
  return { organization, asksPerson, createdAt: now, updatedAt: now, expiresAt, events, ...fields }
}

export function reviewDenied({ event }: Taken): Changes {
  return { ...NO_STOP, review: reviewOf(event)?.decision ?? null }
}

export function gateCauses({ event }: Taken): Changes {
  const { violations, by } = event as RecordedRefusal
  return { ...NO_STOP, causes: violations, refusedBy: by }
}

export function rejected({ event }: Taken): Changes {
  return { refusal: executionCode(reviewOf(event)?.decision?.violations ?? []) }
}

export function approved({ context, event }: Taken): Changes {
  const { approvedForMs, events } = context
  return { expiresAt: event.now + approvedForMs, updatedAt: event.now, events: [...events, 'payment.approved'] }
}

export function begun({ context }: Taken): Changes {
  return { sending: context.sending + 1, ...NO_STOP }
}

export function completed({ context, event }: Taken): Changes {
  const events = [...context.events, 'payment.executed']
  return { executedAt: event.now, autoExecuteError: null, updatedAt: event.now, events }
}

/** The transfer is known under the event's hash, if it has one. */
export function hashed({ context, event }: Taken): Changes {
  return underHash(context, (event as { txHash?: string }).txHash ?? context.txHash)
}

export function confirmed({ context, event }: Taken): Changes {
  return { confirmedAt: event.now, updatedAt: event.now, events: [...context.events, 'payment.confirmed'] }
}

export function stoppedExecution({ context, event }: Taken): Changes {
  const code = executionCode(refusedBy(event))
  const isUnasked = context.autoExecute && !context.asksPerson
  return isUnasked ? stoppedUnasked({ context, event }) : { refusal: code, permit: null }
}

/** The payment is decided on; what was to follow at once did not. */
export function stoppedUnasked({ event }: Taken): Changes {
  return { autoExecute: false, autoExecuteError: executionCode(refusedBy(event)), permit: null }
}

export function permitted({ event }: Taken): Changes {
  const { now, permitForMs } = event as PaymentEvent & { type: 'PERMIT' | 'REQUEST'; permitForMs: number }
  return { permit: { expiresAt: now + permitForMs } }
}

/** What is signed is void from then on; a clock alone ends it only where no chain knows better. */
export function signed({ context, event }: Taken): Changes {
  return { expiresAt: context.permit!.expiresAt, updatedAt: event.now }
}

/** As the agent says, or as the chain shows. The wallet's gate is told the block. */
export function paidOnX402({ context, event }: Taken): Changes {
  const { txHash, block } = event as PaymentEvent & { type: 'SETTLED' }
  return {
    ...deliveryNoted({ context, event }),
    ...(block !== undefined && { txHash: txHash!, block, confirmedAt: event.now }),
    ...(block !== undefined && { gates: tellingWallet(context.gates, { block: String(block) }) }),
  }
}

/** The last that the agent said holds: a server may be asked again with the same signature. */
export function deliveryNoted({ context, event }: Taken): Changes {
  const { expiresAt, undelivered = false } = context.permit!
  const { isUndelivered = undelivered } = event as PaymentEvent & { type: 'SETTLED' | 'DELIVERY' }
  return { permit: { expiresAt, ...(isUndelivered && { undelivered: true as const }) } }
}

/** The gates count the true amount, whatever they held. */
export function charged({ context, event }: Taken): Changes {
  const { amount, reference, lacksKey } = event as PaymentEvent & { type: 'CHARGE' }
  const overcharged = context.holds.length === 0 || amount > context.terms!.amount
  const charge = { amount, reference, overcharged, ...(lacksKey && { lacksKey }) }
  return { permit: { ...context.permit!, charge }, gates: context.gates.map((gate) => ({ ...gate, amount })) }
}

/** The wallet's gate receives the block when it settles. */
export function confirmedBy({ context, event }: Taken): Changes {
  const { txHash, transferKey, block } = event as PaymentEvent & { type: 'CONFIRM' }
  const told = block === undefined ? {} : { block: String(block) }
  return { txHash, transferKey, gates: tellingWallet(context.gates, told) }
}

export function denied({ context, event }: Taken): Changes {
  return { updatedAt: event.now, events: [...context.events, 'payment.denied'] }
}

export function cancelled({ event }: Taken): Changes {
  return { ...NO_STOP, updatedAt: event.now }
}

export function expired({ context, event }: Taken): Changes {
  return { ...NO_STOP, updatedAt: event.now, events: [...context.events, 'payment.expired'] }
}

export function failedTransfer({ context, event }: Taken): Changes {
  return { transfers: [], updatedAt: event.now, events: [...context.events, 'payment.failed'] }
}
