// An agent: the actor that pays. As a gate it lets payments through while it is ACTIVE, within its policies' limits on
// its sums. Its name is a claim, so that two agents of an organization never share one.
import { assign, setup } from 'xstate'
import { agentNotActive, type AgentFields, type AgentStatus } from '../src/domain/agent.js'
import type { Code } from '../src/domain/codes.js'
import {
  gateGuards,
  releasedEntry,
  restoredEntry,
  type AskingContext,
  type Gate,
  type GateMessage,
} from '../src/domain/gate.js'
import type { Tally } from '../src/domain/tally.js'
import {
  captured,
  forfeited,
  held,
  objections,
  released,
  restored,
  tallyGuards,
  type TallyContext,
} from '../src/domain/tallyGate.js'

export interface AgentContext extends TallyContext, AskingContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  name: string
  status: AgentStatus
  fields: AgentFields
  /** The name being claimed; null when none is. */
  newName: string | null
  /** Why it was frozen; null when it is not. */
  frozenFor: string | null
  /** Status before the suspension, restored by an unfreeze. */
  frozenAs: 'ACTIVE' | 'PAUSED'
  /** Number of status changes and freezes, so that an approval of its return holds for the one its approver saw. */
  edits: number
  /** Payments captured. */
  executed: number
  tally: Tally
}

type Changes = Partial<AgentFields>
export type AgentEvent =
  | GateMessage
  | {
      type: 'CREATE'
      now: number
      organization: string
      fields: AgentFields
      id: string
      name: string
      order: number
      claim: Gate
    }
  | { type: 'RENAME'; now: number; name: string; claim: Gate }
  | { type: 'UPDATE' | 'ACTIVATE' | 'PAUSE' | 'SUSPEND' | 'REVOKE'; now: number; changes: Changes }
  | { type: 'FREEZE'; now: number; reason: string }
  | { type: 'UNFREEZE' | 'DELETE' | 'HELD' | 'REFUSED' | 'RELEASED'; now: number }

/** An unfreeze must not let an agent pay that was paused before it was suspended, however often. */
function statusAfterSuspension({ status, frozenAs }: AgentContext): AgentContext['frozenAs'] {
  if (status === 'SUSPENDED') return frozenAs
  return status === 'PAUSED' ? 'PAUSED' : 'ACTIVE'
}

