// A payment: it asks the gates one at a time, first to reserve, then to capture, and undoes what it took when one
// refuses. It is executed at most once, it alone ends its holds, and approvals reach it as messages. In live settlement
// it is signed, stored, sent and followed into the chain; a signed transfer is given up only when it can never be made.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import type { PaymentContext, PaymentEvent } from '../src/domain/paymentActor.js'
import { paymentGuards } from '../src/domain/paymentGuards.js'
import * as turn from '../src/domain/paymentTurn.js'
import { afterFailure, afterSendFailure, inBlock, outOfBlock, withTransfer } from '../src/domain/settlement.js'
import type { TransferEvent } from '../src/domain/settlement.js'

export type { PaymentContext, PaymentEvent, Review } from '../src/domain/paymentActor.js'

export const payment = setup({
  types: { context: {} as PaymentContext, events: {} as PaymentEvent },
  guards: paymentGuards,
  actions: {
    file: assign(turn.filed),
    setCauses: assign(turn.decisionCauses),
    takeReview: assign(turn.takenReview),
    takeReviewAndAsk: assign(turn.takenReviewToAsk),
    setReviewCauses: assign(turn.reviewCauses),
    rejectReviewed: assign(turn.rejected),
    firstNewGate: assign(({ context }) => ({ cursor: context.cursor + 1, ...turn.NO_STOP })),
    setGateCauses: assign(turn.gateCauses),
    approve: assign(turn.approved),
    awaitPerson: assign(turn.awaited),
    escalate: assign(turn.escalated),
    noteApproval: assign((taken) => ({ approval: turn.decided(taken, 'APPROVED') })),
    agree: assign((taken) => turn.settled(taken, 'APPROVED')),
    disagree: assign((taken) => turn.settled(taken, 'DENIED')),
    /** The request needs no decision any more. */
    dropRequest: assign(({ context }) => ({ approval: { ...context.approval!, status: 'EXPIRED' as const } })),
    nextGate: assign(({ context }) => ({ cursor: context.cursor + 1 })),
    previousGate: assign(({ context }) => ({ cursor: context.cursor - 1 })),
    lastGate: assign(({ context }) => ({ cursor: context.gates.length - 1 })),
    beginExecution: assign(turn.begun),
    endDenied: assign({ ending: 'DENIED' as const }),
    endCancelled: assign({ ending: 'CANCELLED' as const, ...turn.NO_STOP }),
    endExpired: assign({ ending: 'EXPIRED' as const, ...turn.NO_STOP }),
    endFailed: assign({ ending: 'FAILED' as const }),
    complete: assign(turn.completed),
    stop: assign(turn.stoppedExecution),
    setOrganizationCauses: assign(({ event }) => ({ causes: turn.refusedBy(event), refusedBy: 'organization' })),
    takePermit: assign(turn.permitted),
    claimHash: assign(turn.claimed),
    dropHash: assign(turn.unclaimed),
    keepTransfer: assign(({ context, event }) => withTransfer(context, event as TransferEvent & { type: 'SIGNED' })),
    stopUnmade: assign(({ context, event }) => afterSendFailure(context, event as TransferEvent & { type: 'UNMADE' })),
    noteProvider: assign(({ event }) => ({ provider: (event as TransferEvent & { type: 'ENTRUSTED' }).provider })),
    noteHash: assign(turn.hashed),
    noteBlock: assign(({ context, event }) => inBlock(context, event as TransferEvent & { type: 'CONFIRMED' })),
    confirm: assign(turn.confirmed),
    forgetBlock: assign(({ context }) => outOfBlock(context)),
    forgetTransfers: assign({ transfers: [] }),
    noteFailure: assign(({ context, event }) => afterFailure(context, event as TransferEvent & { type: 'REVERTED' })),
    noteReason: assign(({ event }) => ({ releasedFor: event.type === 'RELEASE_HOLD' ? event.reason : null })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
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
    ending: null,
    releasedFor: null,
    causes: [],
    refusedBy: null,
    transactionId: '',
    executedAt: null,
    transfers: [],
    nonce: null,
    txHash: null,
    provider: null,
    block: null,
    confirmedAt: null,
    stopReason: null,
    gates: [],
    cursor: 0,
    attempt: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'created',
  on: { REQUEST: [{ guard: 'repeated' }, { actions: { type: 'reject', params: { code: 'IDEMPOTENCY_CONFLICT' } } }] },
  states: {
    created: {
      on: {
        REQUEST: [
          {
            guard: 'deniedByFacts',
            target: 'denied',
            actions: ['file', 'setCauses', { type: 'announce', params: { event: 'payment.denied' } }],
          },
          { target: 'reserving', actions: 'file' },
        ],
      },
    },
    reserving: {
      meta: { ask: 'RESERVE', wakeAt: 'expiresAt' },
      on: {
        HELD: [
          { guard: 'moreGates', actions: 'nextGate' },
          { guard: 'needsPerson', target: 'awaitingApproval', actions: 'awaitPerson' },
          { guard: 'executesAtOnce', target: 'admitting', actions: ['approve', 'beginExecution'] },
          { target: 'approved', actions: 'approve' },
        ],
        REFUSED: { target: 'releasing', actions: ['setGateCauses', 'endDenied'] },
        WAKE: { guard: 'due', target: 'releasing', actions: 'endExpired' },
      },
    },
    awaitingApproval: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        APPROVE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'otherRequest', actions: 'rejectStatus' },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          {
            guard: 'nowDenied',
            target: 'releasing',
            actions: ['setReviewCauses', 'dropRequest', 'endDenied', 'rejectStatus'],
          },
          {
            guard: 'staleWithNewGates',
            target: 'extending',
            actions: ['dropRequest', 'firstNewGate', 'takeReviewAndAsk'],
          },
          {
            guard: 'stale',
            target: 'awaitingApproval',
            actions: ['dropRequest', 'takeReviewAndAsk', 'awaitPerson', 'rejectStatus'],
          },
          { guard: 'lacksApprovals', actions: ['noteApproval', 'touch'] },
          {
            guard: 'executesOnNewGates',
            target: 'extending',
            actions: ['agree', 'approve', 'firstNewGate', 'takeReview'],
          },
          {
            guard: 'executesAtOnce',
            target: 'admitting',
            actions: ['agree', 'approve', 'takeReview', 'beginExecution'],
          },
          { target: 'approved', actions: ['agree', 'approve'] },
        ],
        DENY: [
          { guard: 'otherRequest', actions: 'rejectStatus' },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          { target: 'releasing', actions: ['disagree', 'endDenied'] },
        ],
        EXECUTE: { actions: 'rejectStatus' },
        CANCEL: { target: 'releasing', actions: ['dropRequest', 'endCancelled'] },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', 'dropRequest', 'endCancelled'] },
        WAKE: [
          { guard: 'escalates', actions: 'escalate' },
          { guard: 'due', target: 'releasing', actions: ['dropRequest', 'endExpired'] },
        ],
      },
    },
    approved: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        EXECUTE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'nowDenied', target: 'releasing', actions: ['setReviewCauses', 'rejectReviewed', 'endDenied'] },
          { guard: 'hasNewGates', target: 'extending', actions: ['firstNewGate', 'takeReview'] },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', 'rejectStatus'],
          },
          { target: 'admitting', actions: ['takeReview', 'beginExecution'] },
        ],
        PERMIT: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          {
            guard: 'nowDenied',
            target: 'releasing',
            actions: ['setReviewCauses', 'endDenied', { type: 'reject', params: { code: 'LIMIT_EXCEEDED' } }],
          },
          { guard: 'hasNewGates', target: 'extending', actions: ['firstNewGate', 'takeReview', 'takePermit'] },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', 'rejectStatus'],
          },
          { target: 'admitting', actions: ['takeReview', 'takePermit', 'beginExecution'] },
        ],
        CANCEL: { target: 'releasing', actions: 'endCancelled' },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', 'endCancelled'] },
        WAKE: { guard: 'due', target: 'releasing', actions: 'endExpired' },
      },
    },
    extending: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: [
          { guard: 'moreGates', actions: 'nextGate' },
          { guard: 'needsPerson', target: 'awaitingApproval', actions: ['awaitPerson', 'rejectStatus'] },
          { target: 'admitting', actions: 'beginExecution' },
        ],
        REFUSED: { target: 'releasing', actions: ['setGateCauses', 'stop', 'endDenied'] },
      },
    },
    admitting: {
      meta: { ask: 'ADMIT' },
      on: {
        ADMITTED: { target: 'capturing' },
        REFUSED: { target: 'approved', actions: ['setOrganizationCauses', 'stop', 'lastGate'] },
      },
    },
    capturing: {
      meta: { ask: 'CAPTURE' },
      on: {
        CAPTURED: [
          { guard: 'moreGates', actions: 'nextGate' },
          { guard: 'permits', target: 'restoring' },
          { guard: 'movesOnChain', target: 'transferring', actions: 'touch' },
          { target: 'executed', actions: 'complete' },
        ],
        REFUSED: [
          { guard: 'isFinal', target: 'releasing', actions: ['setGateCauses', 'stop', 'lastGate', 'endDenied'] },
          { target: 'restoring', actions: ['setGateCauses', 'stop'] },
        ],
      },
    },
    transferring: {
      initial: 'signing',
      on: { EXECUTE: { actions: 'rejectExecuted' } },
      states: {
        signing: {
          meta: { call: 'sign' },
          on: {
            SIGNED: { target: 'submitting', actions: ['keepTransfer', 'touch'] },
            ENTRUSTED: { target: 'submitting', actions: ['noteProvider', 'touch'] },
            UNMADE: { target: '#payment.restoring', actions: 'stopUnmade' },
          },
        },
        submitting: {
          meta: { call: 'broadcast' },
          on: {
            ACCEPTED: { target: '#payment.transferred', actions: ['complete', 'noteHash'] },
            UNKNOWN: { target: 'unknown', actions: 'touch' },
            UNMADE: { guard: 'isUnsigned', target: '#payment.restoring', actions: 'stopUnmade' },
          },
        },
        unknown: {
          meta: { call: 'lookup' },
          on: {
            ACCEPTED: { target: '#payment.transferred', actions: ['complete', 'noteHash'] },
            REPLACED: { actions: ['keepTransfer', 'touch'] },
            REVERTED: { target: '#payment.releasing', actions: ['noteFailure', 'lastGate', 'endFailed'] },
            UNMADE: { guard: 'isUnsigned', target: '#payment.restoring', actions: 'stopUnmade' },
          },
        },
      },
    },
    transferred: {
      initial: 'submitted',
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
      states: {
        submitted: {
          meta: { call: 'lookup' },
          on: {
            ACCEPTED: { actions: 'noteHash' },
            REPLACED: { actions: ['keepTransfer', 'touch'] },
            CONFIRMED: { target: 'reconciling', actions: 'noteBlock' },
            REVERTED: { target: '#payment.releasing', actions: ['noteHash', 'noteFailure', 'lastGate', 'endFailed'] },
          },
        },
        reconciling: {
          meta: { ask: 'RECONCILE' },
          on: {
            RECONCILED: [
              { guard: 'wasConfirmed', target: 'confirmed', actions: 'lastGate' },
              { target: 'confirmed', actions: ['confirm', 'lastGate'] },
            ],
          },
        },
        confirmed: {
          meta: { call: 'lookup' },
          on: {
            REORGED: { target: 'reopening', actions: ['forgetBlock', 'touch'] },
            FINAL: { target: '#payment.executed', actions: 'forgetTransfers' },
          },
        },
        reopening: { meta: { ask: 'RECONCILE' }, on: { RECONCILED: { target: 'submitted', actions: 'lastGate' } } },
      },
    },
    restoring: {
      meta: { ask: 'RESTORE' },
      on: {
        RESTORED: [
          { guard: 'moreBehind', actions: 'previousGate' },
          { guard: 'permits', target: 'permitted', actions: ['lastGate', 'touch'] },
          { target: 'approved', actions: ['lastGate', 'touch'] },
        ],
        REFUSED: { target: 'releasing', actions: ['setGateCauses', 'lastGate', 'endDenied'] },
      },
    },
    permitted: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'MANUAL_EXECUTION_REQUIRED' } } },
        PERMIT: [
          { guard: 'permitOver', actions: { type: 'reject', params: { code: 'EXPIRED' } } },
          { guard: 'nowDenied', actions: 'rejectReviewed' },
          {},
        ],
        CONFIRM: { target: 'claimingHash', actions: 'claimHash' },
        CANCEL: { actions: 'rejectStatus' },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', 'endCancelled'] },
      },
    },
    claimingHash: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: { target: 'settling', actions: 'beginExecution' },
        REFUSED: { target: 'permitted', actions: ['dropHash', 'rejectExecuted'] },
      },
    },
    settling: {
      meta: { ask: 'SETTLE' },
      on: {
        CAPTURED: [
          { guard: 'moreGates', actions: 'nextGate' },
          { guard: 'settlesLive', target: 'executed', actions: ['complete', 'confirm'] },
          { target: 'executed', actions: 'complete' },
        ],
      },
    },
    releasing: {
      meta: { ask: 'RELEASE' },
      on: {
        RELEASED: [
          { guard: 'moreBehind', actions: 'previousGate' },
          {
            guard: 'endsDenied',
            target: 'denied',
            actions: ['touch', { type: 'announce', params: { event: 'payment.denied' } }],
          },
          { guard: 'endsCancelled', target: 'cancelled', actions: 'touch' },
          {
            guard: 'endsFailed',
            target: 'failed',
            actions: ['forgetTransfers', 'touch', { type: 'announce', params: { event: 'payment.failed' } }],
          },
          { target: 'expired', actions: ['touch', { type: 'announce', params: { event: 'payment.expired' } }] },
        ],
      },
    },
    executed: {
      on: {
        EXECUTE: { actions: 'rejectExecuted' },
        PERMIT: { actions: 'rejectExecuted' },
        CONFIRM: [{ guard: 'sameHash' }, { actions: 'rejectExecuted' }],
        CANCEL: { actions: 'rejectExecuted' },
        RELEASE_HOLD: { actions: 'rejectExecuted' },
      },
    },
    denied: {},
    failed: {},
    cancelled: {},
    expired: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
        PERMIT: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
      },
    },
  },
})
