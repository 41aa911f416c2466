// A payment: it asks the gates one at a time, first to reserve, then to capture, and undoes what it took when one
// refuses. It is executed at most once, and it alone ends its holds.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import type { AskingContext, Gate } from '../src/domain/gate.js'
import type { Decision, Ending, PaymentTerms } from '../src/domain/payment.js'
import { executionCode, isLasting, type Violation } from '../src/domain/violation.js'

export interface PaymentContext extends AskingContext {
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
  /** How long an approval, and the wait for one, live (ms). */
  approvedForMs: number
  waitsForMs: number
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
  | 'waitsForMs'
  | 'autoExecute'
  | 'autoExecuteError'
  | 'transactionId'
>

export type PaymentEvent =
  | { type: 'REQUEST'; now: number; organization: string; fields: Requested }
  | { type: 'EXECUTE'; now: number; review?: Review }
  | { type: 'CANCEL' | 'WAKE' | 'HELD' | 'CAPTURED' | 'RESTORED' | 'RELEASED'; now: number }
  | { type: 'REFUSED'; now: number; violations: Violation[] }
  | { type: 'RELEASE_HOLD'; now: number; reason: string }

/** What an execution goes on with when something it rests on has changed since the payment was decided. */
export interface Review {
  /** How many reviews the payment had taken when it was looked at: it is about that payment and no later one. */
  after: number
  /** Absent where what was decided still stands. */
  decision?: Decision
  /** The gates as they are to be asked now; those that are new stand at the end. */
  gates: Gate[]
}

const reviewOf = (event: PaymentEvent): Review | undefined => (event.type === 'EXECUTE' ? event.review : undefined)
const refusedBy = (event: PaymentEvent): Violation[] => (event.type === 'REFUSED' ? event.violations : [])

export const payment = setup({
  types: { context: {} as PaymentContext, events: {} as PaymentEvent },
  guards: {
    deniedByFacts: ({ event }) => event.type === 'REQUEST' && event.fields.decision?.outcome === 'DENIED',
    outdated: ({ context, event }) => (reviewOf(event)?.after ?? context.reviews) !== context.reviews,
    nowDenied: ({ event }) => reviewOf(event)?.decision?.outcome === 'DENIED',
    nowNeedsPerson: ({ event }) => reviewOf(event)?.decision?.outcome === 'REQUIRES_APPROVAL',
    hasNewGates: ({ context, event }) => (reviewOf(event)?.gates.length ?? 0) > context.gates.length,
    needsPerson: ({ context }) => context.asksPerson,
    executesAtOnce: ({ context }) => context.autoExecute,
    moreGates: ({ context }) => context.cursor + 1 < context.gates.length,
    moreBehind: ({ context }) => context.cursor > 0,
    due: ({ context, event }) => event.now >= context.expiresAt,
    forGood: ({ event }) => isLasting(refusedBy(event)),
    endsDenied: ({ context }) => context.ending === 'DENIED',
    endsCancelled: ({ context }) => context.ending === 'CANCELLED',
  },
  actions: {
    file: assign(({ event }) => {
      const { now, organization, fields } = event as PaymentEvent & { type: 'REQUEST' }
      const expiresAt = now + fields.approvedForMs
      const asksPerson = fields.decision?.outcome === 'REQUIRES_APPROVAL'
      return { ...fields, organization, asksPerson, createdAt: now, updatedAt: now, expiresAt }
    }),
    blame: assign(({ context }) => ({ causes: context.decision?.violations ?? [] })),
    takeReview: assign(({ context, event }) => {
      const taken = reviewOf(event)
      if (taken === undefined) return {}
      const asksPerson = taken.decision?.outcome === 'REQUIRES_APPROVAL'
      return { gates: taken.gates, review: taken.decision ?? context.review, reviews: context.reviews + 1, asksPerson }
    }),
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
    awaitPerson: assign(({ context, event }) => ({ expiresAt: event.now + context.waitsForMs, updatedAt: event.now })),
    nextGate: assign(({ context }) => ({ cursor: context.cursor + 1 })),
    previousGate: assign(({ context }) => ({ cursor: context.cursor - 1 })),
    lastGate: assign(({ context }) => ({ cursor: context.gates.length - 1 })),
    beginExecution: assign(({ context }) => ({ cursor: 0, attempt: context.attempt + 1, causes: [], refusedBy: null })),
    end: assign((_, params: { as: Ending }) => ({ ending: params.as })),
    settle: assign(({ event }) => ({ executedAt: event.now, autoExecuteError: null })),
    stopExecution: assign(({ context, event }) => {
      const code = executionCode(refusedBy(event))
      return context.autoExecute ? { autoExecute: false, autoExecuteError: code } : { refusal: code }
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
    approvedForMs: 0,
    waitsForMs: 0,
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
          { guard: 'executesAtOnce', target: 'capturing', actions: ['approve', 'beginExecution'] },
          { target: 'approved', actions: 'approve' },
        ],
        REFUSED: { target: 'releasing', actions: ['blameGate', { type: 'end', params: { as: 'DENIED' } }] },
        WAKE: { guard: 'due', target: 'releasing', actions: { type: 'end', params: { as: 'EXPIRED' } } },
      },
    },
    awaitingApproval: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        CANCEL: { target: 'releasing', actions: { type: 'end', params: { as: 'CANCELLED' } } },
        RELEASE_HOLD: { target: 'releasing', actions: ['noteReason', { type: 'end', params: { as: 'CANCELLED' } }] },
        WAKE: { guard: 'due', target: 'releasing', actions: { type: 'end', params: { as: 'EXPIRED' } } },
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
          { target: 'capturing', actions: ['takeReview', 'beginExecution'] },
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
          { target: 'capturing', actions: 'beginExecution' },
        ],
        REFUSED: {
          target: 'releasing',
          actions: ['blameGate', 'stopExecution', { type: 'end', params: { as: 'DENIED' } }],
        },
      },
    },
    capturing: {
      meta: { ask: 'CAPTURE' },
      on: {
        CAPTURED: [
          { guard: 'moreGates', actions: 'nextGate' },
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
          { target: 'approved', actions: ['lastGate', 'touch'] },
        ],
        REFUSED: {
          target: 'releasing',
          actions: ['blameGate', 'lastGate', { type: 'end', params: { as: 'DENIED' } }],
        },
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
        CANCEL: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
        RELEASE_HOLD: { actions: { type: 'reject', params: { code: 'ALREADY_EXECUTED' } } },
      },
    },
    denied: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        CANCEL: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        RELEASE_HOLD: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
      },
    },
    cancelled: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        CANCEL: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        RELEASE_HOLD: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
      },
    },
    expired: {
      on: {
        EXECUTE: { actions: { type: 'reject', params: { code: 'EXPIRED' } } },
        CANCEL: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        RELEASE_HOLD: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
      },
    },
  },
})
