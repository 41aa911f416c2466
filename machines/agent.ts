// An agent: the actor that pays. As a gate it lets payments through while it is ACTIVE, within its policies' limits on
// its sums. Its name is unique in its organization.
import { assign, setup } from 'xstate'
import { agentNotActive, type AgentFields, type AgentStatus } from '../src/domain/parties/agent.js'
import type { Code } from '../src/domain/outcomes/codes.js'
import { gateGuards, gateTime, type GateMessage } from '../src/domain/limits/gate.js'
import {
  begunAnew,
  factorsCrossed,
  NO_ACTIVITY,
  noted,
  sayMet,
  type Activity,
  type AutoFreeze,
  type Note,
} from '../src/domain/limits/autoFreeze.js'
import type { Tally } from '../src/domain/limits/tally.js'
import {
  captured,
  countedHold,
  objections as tallyObjections,
  released,
  restored,
  type TallyContext,
} from '../src/domain/limits/tallyGate.js'
import { listed, listOf, sublist, type List, type Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'
import type { Violation } from '../src/domain/outcomes/violation.js'

export interface AgentContext extends TallyContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  name: string
  fields: AgentFields
  /** Why it was frozen; null when it is not. */
  frozenFor: string | null
  /** Why it was unfrozen last; null if it was not, or nothing was said. */
  unfrozenFor: string | null
  /** Status before the suspension, restored by an unfreeze. */
  frozenAs: 'ACTIVE' | 'PAUSED'
  /** Number of status changes and freezes, so that an approval of its return holds for the one its approver saw. */
  edits: number
  /** Payments captured. */
  executed: number
  tally: Tally
  /** When it is frozen without a person; null when never. */
  autoFreeze: AutoFreeze | null
  /** What its thresholds look at; null without them. */
  activity: Activity | null
}

type Changes = Partial<AgentFields>
export type AgentEvent =
  | GateMessage
  | { type: 'CREATE'; now: number; organization: string; fields: AgentFields; id: string; name: string; order: number }
  | { type: 'RENAME'; now: number; name: string }
  | { type: 'UPDATE' | 'ACTIVATE' | 'PAUSE' | 'SUSPEND' | 'REVOKE'; now: number; changes: Changes }
  | { type: 'FREEZE'; now: number; reason: string }
  | { type: 'UNFREEZE'; now: number; reason: string | null }
  | { type: 'SET_AUTO_FREEZE'; now: number; autoFreeze: AutoFreeze | null }
  /** What one of its payments has become; sent only where thresholds are set. */
  | ({ type: 'NOTE' } & Note)
  | { type: 'DELETE'; now: number }

/** `status` as the interface shows it. */
export function agentsOf(organization: string, status?: string): List<'agent'> {
  return sublist(listOf(`agents/${organization}`), status?.toLowerCase())
}

export function formerAgentsOf(organization: string): List<'agent'> {
  return listOf(`former-agents/${organization}`)
}

/** In any case. */
export function agentsByPublicKey(organization: string, publicKey: string): List<'agent'> {
  return listOf(`agents-by-public-key/${organization}/${publicKey.toLowerCase()}`)
}

export function agentListing({ context }: { context: AgentContext }, { gone, status }: Meta): Listing {
  const { organization, fields } = context
  if (gone) return listed(formerAgentsOf(organization))
  return listed(
    agentsOf(organization),
    agentsOf(organization, status),
    agentsByPublicKey(organization, fields.publicKey),
  )
}

function objections(context: AgentContext, message: GateMessage): Violation[] {
  const { autoFreeze, activity } = context
  const found = tallyObjections(context, message)
  if (autoFreeze?.action !== 'FREEZE' || message.type !== 'RESERVE') return found
  const crossed = factorsCrossed(autoFreeze, activity ?? NO_ACTIVITY, message.amount, gateTime(context, message))
  return crossed.length === 0 ? found : [...found, { type: 'UNUSUAL_ACTIVITY', message: sayMet(autoFreeze, crossed) }]
}