export const agent = setup({
  types: { context: {} as AgentContext, events: {} as AgentEvent },
  guards: {
    ...gateGuards,
    ...tallyGuards,
    /** The requested name is already the agent's own: claiming it anew and dropping the old claim would lose it. */
    ownsName: ({ context, event }) => (event as AgentEvent & { type: 'RENAME' }).claim.ref === context.gates[0]?.ref,
    frozenPaused: ({ context }) => context.frozenAs === 'PAUSED',
    isPaused: ({ context }) => context.status === 'PAUSED',
    isSuspended: ({ context }) => context.status === 'SUSPENDED',
    isRevoked: ({ context }) => context.status === 'REVOKED',
  },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, fields, id, name, order, claim } = event as AgentEvent & { type: 'CREATE' }
      return { organization, fields, id, name, order, gates: [claim], createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as AgentEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
    become: assign(({ context }, params: { status: AgentStatus }) => ({
      status: params.status,
      edits: context.edits + 1,
      frozenFor: null,
      frozenAs: params.status === 'SUSPENDED' ? statusAfterSuspension(context) : ('ACTIVE' as const),
    })),
    freeze: assign(({ context, event }) => {
      const { reason, now } = event as AgentEvent & { type: 'FREEZE' }
      const frozenAs = statusAfterSuspension(context)
      return { status: 'SUSPENDED' as const, frozenFor: reason, frozenAs, edits: context.edits + 1, updatedAt: now }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    claimName: assign(({ context, event }) => {
      const { name, claim, now } = event as AgentEvent & { type: 'RENAME' }
      return { newName: name, gates: [...context.gates, claim], cursor: 1, updatedAt: now }
    }),
    respell: assign(({ event }) => {
      const { name, now } = event as AgentEvent & { type: 'RENAME' }
      return { name, updatedAt: now }
    }),
    takeName: assign(({ context }) => ({ name: context.newName ?? context.name, newName: null, cursor: 0 })),
    forgetOldName: assign(({ context }) => ({ gates: context.gates.slice(1) })),
    keepOldName: assign(({ context }) => ({ newName: null, gates: context.gates.slice(0, 1), cursor: 0 })),
    announce: assign(({ context }) => ({ events: [...context.events, 'agent.status_changed'] })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuseInactive: assign(({ context }) => ({ violations: [agentNotActive(context.status)] })),
    refuseDeleted: assign({ violations: [agentNotActive('DELETED')] }),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event as GateMessage) })),
    hold: assign(({ context, event }) => held(context, event as GateMessage)),
    capture: assign(({ context, event }) => {
      return { ...captured(context, event as GateMessage), executed: context.executed + 1 }
    }),
    uncapture: assign(({ context }) => ({ executed: context.executed - 1 })),
    restore: assign(({ context, event }) => restored(context, event as GateMessage)),
    forfeit: assign(({ context, event }) => forfeited(context, event as GateMessage)),
    fence: assign(({ context, event }) => ({ entry: restoredEntry(event as GateMessage, context.entry!) })),
    release: assign(({ context, event }) => released(context, event as GateMessage)),
    tombstone: assign(({ event }) => ({ entry: releasedEntry(event as GateMessage, null) })),
  },
}).createMachine({
  id: 'agent',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    name: '',
    status: 'ACTIVE',
    fields: {
      agentType: 'CUSTOM',
      description: null,
      publicKey: '',
      externalId: null,
      allowedContexts: [],
      callbackUrl: null,
    },
    newName: null,
    frozenFor: null,
    frozenAs: 'ACTIVE',
    edits: 0,
    executed: 0,
    tally: {
      sums: {
        held: 0,
        day: { start: 0, spent: 0 },
        week: { start: 0, spent: 0 },
        month: { start: 0, spent: 0 },
        movedAt: 0,
      },
      total: 0,
      recent: null,
      recentSince: 0,
      timezone: 'UTC',
    },
    clock: 0,
    gates: [],
    cursor: 0,
    attempt: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  on: {
    SETTLE: [{ guard: 'capturedInThisAttempt' }, { guard: 'notCapturable' }, { actions: 'capture' }],
    RESTORE: [
      { guard: 'restorable', actions: ['uncapture', 'restore'] },
      { guard: 'capturedInThisAttempt', actions: ['uncapture', 'forfeit'] },
      { guard: 'heldByEarlierAttempt', actions: 'fence' },
    ],
    RELEASE: [
      { guard: 'captured', actions: ['uncapture', 'release'] },
      { guard: 'open', actions: 'release' },
      { guard: 'closed' },
      { actions: 'tombstone' },
    ],
  },
  states: {
    absent: {
      on: { CREATE: { target: 'claiming', actions: 'describe' } },
    },
    claiming: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: { target: 'registered' },
        REFUSED: { target: 'rejected', actions: { type: 'reject', params: { code: 'ALREADY_EXISTS' } } },
      },
    },
    rejected: {},
    registered: {
      initial: 'active',
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'refuseInactive' }],
        CAPTURE: [{ guard: 'capturedInThisAttempt' }, { guard: 'notCapturable' }, { actions: 'refuseInactive' }],
        UPDATE: { actions: 'update' },
        RENAME: [
          { guard: 'ownsName', actions: 'respell' },
          { target: 'claimingName', actions: 'claimName' },
        ],
        ACTIVATE: {
          target: 'registered.active',
          actions: ['update', { type: 'become', params: { status: 'ACTIVE' } }, 'announce'],
        },
        PAUSE: {
          target: 'registered.paused',
          actions: ['update', { type: 'become', params: { status: 'PAUSED' } }, 'announce'],
        },
        SUSPEND: {
          target: 'registered.suspended',
          actions: ['update', { type: 'become', params: { status: 'SUSPENDED' } }, 'announce'],
        },
        REVOKE: {
          target: 'registered.revoked',
          actions: ['update', { type: 'become', params: { status: 'REVOKED' } }, 'announce'],
        },
        FREEZE: { target: 'registered.suspended', actions: ['freeze', 'announce'] },
        UNFREEZE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        DELETE: { target: 'unclaiming' },
      },
      states: {
        active: {
          on: {
            ACTIVATE: { actions: 'update' },
            RESERVE: [{ guard: 'answered' }, { guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
            CAPTURE: [
              { guard: 'capturedInThisAttempt' },
              { guard: 'notCapturable' },
              { guard: 'allows', actions: 'capture' },
              { actions: 'refuse' },
            ],
          },
        },
        paused: {
          on: { PAUSE: { actions: 'update' } },
        },
        suspended: {
          on: {
            SUSPEND: { actions: 'update' },
            FREEZE: { actions: 'freeze' },
            UNFREEZE: [
              {
                guard: 'frozenPaused',
                target: 'paused',
                actions: ['touch', { type: 'become', params: { status: 'PAUSED' } }, 'announce'],
              },
              {
                target: 'active',
                actions: ['touch', { type: 'become', params: { status: 'ACTIVE' } }, 'announce'],
              },
            ],
          },
        },
        revoked: {
          on: {
            REVOKE: { actions: 'update' },
            FREEZE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            ACTIVATE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            PAUSE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            SUSPEND: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          },
        },
      },
    },
    claimingName: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: { target: 'droppingName', actions: 'takeName' },
        REFUSED: [
          {
            guard: 'isPaused',
            target: 'registered.paused',
            actions: ['keepOldName', { type: 'reject', params: { code: 'ALREADY_EXISTS' } }],
          },
          {
            guard: 'isSuspended',
            target: 'registered.suspended',
            actions: ['keepOldName', { type: 'reject', params: { code: 'ALREADY_EXISTS' } }],
          },
          {
            guard: 'isRevoked',
            target: 'registered.revoked',
            actions: ['keepOldName', { type: 'reject', params: { code: 'ALREADY_EXISTS' } }],
          },
          {
            target: 'registered.active',
            actions: ['keepOldName', { type: 'reject', params: { code: 'ALREADY_EXISTS' } }],
          },
        ],
      },
    },
    droppingName: {
      meta: { ask: 'RELEASE' },
      on: {
        RELEASED: [
          { guard: 'isPaused', target: 'registered.paused', actions: 'forgetOldName' },
          { guard: 'isSuspended', target: 'registered.suspended', actions: 'forgetOldName' },
          { guard: 'isRevoked', target: 'registered.revoked', actions: 'forgetOldName' },
          { target: 'registered.active', actions: 'forgetOldName' },
        ],
      },
    },
    unclaiming: {
      meta: { ask: 'RELEASE' },
      on: { RELEASED: { target: 'deleted' } },
    },
    deleted: {
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'refuseDeleted' }],
        CAPTURE: [{ guard: 'capturedInThisAttempt' }, { guard: 'notCapturable' }, { actions: 'refuseDeleted' }],
      },
    },
  },
})
