// The guards of a payment's chart.
import { escalatedApproval, hasDecided, isApprover, isBarred, isLastNeeded } from './approval.js'
import { isSameJson } from './canonical.js'
import { isRead } from './chains.js'
import type { PaymentContext, PaymentEvent, DecidingEvent } from './paymentActor.js'
import { refusedBy, reviewOf, deciderIn, type Taken } from './paymentTurn.js'
import { isMadeHere } from './settlement.js'
import { isLasting } from './violation.js'

function bringsGates({ context, event }: Taken): boolean {
  return (reviewOf(event)?.gates.length ?? 0) > context.gates.length
}

/** Only a review that requires a person again makes earlier approvals stale. */
const isStale = ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'REQUIRES_APPROVAL'

const isLive = ({ terms }: PaymentContext): boolean => terms?.settlementMode === 'live'

/** What an agent asks for, beside a wallet; the rest of the terms is found for it. */
const ASKED = [
  'amount',
  'recipientAddress',
  'recipientName',
  'purpose',
  'category',
  'context',
  'executionContext',
  'urgency',
] as const

export const paymentGuards = {
  /** The request asks for what this payment is. */
  repeated: ({ context, event }: Taken): boolean =>
    event.type === 'REQUEST' &&
    (event.walletId === undefined || event.walletId === context.terms?.walletId) &&
    ASKED.every((field) => isSameJson(context.terms?.[field], event.fields.terms?.[field])),
  deniedByFacts: ({ event }: Taken): boolean => event.type === 'REQUEST' && event.fields.decision?.outcome === 'DENIED',
  outdated: ({ context, event }: Taken): boolean => (reviewOf(event)?.after ?? context.reviews) !== context.reviews,
  nowDenied: ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'DENIED',
  nowNeedsPerson: isStale,
  hasNewGates: bringsGates,
  otherRequest: ({ context, event }: Taken): boolean =>
    context.approval?.id !== (event as PaymentEvent & DecidingEvent).approvalId,
  ownRequest: ({ context, event }: Taken): boolean => isBarred(context.approval!, deciderIn(event)),
  notApprover: ({ context, event }: Taken): boolean => !isApprover(context.approval!, deciderIn(event)),
  alreadyDecided: ({ context, event }: Taken): boolean =>
    hasDecided(context.approval!, event as PaymentEvent & DecidingEvent),
  /** The subject of the approval request has changed. */
  stale: isStale,
  staleWithNewGates: (taken: Taken): boolean => isStale(taken) && bringsGates(taken),
  lacksApprovals: ({ context, event }: Taken): boolean =>
    !isLastNeeded(context.approval!, event as PaymentEvent & DecidingEvent),
  executesOnNewGates: (taken: Taken): boolean => taken.context.autoExecute && bringsGates(taken),
  escalates: ({ context, event }: Taken): boolean =>
    event.now >= context.expiresAt && escalatedApproval(context.approval!, event.now) !== undefined,
  permitOver: ({ context, event }: Taken): boolean => event.now >= context.permit!.expiresAt,
  permits: ({ context }: Taken): boolean => context.permit !== null,
  sameHash: ({ context, event }: Taken): boolean => event.type === 'CONFIRM' && event.txHash === context.txHash,
  needsPerson: ({ context }: Taken): boolean => context.asksPerson,
  executesAtOnce: ({ context }: Taken): boolean => context.autoExecute,
  moreGates: ({ context }: Taken): boolean => context.cursor + 1 < context.gates.length,
  moreBehind: ({ context }: Taken): boolean => context.cursor > 0,
  due: ({ context, event }: Taken): boolean => event.now >= context.expiresAt,
  isFinal: ({ event }: Taken): boolean => isLasting(refusedBy(event)),
  endsDenied: ({ context }: Taken): boolean => context.ending === 'DENIED',
  endsCancelled: ({ context }: Taken): boolean => context.ending === 'CANCELLED',
  endsFailed: ({ context }: Taken): boolean => context.ending === 'FAILED',
  /** The chain has shown the transfer. */
  settlesLive: ({ context }: Taken): boolean => isLive(context) && isRead(context.terms!.chainType),
  /** The service itself makes the transfer, on a chain. */
  movesOnChain: ({ context }: Taken): boolean => isLive(context) && isMadeHere(context.terms!.wallet.custodyType),
  isUnsigned: ({ context }: Taken): boolean => context.transfers.length === 0,
  wasConfirmed: ({ context }: Taken): boolean => context.confirmedAt !== null,
}