export const agent = setup({
  types: { context: {} as AgentContext, events: {} as AgentEvent },
  guards: {
    ...gateGuards,
    allows: ({ context, event }) => objections(context, event as GateMessage).length === 0,
    isWatched: ({ context }) => context.autoFreeze !== null,
    frozenPaused: ({ context }) => context.frozenAs === 'PAUSED',
  },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, fields, id, name, order } = event as AgentEvent & { type: 'CREATE' }
      return { organization, fields, id, name, order, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as AgentEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
    rename: assign(({ event }) => {
      const { name, now } = event as AgentEvent & { type: 'RENAME' }
      return { name, updatedAt: now }
    }),
    changeStatus: assign(({ context: { edits, activity } }) => {
      const anew = activity && begunAnew(activity)
      return { edits: edits + 1, frozenFor: null, frozenAs: 'ACTIVE' as const, activity: anew }
    }),
    freeze: assign(({ context, event }) => {
      const { reason, now } = event as AgentEvent & { type: 'FREEZE' }
      return { frozenFor: reason, unfrozenFor: null, edits: context.edits + 1, updatedAt: now }
    }),
    noteUnfreeze: assign(({ event }) => ({ unfrozenFor: (event as AgentEvent & { type: 'UNFREEZE' }).reason })),
    /** An unfreeze must not let an agent pay that was paused before it was suspended, however often. */
    keepPaused: assign({ frozenAs: 'PAUSED' as const }),
    setAutoFreeze: assign(({ context, event }) => {
      const { autoFreeze, now } = event as AgentEvent & { type: 'SET_AUTO_FREEZE' }
      return { autoFreeze, activity: autoFreeze && (context.activity ?? NO_ACTIVITY), updatedAt: now }
    }),
    note: assign(({ context, event }) => {
      const { autoFreeze, activity } = context
      return { activity: noted(autoFreeze!, activity ?? NO_ACTIVITY, event as AgentEvent & { type: 'NOTE' }) }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    announce: assign(({ context }) => ({ events: [...context.events, 'agent.status_changed'] })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuseInactive: assign((_, { status }: { status: AgentStatus | 'DELETED' }) => {
      return { violations: [agentNotActive(status)] }
    }),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event as GateMessage) })),
    hold: assign(({ context, event }) => countedHold(context, event as GateMessage)),
    capture: assign(({ context, event }) => {
      return { ...captured(context, event as GateMessage), executed: context.executed + 1 }
    }),
    uncapture: assign(({ context }) => ({ executed: context.executed - 1 })),
    restore: assign(({ context }) => restored(context)),
    release: assign(({ context }) => released(context)),
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
    fields: {
      agentType: 'CUSTOM',
      description: null,
      publicKey: '',
      externalId: null,
      allowedContexts: [],
      callbackUrl: null,
    },
    frozenFor: null,
    unfrozenFor: null,
    frozenAs: 'ACTIVE',
    edits: 0,
    executed: 0,
    tally: {
      sums: {
        held: 0,
        day: { start: 0, spent: 0 },
        week: { start: 0, spent: 0 },
        month: { start: 0, spent: 0 },
      },
      total: 0,
      timezone: 'UTC',
    },
    autoFreeze: null,
    activity: null,
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  on: {
    SETTLE: { actions: 'capture' },
    RESTORE: [{ guard: 'allows', actions: ['uncapture', 'restore'] }, { actions: 'refuse' }],
    RELEASE: [{ guard: 'captured', actions: ['uncapture', 'release'] }, { actions: 'release' }],
  },
  states: {
    absent: {
      meta: { gone: true },
      on: { CREATE: { target: 'registered', actions: 'describe' } },
    },
    registered: {
      initial: 'active',
      on: {
        UPDATE: { actions: 'update' },
        RENAME: { actions: 'rename' },
        ACTIVATE: { target: 'registered.active', actions: ['update', 'changeStatus', 'announce'] },
        PAUSE: { target: 'registered.paused', actions: ['update', 'changeStatus', 'announce'] },
        REVOKE: { target: 'registered.revoked', actions: ['update', 'changeStatus', 'announce'] },
        UNFREEZE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        SET_AUTO_FREEZE: { actions: 'setAutoFreeze' },
        NOTE: { guard: 'isWatched', actions: 'note' },
        DELETE: { target: 'deleted' },
      },
      states: {
        active: {
          meta: { status: 'ACTIVE' },
          on: {
            ACTIVATE: { actions: 'update' },
            SUSPEND: { target: 'suspended', actions: ['update', 'changeStatus', 'announce'] },
            FREEZE: { target: 'suspended', actions: ['freeze', 'announce'] },
            RESERVE: [{ guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
            CAPTURE: [{ guard: 'allows', actions: 'capture' }, { actions: 'refuse' }],
          },
        },
        paused: {
          meta: { status: 'PAUSED' },
          on: {
            PAUSE: { actions: 'update' },
            SUSPEND: { target: 'suspended', actions: ['update', 'changeStatus', 'keepPaused', 'announce'] },
            FREEZE: { target: 'suspended', actions: ['freeze', 'keepPaused', 'announce'] },
            RESERVE: { actions: { type: 'refuseInactive', params: { status: 'PAUSED' } } },
            CAPTURE: { actions: { type: 'refuseInactive', params: { status: 'PAUSED' } } },
          },
        },
        suspended: {
          meta: { status: 'SUSPENDED' },
          on: {
            SUSPEND: { actions: 'update' },
            FREEZE: { actions: 'freeze' },
            UNFREEZE: [
              {
                guard: 'frozenPaused',
                target: 'paused',
                actions: ['touch', 'changeStatus', 'noteUnfreeze', 'announce'],
              },
              { target: 'active', actions: ['touch', 'changeStatus', 'noteUnfreeze', 'announce'] },
            ],
            RESERVE: { actions: { type: 'refuseInactive', params: { status: 'SUSPENDED' } } },
            CAPTURE: { actions: { type: 'refuseInactive', params: { status: 'SUSPENDED' } } },
          },
        },
        revoked: {
          meta: { status: 'REVOKED' },
          on: {
            ACTIVATE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            PAUSE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            SUSPEND: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            FREEZE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
            REVOKE: { actions: 'update' },
            RESERVE: { actions: { type: 'refuseInactive', params: { status: 'REVOKED' } } },
            CAPTURE: { actions: { type: 'refuseInactive', params: { status: 'REVOKED' } } },
          },
        },
      },
    },
    deleted: {
      meta: { status: 'DELETED', gone: true },
      on: {
        RESERVE: { actions: { type: 'refuseInactive', params: { status: 'DELETED' } } },
        CAPTURE: { actions: { type: 'refuseInactive', params: { status: 'DELETED' } } },
      },
    },
  },
})
