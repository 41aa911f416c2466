// What a payment's turns look at and what they leave: the guards of its chart, and those of its assignments that concern
// reviews and people.
import {
  decidedApproval,
  escalatedApproval,
  hasDecided,
  isApprover,
  isBarred,
  isLastNeeded,
  openedApproval,
  type Approval,
  type Decider,
  type Verdict,
} from './approval.js'
import type { PaymentContext, PaymentEvent, Review, Said } from './paymentActor.js'
import { isLasting, type Violation } from './violation.js'

interface Taken {
  context: PaymentContext
  event: PaymentEvent
}

type Changes = Partial<PaymentContext>

/** Requests that are kept beside the one that stands. */
const FORMER_APPROVALS = 10

export const reviewOf = (event: PaymentEvent): Review | undefined => ('review' in event ? event.review : undefined)
export const refusedBy = (event: PaymentEvent): Violation[] => (event.type === 'REFUSED' ? event.violations : [])
const saidBy = (event: PaymentEvent): Decider => (event as PaymentEvent & Said).by

function bringsGates({ context, event }: Taken): boolean {
  return (reviewOf(event)?.gates.length ?? 0) > context.gates.length
}

const isStale = ({ event }: Taken): boolean => reviewOf(event)?.decision !== undefined

export const paymentGuards = {
  deniedByFacts: ({ event }: Taken): boolean => event.type === 'REQUEST' && event.fields.decision?.outcome === 'DENIED',
  outdated: ({ context, event }: Taken): boolean => (reviewOf(event)?.after ?? context.reviews) !== context.reviews,
  nowDenied: ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'DENIED',
  nowNeedsPerson: ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'REQUIRES_APPROVAL',
  hasNewGates: bringsGates,
  otherRequest: ({ context, event }: Taken): boolean => context.approval?.id !== (event as PaymentEvent & Said).approvalId,
  ownRequest: ({ context, event }: Taken): boolean => isBarred(context.approval!, saidBy(event)),
  notApprover: ({ context, event }: Taken): boolean => !isApprover(context.approval!, saidBy(event)),
  alreadyDecided: ({ context, event }: Taken): boolean => hasDecided(context.approval!, saidBy(event)),
  /** What the request was about is no longer what it is about. */
  stale: isStale,
  staleWithNewGates: (taken: Taken): boolean => isStale(taken) && bringsGates(taken),
  lacksApprovals: ({ context }: Taken): boolean => !isLastNeeded(context.approval!),
  executesOnNewGates: (taken: Taken): boolean => taken.context.autoExecute && bringsGates(taken),
  escalates: ({ context, event }: Taken): boolean =>
    event.now >= context.expiresAt && escalatedApproval(context.approval!, event.now) !== undefined,
  permits: ({ context }: Taken): boolean => context.permit !== null,
  sameHash: ({ context, event }: Taken): boolean => event.type === 'CONFIRM' && event.txHash === context.txHash,
  needsPerson: ({ context }: Taken): boolean => context.asksPerson,
  executesAtOnce: ({ context }: Taken): boolean => context.autoExecute,
  moreGates: ({ context }: Taken): boolean => context.cursor + 1 < context.gates.length,
  moreBehind: ({ context }: Taken): boolean => context.cursor > 0,
  due: ({ context, event }: Taken): boolean => event.now >= context.expiresAt,
  forGood: ({ event }: Taken): boolean => isLasting(refusedBy(event)),
  endsDenied: ({ context }: Taken): boolean => context.ending === 'DENIED',
  endsCancelled: ({ context }: Taken): boolean => context.ending === 'CANCELLED',
}

/** Another request takes the place of the one there was. */
function askedAnew({ approval, formerApprovals }: PaymentContext, next: Approval | undefined): Changes {
  if (next === undefined) return {}
  const former = approval === null ? formerApprovals : [...formerApprovals, approval]
  return { approval: next, formerApprovals: former.slice(-FORMER_APPROVALS) }
}

function reviewTaken(context: PaymentContext, { gates, decision }: Review): Changes {
  return { gates, review: decision ?? context.review, reviews: context.reviews + 1 }
}

/** The payment as the review leaves it; a person is asked where that says so. */
export function takenReview({ context, event }: Taken): Changes {
  const taken = reviewOf(event)
  if (taken === undefined) return {}
  const asksPerson = taken.decision?.outcome === 'REQUIRES_APPROVAL'
  return { ...reviewTaken(context, taken), asksPerson, ...(asksPerson && askedAnew(context, taken.approval)) }
}

/** The payment as the review leaves it; a person is asked again, whatever that came to. */
export function takenReviewToAsk({ context, event }: Taken): Changes {
  const taken = reviewOf(event)!
  return { ...reviewTaken(context, taken), asksPerson: true, ...askedAnew(context, taken.approval) }
}

function waitingFor({ events }: PaymentContext, approval: Approval, now: number): Changes {
  return { approval, expiresAt: approval.expiresAt, updatedAt: now, events: [...events, 'approval.requested'] }
}

export function awaited({ context, event }: Taken): Changes {
  return { ...waitingFor(context, openedApproval(context.approval!, event.now), event.now), permit: null }
}

export function escalated({ context, event }: Taken): Changes {
  return waitingFor(context, escalatedApproval(context.approval!, event.now)!, event.now)
}

/** The request with what was just said of it. */
export function decided({ context, event }: Taken, verdict: Verdict): Approval {
  const { by, comment, now } = event as PaymentEvent & Said
  return decidedApproval(context.approval!, { by, comment }, verdict, now)
}

/** The last word on the request. */
export function settled(taken: Taken, verdict: Verdict): Changes {
  const { events } = taken.context
  const approval = { ...decided(taken, verdict), status: verdict }
  return { approval, asksPerson: false, events: [...events, `approval.${verdict.toLowerCase()}`] }
}
