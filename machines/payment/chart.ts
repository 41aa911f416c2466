// A payment: its states say what must be true at its gates, and the kernel brings that about in the same commit. It is
// executed at most once, it alone ends its holds, and approvals reach it as messages. In live settlement it is signed,
// stored, sent and followed into the chain; a signed transfer is given up only when it can never be made.
import { assign, setup } from 'xstate'
import type { Code } from '../../src/domain/outcomes/codes.js'
import type { PaymentContext, PaymentEvent } from './context.js'
import { paymentGuards } from './guards.js'
import * as turn from './assignments.js'
import {
  afterFailure,
  afterSendFailure,
  inBlock,
  outOfBlock,
  withTransfer,
} from '../../src/domain/payment/settlement.js'
import type { TransferEvent } from '../../src/domain/payment/settlement.js'

export type { PaymentContext, PaymentEvent, Review } from './context.js'

export const payment = setup({
  types: { context: {} as PaymentContext, events: {} as PaymentEvent },
  guards: paymentGuards,
  actions: {
    file: assign(turn.filed),
    takeReview: assign(turn.takenReview),
    takeReviewAndAsk: assign(turn.takenReviewToAsk),
    takeDenial: assign(turn.reviewDenied),
    rejectReviewed: assign(turn.rejected),
    setGateCauses: assign(turn.gateCauses),
    approve: assign(turn.approved),
    awaitPerson: assign(turn.awaited),
    escalate: assign(turn.escalated),
    noteApproval: assign((taken) => ({ approval: turn.decided(taken, 'APPROVED') })),
    agree: assign((taken) => turn.settled(taken, 'APPROVED')),
    disagree: assign((taken) => turn.settled(taken, 'DENIED')),
    /** The request needs no decision any more. */
    dropRequest: assign(({ context }) => ({
      approval: { ...context.approval!, status: 'EXPIRED' as const },
      events: [...context.events, 'approval.expired'],
    })),
    beginExecution: assign(turn.begun),
    complete: assign(turn.completed),
    stop: assign(turn.stoppedExecution),
    stopUnasked: assign(turn.stoppedUnasked),
    takePermit: assign(turn.permitted),
    takeHash: assign(turn.confirmedBy),
    takeSignature: assign(turn.signed),
    takeSettlement: assign(turn.paidOnX402),
    noteDelivery: assign(turn.deliveryNoted),
    takeCharge: assign(turn.charged),
    keepTransfer: assign(({ context, event }) => withTransfer(context, event as TransferEvent & { type: 'SIGNED' })),
    stopUnmade: assign(({ context, event }) =>
      afterSendFailure(context, turn.commandIn(event) as TransferEvent & { type: 'UNMADE' }),
    ),
    noteProvider: assign(({ event }) => ({ provider: (event as TransferEvent & { type: 'ENTRUSTED' }).provider })),
    noteHash: assign(turn.hashed),
    noteBlock: assign(({ context, event }) => inBlock(context, event as TransferEvent & { type: 'CONFIRMED' })),
    confirm: assign(turn.confirmed),
    forgetBlock: assign(({ context }) => outOfBlock(context)),
    forgetTransfers: assign({ transfers: [] }),
    deny: assign(turn.denied),
    cancel: assign(turn.cancelled),
    expire: assign(turn.expired),
    fail: assign(turn.failedTransfer),
    noteFailure: assign(({ context, event }) => afterFailure(context, event as TransferEvent & { type: 'REVERTED' })),
    noteReason: assign(({ event }) => ({ releasedFor: event.type === 'RELEASE_HOLD' ? event.reason : null })),
    /** It may have been paid: no other attempt at its purchase begins. */
    keepKey: assign({ keepsKey: true }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    rejectStatus: assign({ refusal: 'INVALID_STATUS' as const }),
    rejectExecuted: assign({ refusal: 'ALREADY_EXECUTED' as const }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'payment',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    terms: null,
    decision: null,
    review: null,
    reviews: 0,
    asksPerson: false,
    approval: null,
    formerApprovals: [],
    permit: null,
    approvedForMs: 0,
    expiresAt: 0,
    autoExecute: false,
    autoExecuteError: null,
    releasedFor: null,
    causes: [],
    refusedBy: null,
    transactionId: '',
    executedAt: null,
    transferKey: null,
    keepsKey: false,
    sending: 0,
    transfers: [],
    nonce: null,
    txHash: null,
    provider: null,
    block: null,
    confirmedAt: null,
    stopReason: null,
    gates: [],
    holds: [],
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'created',
  on: { REQUEST: [{ guard: 'repeated' }, { actions: { type: 'reject', params: { code: 'IDEMPOTENCY_CONFLICT' } } }] },
  states: {
    created: {
      meta: { gone: true, hold: 'none' },
      on: {
        REQUEST: [
          { guard: 'deniedByFacts', target: 'denied', actions: ['file', 'deny'] },
          { guard: 'asksForPerson', target: 'awaitingApproval', actions: ['file', 'awaitPerson'] },
          {
            guard: 'asksForTransfer',
            target: 'transferring',
            actions: ['file', 'approve', 'beginExecution', 'touch'],
          },
          { guard: 'asksForExecution', target: 'executed', actions: ['file', 'approve', 'beginExecution', 'complete'] },
          {
            guard: 'asksForPermit',
            target: 'permitted',
            actions: ['file', 'approve', 'takePermit', 'beginExecution', 'touch'],
          },
          {
            guard: 'asksForLiveSignature',
            target: 'authorized.onChain',
            actions: ['file', 'approve', 'takePermit', 'beginExecution', 'takeSignature'],
          },
          {
            guard: 'asksForSignature',
            target: 'authorized.byWord',
            actions: ['file', 'approve', 'takePermit', 'beginExecution', 'takeSignature'],
          },
          { target: 'approved', actions: ['file', 'approve'] },
        ],
        REFUSED: [
          { guard: 'isFinal', target: 'denied', actions: ['file', 'setGateCauses', 'deny'] },
          { target: 'approved', actions: ['file', 'approve', 'setGateCauses', 'stopUnasked'] },
        ],
      },
    },
    awaitingApproval: {
      meta: { status: 'REQUIRES_APPROVAL', list: 'awaitingApproval', hold: 'held', wakeAt: 'expiresAt' },
      on: {
        APPROVE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'otherRequest', actions: 'rejectStatus' },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          {
            guard: 'nowDenied',
            target: 'denied',
            actions: ['takeDenial', 'dropRequest', 'rejectStatus', 'deny'],
          },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['dropRequest', 'takeReviewAndAsk', 'awaitPerson', 'rejectStatus'],
          },
          { guard: 'lacksApprovals', actions: ['noteApproval', 'touch'] },
          {
            guard: 'transfersAtOnce',
            target: 'transferring',
            actions: ['agree', 'approve', 'takeReview', 'beginExecution', 'touch'],
          },
          {
            guard: 'executesAtOnce',
            target: 'executed',
            actions: ['agree', 'approve', 'takeReview', 'beginExecution', 'complete'],
          },
          { target: 'approved', actions: ['agree', 'approve'] },
        ],
        REFUSED: [
          {
            guard: 'nowNeedsPerson',
            target: 'denied',
            actions: ['dropRequest', 'takeReviewAndAsk', 'setGateCauses', 'stop', 'deny'],
          },
          {
            guard: 'isFinal',
            target: 'denied',
            actions: ['agree', 'approve', 'takeReview', 'setGateCauses', 'stop', 'deny'],
          },
          { target: 'approved', actions: ['agree', 'approve', 'takeReview', 'setGateCauses', 'stop'] },
        ],
        DENY: [
          { guard: 'otherRequest', actions: 'rejectStatus' },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          { target: 'denied', actions: ['disagree', 'deny'] },
        ],
        EXECUTE: { actions: 'rejectStatus' },
        CANCEL: { target: 'cancelled', actions: ['dropRequest', 'cancel'] },
        RELEASE_HOLD: { target: 'cancelled', actions: ['noteReason', 'dropRequest', 'cancel'] },
        WAKE: [
          { guard: 'escalates', actions: 'escalate' },
          {
            guard: 'due',
            target: 'expired',
            actions: ['dropRequest', 'expire'],
          },
        ],
      },
    },
    approved: {
      meta: { status: 'APPROVED', list: 'approved', hold: 'held', wakeAt: 'expiresAt' },
      on: {
        EXECUTE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'nowDenied', target: 'denied', actions: ['takeDenial', 'rejectReviewed', 'deny'] },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', 'rejectStatus'],
          },
          { guard: 'movesOnChain', target: 'transferring', actions: ['takeReview', 'beginExecution', 'touch'] },
          { guard: 'onOtherRail', actions: { type: 'reject', params: { code: 'MANUAL_EXECUTION_REQUIRED' } } },
          { target: 'executed', actions: ['takeReview', 'beginExecution', 'complete'] },
        ],
        PERMIT: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          {
            guard: 'nowDenied',
            target: 'denied',
            actions: ['takeDenial', { type: 'reject', params: { code: 'LIMIT_EXCEEDED' } }, 'deny'],
          },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', 'rejectStatus'],
          },
          {
            guard: 'signsLive',
            target: 'authorized.onChain',
            actions: ['takeReview', 'takePermit', 'beginExecution', 'takeSignature'],
          },
          {
            guard: 'isSignedHere',
            target: 'authorized.byWord',
            actions: ['takeReview', 'takePermit', 'beginExecution', 'takeSignature'],
          },
          { target: 'permitted', actions: ['takeReview', 'takePermit', 'beginExecution', 'touch'] },
        ],
        REFUSED: [
          { guard: 'isFinal', target: 'denied', actions: ['takeReview', 'setGateCauses', 'stop', 'deny'] },
          { actions: ['takeReview', 'setGateCauses', 'stop', 'touch'] },
        ],
        CANCEL: { target: 'cancelled', actions: 'cancel' },
        RELEASE_HOLD: { target: 'cancelled', actions: ['noteReason', 'cancel'] },
        WAKE: { guard: 'due', target: 'expired', actions: 'expire' },
      },
    },
    permitted: {
      meta: { status: 'APPROVED', list: 'approved', hold: 'permitted' },
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'MANUAL_EXECUTION_REQUIRED' } } },
        PERMIT: [
          { guard: 'permitOver', actions: { type: 'reject', params: { code: 'EXPIRED' } } },
          { guard: 'nowDenied', actions: 'rejectReviewed' },
          {},
        ],
        CHARGE: { guard: 'onCard', target: 'charged', actions: ['takeCharge', 'beginExecution', 'complete'] },
        VOID: { guard: 'onCard', target: 'cancelled', actions: 'cancel' },
        CONFIRM: [
          { guard: 'onCard', actions: 'rejectStatus' },
          { guard: 'settlesLive', target: 'executed', actions: ['takeHash', 'beginExecution', 'complete', 'confirm'] },
          { target: 'executed', actions: ['takeHash', 'beginExecution', 'complete'] },
        ],
        CANCEL: { actions: 'rejectStatus' },
        RELEASE_HOLD: [
          { guard: 'allowsRetry', target: 'cancelled', actions: ['noteReason', 'cancel'] },
          { target: 'cancelled', actions: ['noteReason', 'keepKey', 'cancel'] },
        ],
      },
    },
    authorized: {
      meta: { status: 'EXECUTING', list: 'transferring', hold: 'captured' },
      initial: 'byWord',
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        PERMIT: {},
        CONFIRM: { actions: 'rejectStatus' },
        CANCEL: { actions: 'rejectStatus' },
        RELEASE_HOLD: { actions: 'rejectStatus' },
        DELIVERY: { actions: ['noteDelivery', 'touch'] },
      },
      states: {
        byWord: {
          meta: { wakeAt: 'expiresAt' },
          on: {
            SETTLED: { target: '#payment.executed', actions: ['takeSettlement', 'complete'] },
            WAKE: { guard: 'due', target: '#payment.expired', actions: 'expire' },
          },
        },
        onChain: {
          meta: { call: 'lookupAuthorization', transaction: 'PENDING' },
          on: {
            SETTLED: [
              { guard: 'isInBlock', target: '#payment.paid', actions: ['takeSettlement', 'complete', 'confirm'] },
              { actions: 'noteDelivery' },
            ],
            LAPSED: { target: '#payment.expired', actions: 'expire' },
          },
        },
      },
    },
    transferring: {
      initial: 'signing',
      meta: { status: 'EXECUTING', list: 'transferring', hold: 'captured' },
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        REFUSED: { target: 'denied', actions: ['setGateCauses', 'stopUnmade', 'deny'] },
      },
      states: {
        signing: {
          meta: { call: 'sign' },
          on: {
            SIGNED: { target: 'submitting', actions: ['keepTransfer', 'touch'] },
            ENTRUSTED: { target: 'submitting', actions: ['noteProvider', 'touch'] },
            UNMADE: { target: '#payment.approved', actions: ['stopUnmade', 'touch'] },
          },
        },
        submitting: {
          meta: { call: 'broadcast', transaction: 'PENDING' },
          on: {
            ACCEPTED: { target: '#payment.transferred', actions: ['complete', 'noteHash'] },
            UNKNOWN: { target: 'unknown', actions: 'touch' },
            UNMADE: { guard: 'isUnsigned', target: '#payment.approved', actions: ['stopUnmade', 'touch'] },
          },
        },
        unknown: {
          meta: { call: 'lookup', transaction: 'UNKNOWN' },
          on: {
            ACCEPTED: { target: '#payment.transferred', actions: ['complete', 'noteHash'] },
            REPLACED: { actions: ['keepTransfer', 'touch'] },
            REVERTED: {
              target: '#payment.failed',
              actions: ['noteFailure', 'fail'],
            },
            UNMADE: { guard: 'isUnsigned', target: '#payment.approved', actions: ['stopUnmade', 'touch'] },
          },
        },
      },
    },
    transferred: {
      initial: 'submitted',
      meta: { status: 'EXECUTED', list: 'executed', hold: 'captured', tell: { wallet: 'RECONCILE' } },
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
      states: {
        submitted: {
          meta: { call: 'lookup', transaction: 'SUBMITTED' },
          on: {
            ACCEPTED: { actions: 'noteHash' },
            REPLACED: { actions: ['keepTransfer', 'touch'] },
            CONFIRMED: [
              { guard: 'wasConfirmed', target: 'confirmed', actions: 'noteBlock' },
              { target: 'confirmed', actions: ['noteBlock', 'confirm'] },
            ],
            REVERTED: {
              target: '#payment.failed',
              actions: ['noteHash', 'noteFailure', 'fail'],
            },
          },
        },
        confirmed: {
          meta: { call: 'lookup', transaction: 'CONFIRMED' },
          on: {
            REORGED: { target: 'submitted', actions: ['forgetBlock', 'touch'] },
            FINAL: { target: '#payment.executed', actions: 'forgetTransfers' },
          },
        },
      },
    },
    executed: {
      meta: { status: 'EXECUTED', list: 'executed', transaction: 'CONFIRMED', hold: 'captured' },
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        PERMIT: { actions: 'rejectExecuted' },
        CONFIRM: [{ guard: 'sameHash' }, { actions: 'rejectExecuted' }],
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
    },
    paid: {
      meta: {
        status: 'EXECUTED',
        list: 'executed',
        transaction: 'CONFIRMED',
        hold: 'captured',
        tell: { wallet: 'RECONCILE' },
      },
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        PERMIT: { actions: 'rejectExecuted' },
        CONFIRM: { actions: 'rejectExecuted' },
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
    },
    charged: {
      meta: { status: 'EXECUTED', list: 'executed', transaction: 'CONFIRMED', hold: 'captured', isPaid: true },
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        PERMIT: { actions: 'rejectExecuted' },
        CHARGE: [{ guard: 'sameReference' }, { actions: 'rejectExecuted' }],
        VOID: { actions: 'rejectExecuted' },
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
    },
    denied: { meta: { status: 'DENIED', list: 'denied', hold: 'none' } },
    failed: { meta: { status: 'FAILED', list: 'failed', transaction: 'FAILED', hold: 'none' } },
    cancelled: {
      meta: { status: 'CANCELLED', list: 'cancelled', hold: 'none' },
      on: {
        CHARGE: {
          guard: 'mayBeCharged',
          target: 'charged',
          actions: ['takeCharge', 'beginExecution', 'complete'],
        },
        VOID: { guard: 'mayBeCharged' },
      },
    },
    expired: {
      meta: { status: 'EXPIRED', list: 'expired', hold: 'none' },
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
        PERMIT: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
      },
    },
  },
})
