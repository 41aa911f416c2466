// The guards of a payment's chart.
import {
  decidersOf,
  escalatedApproval,
  hasDecided,
  isApprover,
  isBarred,
  isLastNeeded,
} from '../../src/domain/payment/approval.js'
import { isSameJson } from '../../src/domain/values/canonical.js'
import { isRead } from '../../src/domain/values/chains.js'
import type { PaymentContext, PaymentEvent, DecidingEvent } from './context.js'
import { refusedBy, reviewOf, type Taken } from './assignments.js'
import { isMadeHere } from '../../src/domain/payment/settlement.js'
import { isFromWallet, isTransfer, isX402 } from '../../src/domain/payment/terms.js'
import { isLasting } from '../../src/domain/outcomes/violation.js'

/** Only a review that requires a person again makes earlier approvals stale. */
const isStale = ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'REQUIRES_APPROVAL'

const isLive = ({ terms }: PaymentContext): boolean => terms?.settlementMode === 'live'

/** The service itself makes the transfer, on a chain. */
const movesOnChain = (context: PaymentContext): boolean =>
  isLive(context) && isTransfer(context.terms!) && isMadeHere(context.terms.wallet.custodyType)

/** The service signs it, and the agent brings the signature to the server that is paid. */
const isSignedHere = ({ terms }: PaymentContext): boolean => isX402(terms!) && isMadeHere(terms.wallet.custodyType)

/** The payment as the request would have it. */
const asked = (event: PaymentEvent): PaymentContext =>
  (event as PaymentEvent & { type: 'REQUEST' }).fields as unknown as PaymentContext

const isToSign = (event: PaymentEvent): boolean => event.type === 'REQUEST' && event.permitForMs !== undefined

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
  'paymentKey',
  'sessionId',
  'reference',
  'lineItems',
  'x402',
] as const

export const paymentGuards = {
  /** The request asks for what this payment is. */
  repeated: ({ context, event }: Taken): boolean =>
    event.type === 'REQUEST' &&
    (event.walletId === undefined || event.walletId === context.terms?.walletId) &&
    (event.chainId === undefined || event.chainId === context.terms?.wallet?.chainId) &&
    event.cardId === context.terms?.card?.id &&
    ASKED.every((field) => isSameJson(context.terms?.[field], event.fields.terms?.[field])),
  deniedByFacts: ({ event }: Taken): boolean => event.type === 'REQUEST' && event.fields.decision?.outcome === 'DENIED',
  outdated: ({ context, event }: Taken): boolean => (reviewOf(event)?.after ?? context.reviews) !== context.reviews,
  nowDenied: ({ event }: Taken): boolean => reviewOf(event)?.decision?.outcome === 'DENIED',
  nowNeedsPerson: isStale,
  otherRequest: ({ context, event }: Taken): boolean =>
    context.approval?.id !== (event as PaymentEvent & DecidingEvent).approvalId,
  ownRequest: ({ context, event }: Taken): boolean =>
    decidersOf(event as PaymentEvent & DecidingEvent).some((one) => isBarred(context.approval!, one)),
  notApprover: ({ context, event }: Taken): boolean =>
    decidersOf(event as PaymentEvent & DecidingEvent).some((one) => !isApprover(context.approval!, one)),
  alreadyDecided: ({ context, event }: Taken): boolean =>
    hasDecided(context.approval!, event as PaymentEvent & DecidingEvent),
  lacksApprovals: ({ context, event }: Taken): boolean =>
    !isLastNeeded(context.approval!, event as PaymentEvent & DecidingEvent),
  escalates: ({ context, event }: Taken): boolean =>
    event.now >= context.expiresAt && escalatedApproval(context.approval!, event.now) !== undefined,
  permitOver: ({ context, event }: Taken): boolean => event.now >= context.permit!.expiresAt,
  allowsRetry: ({ event }: Taken): boolean => event.type === 'RELEASE_HOLD' && event.allowRetry === true,
  /** Its agent had a token for a card, and may have paid. */
  mayBeCharged: ({ context }: Taken): boolean => context.terms?.rail === 'CARD' && context.permit !== null,
  /** Its agent pays it. */
  onOtherRail: ({ context }: Taken): boolean => !isTransfer(context.terms!),
  asksForPermit: ({ event }: Taken): boolean => isToSign(event) && !isSignedHere(asked(event)),
  asksForSignature: ({ event }: Taken): boolean => isToSign(event),
  isSignedHere: ({ context }: Taken): boolean => isSignedHere(context),
  signsLive: ({ context }: Taken): boolean => isSignedHere(context) && isLive(context),
  isInBlock: ({ event }: Taken): boolean => event.type === 'SETTLED' && event.block !== undefined,
  onCard: ({ context }: Taken): boolean => context.terms?.rail === 'CARD',
  sameReference: ({ context, event }: Taken): boolean =>
    event.type === 'CHARGE' && event.reference === context.permit?.charge?.reference,
  sameHash: ({ context, event }: Taken): boolean => event.type === 'CONFIRM' && event.txHash === context.txHash,
  asksForLiveSignature: ({ event }: Taken): boolean => isToSign(event) && isLive(asked(event)),
  asksForPerson: ({ event }: Taken): boolean => asked(event).decision?.outcome === 'REQUIRES_APPROVAL',
  asksForTransfer: ({ event }: Taken): boolean => asked(event).autoExecute && movesOnChain(asked(event)),
  asksForExecution: ({ event }: Taken): boolean => asked(event).autoExecute,
  transfersAtOnce: ({ context }: Taken): boolean => context.autoExecute && movesOnChain(context),
  executesAtOnce: ({ context }: Taken): boolean => context.autoExecute,
  due: ({ context, event }: Taken): boolean => event.now >= context.expiresAt,
  /** What was not reserved cannot be paid; a refused capture may pass. */
  isFinal: ({ event }: Taken): boolean =>
    (event.type === 'REFUSED' && event.ask === 'RESERVE') || isLasting(refusedBy(event)),
  /** The chain has shown the transfer. */
  settlesLive: ({ context }: Taken): boolean =>
    isLive(context) && isFromWallet(context.terms!) && isRead(context.terms.chainType),
  movesOnChain: ({ context }: Taken): boolean => movesOnChain(context),
  isUnsigned: ({ context }: Taken): boolean => context.transfers.length === 0,
  /** It was confirmed before, under the same hash. */
  wasConfirmed: ({ context, event }: Taken): boolean =>
    context.confirmedAt !== null && (event as { txHash?: string }).txHash === context.txHash,
}
