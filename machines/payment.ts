// A payment: it asks the gates one at a time, first to reserve, then to capture, and undoes what it took when one
// refuses. It is executed at most once, and it alone ends its holds. Where a person has to agree, the decision is a
// message to it.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import type { Ending } from '../src/domain/payment.js'
import type { PaymentContext, PaymentEvent } from '../src/domain/paymentActor.js'
import {
  awaited,
  decided,
  escalated,
  paymentGuards,
  refusedBy,
  reviewOf,
  settled,
  takenReview,
  takenReviewToAsk,
} from '../src/domain/paymentTurn.js'
import { executionCode } from '../src/domain/violation.js'

export type { PaymentContext, PaymentEvent, Review } from '../src/domain/paymentActor.js'

export const payment = setup({
  types: { context: {} as PaymentContext, events: {} as PaymentEvent },
  guards: paymentGuards,
  actions: {
    file: assign(({ event }) => {
      const { now, organization, fields } = event as PaymentEvent & { type: 'REQUEST' }
      const expiresAt = now + fields.approvedForMs
      const asksPerson = fields.decision?.outcome === 'REQUIRES_APPROVAL'
      return { ...fields, organization, asksPerson, createdAt: now, updatedAt: now, expiresAt }
    }),
    blame: assign(({ context }) => ({ causes: context.decision?.violations ?? [] })),
    takeReview: assign(takenReview),
    takeReviewAndAsk: assign(takenReviewToAsk),
    blameReview: assign(({ event }) => {
      const review = reviewOf(event)?.decision ?? null
      return { review, causes: review?.violations ?? [], refusedBy: null }
    }),
    rejectReviewed: assign(({ event }) => ({ refusal: executionCode(reviewOf(event)?.decision?.violations ?? []) })),
    firstNewGate: assign(({ context }) => ({ cursor: context.cursor + 1 })),
    blameGate: assign(({ context, event }) => {
      return { causes: refusedBy(event), refusedBy: context.gates[context.cursor]!.ref.split('/')[0]! }
    }),
    approve: assign(({ context, event }) => ({
      expiresAt: event.now + context.approvedForMs,
      updatedAt: event.now,
      events: [...context.events, 'payment.approved'],
    })),
    awaitPerson: assign(awaited),
    escalate: assign(escalated),
    noteApproval: assign((taken) => ({ approval: decided(taken, 'APPROVED') })),
    agree: assign((taken) => settled(taken, 'APPROVED')),
    disagree: assign((taken) => settled(taken, 'DENIED')),
    /** Nobody needs to decide it any more. */
    dropRequest: assign(({ context }) => ({ approval: { ...context.approval!, status: 'EXPIRED' as const } })),
    nextGate: assign(({ context }) => ({ cursor: context.cursor + 1 })),
    previousGate: assign(({ context }) => ({ cursor: context.cursor - 1 })),
    lastGate: assign(({ context }) => ({ cursor: context.gates.length - 1 })),
    beginExecution: assign(({ context }) => ({ cursor: 0, attempt: context.attempt + 1, causes: [], refusedBy: null })),
    end: assign((_, params: { as: Ending }) => ({ ending: params.as })),
    settle: assign(({ event }) => ({ executedAt: event.now, autoExecuteError: null })),
    stopExecution: assign(({ context, event }) => {
      const code = executionCode(refusedBy(event))
      const isUnasked = context.autoExecute && !context.asksPerson
      const told = isUnasked ? { autoExecute: false, autoExecuteError: code } : { refusal: code }
      return { ...told, permit: null }
    }),
    blameOrganization: assign(({ event }) => ({ causes: refusedBy(event), refusedBy: 'organization' })),
    takePermit: assign(({ event }) => {
      const { now, permitForMs } = event as PaymentEvent & { type: 'PERMIT' }
      return { permit: { expiresAt: now + permitForMs } }
    }),
    claimHash: assign(({ context, event }) => {
      const { txHash, claim } = event as PaymentEvent & { type: 'CONFIRM' }
      return { txHash, gates: [...context.gates, claim], cursor: context.gates.length }
    }),
    dropHash: assign(({ context }) => {
      return { txHash: null, gates: context.gates.slice(0, -1), cursor: context.gates.length - 2 }
    }),
    noteReason: assign(({ event }) => ({ releasedFor: event.type === 'RELEASE_HOLD' ? event.reason : null })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
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
    txHash: null,
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
    gates: [],
    cursor: 0,
    attempt: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'created',
  on: {
    REQUEST: {},
  },
  states: {
    created: {
      on: {
        REQUEST: [
          {
            guard: 'deniedByFacts',
            target: 'denied',
            actions: [
              'file',
              'blame',
              { type: 'announce', params: { event: 'payment.requested' } },
              { type: 'announce', params: { event: 'payment.denied' } },
            ],
          },
          { target: 'reserving', actions: ['file', { type: 'announce', params: { event: 'payment.requested' } }] },
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
        REFUSED: { target: 'releasing', actions: ['blameGate', { type: 'end', params: { as: 'DENIED' } }] },
        WAKE: { guard: 'due', target: 'releasing', actions: { type: 'end', params: { as: 'EXPIRED' } } },
      },
    },
    awaitingApproval: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        APPROVE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'otherRequest', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          {
            guard: 'nowDenied',
            target: 'releasing',
            actions: [
              'blameReview',
              'dropRequest',
              { type: 'end', params: { as: 'DENIED' } },
              { type: 'reject', params: { code: 'INVALID_STATUS' } },
            ],
          },
          {
            guard: 'staleWithNewGates',
            target: 'extending',
            actions: ['dropRequest', 'firstNewGate', 'takeReviewAndAsk'],
          },
          {
            guard: 'stale',
            target: 'awaitingApproval',
            actions: [
              'dropRequest',
              'takeReviewAndAsk',
              'awaitPerson',
              { type: 'reject', params: { code: 'INVALID_STATUS' } },
            ],
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
          { guard: 'otherRequest', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'notApprover', actions: { type: 'reject', params: { code: 'INSUFFICIENT_SCOPE' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          { target: 'releasing', actions: ['disagree', { type: 'end', params: { as: 'DENIED' } }] },
        ],
        EXECUTE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        CANCEL: { target: 'releasing', actions: ['dropRequest', { type: 'end', params: { as: 'CANCELLED' } }] },
        RELEASE_HOLD: {
          target: 'releasing',
          actions: ['noteReason', 'dropRequest', { type: 'end', params: { as: 'CANCELLED' } }],
        },
        WAKE: [
          { guard: 'escalates', actions: 'escalate' },
          { guard: 'due', target: 'releasing', actions: ['dropRequest', { type: 'end', params: { as: 'EXPIRED' } }] },
        ],
      },
    },
    approved: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        EXECUTE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          {
            guard: 'nowDenied',
            target: 'releasing',
            actions: ['blameReview', 'rejectReviewed', { type: 'end', params: { as: 'DENIED' } }],
          },
          { guard: 'hasNewGates', target: 'extending', actions: ['firstNewGate', 'takeReview'] },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', { type: 'reject', params: { code: 'INVALID_STATUS' } }],
          },
          { target: 'admitting', actions: ['takeReview', 'beginExecution'] },
        ],
        PERMIT: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          {
            guard: 'nowDenied',
            target: 'releasing',
            actions: [
              'blameReview',
              { type: 'end', params: { as: 'DENIED' } },
              { type: 'reject', params: { code: 'LIMIT_EXCEEDED' } },
            ],
          },
          { guard: 'hasNewGates', target: 'extending', actions: ['firstNewGate', 'takeReview', 'takePermit'] },
          {
            guard: 'nowNeedsPerson',
            target: 'awaitingApproval',
            actions: ['takeReview', 'awaitPerson', { type: 'reject', params: { code: 'INVALID_STATUS' } }],
          },
          { target: 'admitting', actions: ['takeReview', 'takePermit', 'beginExecution'] },
        ],
        CANCEL: { target: 'releasing', actions: { type: 'end', params: { as: 'CANCELLED' } } },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', { type: 'end', params: { as: 'CANCELLED' } }] },
        WAKE: { guard: 'due', target: 'releasing', actions: { type: 'end', params: { as: 'EXPIRED' } } },
      },
    },
    extending: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: [
          { guard: 'moreGates', actions: 'nextGate' },
          {
            guard: 'needsPerson',
            target: 'awaitingApproval',
            actions: ['awaitPerson', { type: 'reject', params: { code: 'INVALID_STATUS' } }],
          },
          { target: 'admitting', actions: 'beginExecution' },
        ],
        REFUSED: {
          target: 'releasing',
          actions: ['blameGate', 'stopExecution', { type: 'end', params: { as: 'DENIED' } }],
        },
      },
    },
    admitting: {
      meta: { ask: 'ADMIT' },
      on: {
        ADMITTED: { target: 'capturing' },
        REFUSED: { target: 'approved', actions: ['blameOrganization', 'stopExecution', 'lastGate'] },
      },
    },
    capturing: {
      meta: { ask: 'CAPTURE' },
      on: {
        CAPTURED: [
          { guard: 'moreGates', actions: 'nextGate' },
          { guard: 'permits', target: 'restoring' },
          {
            target: 'executed',
            actions: ['settle', 'touch', { type: 'announce', params: { event: 'payment.executed' } }],
          },
        ],
        REFUSED: [
          {
            guard: 'forGood',
            target: 'releasing',
            actions: ['blameGate', 'stopExecution', 'lastGate', { type: 'end', params: { as: 'DENIED' } }],
          },
          { target: 'restoring', actions: ['blameGate', 'stopExecution'] },
        ],
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
        REFUSED: {
          target: 'releasing',
          actions: ['blameGate', 'lastGate', { type: 'end', params: { as: 'DENIED' } }],
        },
      },
    },
    permitted: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'MANUAL_EXECUTION_REQUIRED' } } },
        PERMIT: {},
        CONFIRM: { target: 'claimingHash', actions: 'claimHash' },
        CANCEL: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', { type: 'end', params: { as: 'CANCELLED' } }] },
      },
    },
    claimingHash: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: { target: 'settling', actions: 'beginExecution' },
        REFUSED: {
          target: 'permitted',
          actions: ['dropHash', { type: 'reject', params: { code: 'ALREADY_EXECUTED' } }],
        },
      },
    },
    settling: {
      meta: { ask: 'SETTLE' },
      on: {
        CAPTURED: [
          { guard: 'moreGates', actions: 'nextGate' },
          {
            target: 'executed',
            actions: ['settle', 'touch', { type: 'announce', params: { event: 'payment.executed' } }],
          },
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
          { target: 'expired', actions: ['touch', { type: 'announce', params: { event: 'payment.expired' } }] },
        ],
      },
    },
    executed: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
        PERMIT: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
        CONFIRM: [{ guard: 'sameHash' }, { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } }],
        CANCEL: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
        RELEASE_HOLD: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
      },
    },
    denied: {},
    cancelled: {},
    expired: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
        PERMIT: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
      },
    },
  },
})
