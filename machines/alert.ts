// An alert: one cause, counted while nobody has resolved it. It is made in the commit of its cause. Its key finds it when
// the cause comes again; once it is resolved or the cause's window is over, the next one makes another alert.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { AlertFields } from '../src/domain/outcomes/alert.js'
import type { Identity } from '../src/domain/access/principal.js'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listed, listOf, sublist, type List, type Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'

export interface AlertContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  fields: AlertFields
  /** The unique key of the cause. */
  key: string
  /** The cause happens once: the key is never given up. */
  isOnce: boolean
  /** The cause's window is over. */
  isOver: boolean
  count: number
  /** Epoch ms. */
  lastAt: number
  acknowledgedBy: Identity | null
  resolvedBy: Identity | null
}

export type AlertEvent =
  | ({ type: 'RAISE'; now: number; organization: string } & Pick<
      AlertContext,
      'id' | 'order' | 'fields' | 'key' | 'isOnce'
    >)
  | { type: 'END_CAUSE'; now: number }
  | { type: 'ACKNOWLEDGE' | 'RESOLVE'; now: number; by: Identity }

/** `status` as the interface shows it. */
export function alertsOf(organization: string, status?: string): List<'alert'> {
  return sublist(listOf(`alerts/${organization}`), status?.toLowerCase())
}

export function agentAlertsOf(agentId: string, status?: string): List<'alert'> {
  return sublist(listOf(`agent-alerts/${agentId}`), status?.toLowerCase())
}

export function alertListing({ context }: { context: AlertContext }, { status }: Meta): Listing {
  const { organization, fields } = context
  const { agentId } = fields
  const all = [alertsOf(organization), alertsOf(organization, status)]
  return listed(...all, ...(agentId === null ? [] : [agentAlertsOf(agentId), agentAlertsOf(agentId, status)]))
}

export const alert = setup({
  types: { context: {} as AlertContext, events: {} as AlertEvent },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as AlertEvent & { type: 'RAISE' }
      return { ...described, createdAt: now, updatedAt: now, lastAt: now, count: 1 }
    }),
    announce: assign(({ context }) => ({ events: [...context.events, 'alert.raised'] })),
    /** Clocks of hosts may run backwards. */
    count: assign(({ context, event }) => ({
      count: context.count + 1,
      lastAt: Math.max(context.lastAt, event.now),
      updatedAt: event.now,
    })),
    end: assign({ isOver: true }),
    acknowledge: assign(({ event }) => {
      const { by, now } = event as AlertEvent & { type: 'ACKNOWLEDGE' }
      return { acknowledgedBy: by, updatedAt: now }
    }),
    resolve: assign(({ event }) => {
      const { by, now } = event as AlertEvent & { type: 'RESOLVE' }
      return { resolvedBy: by, updatedAt: now }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'alert',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      type: 'POLICY_VIOLATION',
      severity: 'WARNING',
      title: '',
      message: '',
      agentId: null,
      walletId: null,
      paymentId: null,
    },
    key: '',
    isOnce: false,
    isOver: false,
    count: 0,
    lastAt: 0,
    acknowledgedBy: null,
    resolvedBy: null,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: { RAISE: { target: 'active', actions: ['describe', 'announce'] } },
    },
    active: {
      meta: { status: 'ACTIVE' },
      on: {
        RAISE: { actions: 'count' },
        END_CAUSE: { actions: 'end' },
        ACKNOWLEDGE: { target: 'acknowledged', actions: 'acknowledge' },
        RESOLVE: { target: 'resolved', actions: 'resolve' },
      },
    },
    acknowledged: {
      meta: { status: 'ACKNOWLEDGED' },
      on: {
        RAISE: { actions: 'count' },
        END_CAUSE: { actions: 'end' },
        ACKNOWLEDGE: {},
        RESOLVE: { target: 'resolved', actions: 'resolve' },
      },
    },
    resolved: {
      meta: { status: 'RESOLVED' },
      on: {
        ACKNOWLEDGE: { actions: { type: 'reject', params: { code: 'ALREADY_RESOLVED' } } },
        RESOLVE: { actions: { type: 'reject', params: { code: 'ALREADY_RESOLVED' } } },
      },
    },
  },
})
