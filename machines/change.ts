// A change of settings that waits for the approval of another principal, and its outcome. It holds the original
// request; carrying that out is the work of whatever hears of the approval.
import { assign, setup } from 'xstate'
import {
  approvalListsOf,
  decidedApproval,
  hasDecided,
  isBarred,
  isLastNeeded,
  type Approval,
  type Decider,
  type Given,
  type Verdict,
} from '../src/domain/payment/approval.js'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { TurnFields, Ref } from '../src/domain/limits/gate.js'
import type { GovernedAction, HeldRequest } from '../src/domain/outcomes/governance.js'
import { listed, listOf, sublist, type List, type Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'

/** The outcome of an approved change. */
export interface Application {
  status: 'APPLIED' | 'REFUSED' | 'STALE'
  /** Why it was refused. */
  code?: Code
  error?: string
}

export interface AskedChange {
  action: GovernedAction
  resource: string
  resourceId: string | null
  ref: Ref | null
  /** The id that the target gets where it does not exist yet, and one is made. */
  createsId: string | null
  /** Hash of the target when the change was requested; null when it did not exist. */
  since: string | null
  heldRequest: HeldRequest
  requestedBy: Decider
  /** The requester collects the result, because its answer is for them alone. */
  isCollected: boolean
  approval: Approval
}

export interface ChangeContext extends TurnFields, AskedChange {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  /** Epoch ms. */
  expiresAt: number
  /** Epoch ms; null when the change is carried out at once. */
  collectBy: number | null
  application: Application | null
}

export type ChangeEvent =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; asked: AskedChange }
  | ({ type: 'APPROVE' | 'DENY'; now: number } & Given)
  | { type: 'SETTLE'; now: number; application: Application; resourceId: string | null }
  | { type: 'OUTDATE' | 'WAKE'; now: number }

type Taken = { context: ChangeContext; event: ChangeEvent }

function givenIn({ event }: Taken): Given {
  return event as unknown as Given
}

function decided(taken: Taken, verdict: Verdict): Approval {
  return decidedApproval(taken.context.approval, givenIn(taken), verdict, taken.event.now)
}

export function changesOf(organization: string, status?: string): List<'change'> {
  return sublist(listOf(`governance/${organization}`), status)
}

/** Approved ones that nobody has to come for. */
export const TO_APPLY: List<'change'> = listOf('approved-changes')

export function changeListing({ context }: { context: ChangeContext }, { list }: Meta): Listing {
  const { organization, approval, isCollected } = context
  return listed(
    ...approvalListsOf(organization, approval.status),
    changesOf(organization),
    changesOf(organization, approval.status),
    ...(list === TO_APPLY && !isCollected ? [TO_APPLY] : []),
  )
}

export const change = setup({
  types: { context: {} as ChangeContext, events: {} as ChangeEvent },
  guards: {
    ownRequest: (taken) => isBarred(taken.context.approval, givenIn(taken).by),
    alreadyDecided: (taken) => hasDecided(taken.context.approval, givenIn(taken)),
    lacksApprovals: (taken) => !isLastNeeded(taken.context.approval, givenIn(taken)),
    isOver: ({ context, event }) => event.now >= context.expiresAt,
    isUncollected: ({ context, event }) => context.collectBy !== null && event.now >= context.collectBy,
    isApplied: ({ event }) => (event as ChangeEvent & { type: 'SETTLE' }).application.status === 'APPLIED',
  },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, asked, ...described } = event as ChangeEvent & { type: 'CREATE' }
      return { ...described, ...asked, expiresAt: asked.approval.expiresAt, createdAt: now, updatedAt: now }
    }),
    noteApproval: assign((taken) => ({ approval: decided(taken, 'APPROVED'), updatedAt: taken.event.now })),
    agree: assign((taken) => {
      const { isCollected, expiresAt, createdAt } = taken.context
      const { now } = taken.event
      return {
        approval: { ...decided(taken, 'APPROVED'), status: 'APPROVED' as const },
        collectBy: isCollected ? now + expiresAt - createdAt : null,
        resourceId: taken.context.resourceId ?? taken.context.createsId,
        updatedAt: now,
      }
    }),
    deny: assign((taken) => ({
      approval: { ...decided(taken, 'DENIED'), status: 'DENIED' as const },
      updatedAt: taken.event.now,
    })),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
    lapse: assign(({ context, event }) => ({
      approval: { ...context.approval, status: 'EXPIRED' as const },
      updatedAt: event.now,
    })),
    outdate: assign({ application: { status: 'STALE' } }),
    settle: assign(({ event }) => {
      const { application, resourceId, now } = event as ChangeEvent & { type: 'SETTLE' }
      return { application, resourceId, updatedAt: now }
    }),
    giveUp: assign(({ context, event }) => ({
      resourceId: context.createsId === null ? context.resourceId : null,
      application: { status: 'REFUSED' as const, code: 'EXPIRED' as const, error: 'It was not collected in time' },
      updatedAt: event.now,
    })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'change',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    action: 'governance.update',
    resource: '',
    resourceId: null,
    ref: null,
    createsId: null,
    since: null,
    heldRequest: { method: '', path: '', params: {}, query: '', body: null, ifMatch: null, requestId: '' },
    requestedBy: { type: 'OPERATOR', id: '', name: '', countsAs: { type: 'OPERATOR', id: '' } },
    isCollected: false,
    approval: {
      id: '',
      status: 'PENDING',
      reasons: [],
      contentHash: '',
      steps: [],
      step: 0,
      barred: [],
      decisions: [],
      createdAt: 0,
      expiresAt: 0,
    },
    expiresAt: 0,
    collectBy: null,
    application: null,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: { CREATE: { target: 'pending', actions: 'describe' } },
    },
    pending: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        APPROVE: [
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          { guard: 'lacksApprovals', actions: 'noteApproval' },
          {
            target: 'approved',
            actions: ['agree', { type: 'announce', params: { event: 'governance.approval.decided' } }],
          },
        ],
        DENY: [
          { guard: 'ownRequest', actions: { type: 'reject', params: { code: 'SELF_APPROVAL' } } },
          { guard: 'alreadyDecided', actions: { type: 'reject', params: { code: 'ALREADY_DECIDED' } } },
          {
            target: 'denied',
            actions: ['deny', { type: 'announce', params: { event: 'governance.approval.decided' } }],
          },
        ],
        OUTDATE: { target: 'outdated', actions: ['lapse', 'outdate'] },
        WAKE: { guard: 'isOver', target: 'expired', actions: 'lapse' },
      },
    },
    approved: {
      meta: { list: 'approved-changes', wakeAt: 'collectBy' },
      on: {
        SETTLE: [
          { guard: 'isApplied', target: 'applied', actions: 'settle' },
          { target: 'refused', actions: 'settle' },
        ],
        WAKE: { guard: 'isUncollected', target: 'refused', actions: 'giveUp' },
      },
    },
    applied: {},
    refused: {},
    outdated: {},
    denied: {},
    expired: {},
  },
})
