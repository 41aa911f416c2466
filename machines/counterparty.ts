// A counterparty: the recipient at one address of one organization, and the gate that keeps blocked ones unpaid.
// It comes into being with the first reservation for its address.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import {
  capturedEntry,
  gateGuards,
  gateTime,
  heldEntry,
  releasedEntry,
  restoredEntry,
  type GateContext,
  type GateMessage,
} from '../src/domain/gate.js'
import type { Micros } from '../src/domain/money.js'
import type { Violation } from '../src/domain/violation.js'

export interface CounterpartyContext extends GateContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  name: string
  /** In its shown form. */
  address: string
  transactionCount: number
  /** A statistic, no sum that anything is decided on: it stops at the largest safe integer. */
  totalVolume: Micros
  lastTransactionAt: number | null
}

export type CounterpartyEvent = GateMessage | { type: 'BLOCK' | 'UNBLOCK' | 'TRUST' | 'VERIFY'; now: number }

const BLOCKED: Violation = { type: 'BLOCKED_COUNTERPARTY', message: 'The recipient is blocked' }

export const counterparty = setup({
  types: { context: {} as CounterpartyContext, events: {} as CounterpartyEvent },
  guards: { ...gateGuards },
  actions: {
    meet: assign(({ event }) => {
      const { now, organization, terms } = event as GateMessage
      const { id = '', name = '', address = '', order = '0' } = terms ?? {}
      return { id, organization, name, address, order: Number(order), createdAt: now, updatedAt: now }
    }),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    refuseBlocked: assign({ violations: [BLOCKED] }),
    hold: assign(({ event }) => ({ entry: heldEntry(event as GateMessage) })),
    capture: assign(({ context, event }) => {
      const message = event as GateMessage
      const clock = gateTime(context, message)
      const entry = capturedEntry(message, context.entry!, clock)
      return {
        entry,
        clock,
        transactionCount: context.transactionCount + 1,
        totalVolume: Math.min(context.totalVolume + entry.amount, Number.MAX_SAFE_INTEGER),
        lastTransactionAt: clock,
      }
    }),
    uncapture: assign(({ context }) => ({
      transactionCount: context.transactionCount - 1,
      totalVolume: context.totalVolume - context.entry!.amount,
    })),
    restore: assign(({ context, event }) => ({ entry: restoredEntry(event as GateMessage, context.entry!) })),
    overtake: assign(({ context, event }) => ({ entry: restoredEntry(event as GateMessage, context.entry!) })),
    release: assign(({ context, event }) => ({ entry: releasedEntry(event as GateMessage, context.entry) })),
    bar: assign(({ event }) => ({ entry: releasedEntry(event as GateMessage, null) })),
  },
}).createMachine({
  id: 'counterparty',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    name: '',
    address: '',
    transactionCount: 0,
    totalVolume: 0,
    lastTransactionAt: null,
    clock: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'unmet',
  on: {
    RESTORE: [
      { guard: 'captured', actions: ['uncapture', 'restore'] },
      { guard: 'overtaken', actions: 'overtake' },
    ],
    RELEASE: [
      { guard: 'spent', actions: ['uncapture', 'release'] },
      { guard: 'open', actions: 'release' },
      { guard: 'closed' },
      { actions: 'bar' },
    ],
  },
  states: {
    unmet: {
      on: {
        RESERVE: [{ guard: 'answered' }, { target: 'met.unknown', actions: ['meet', 'hold'] }],
      },
    },
    met: {
      initial: 'unknown',
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'hold' }],
        CAPTURE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'capture' }],
        BLOCK: {
          target: 'blocked',
          actions: ['touch', { type: 'announce', params: { event: 'counterparty.blocked' } }],
        },
        UNBLOCK: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        TRUST: { target: 'met.trusted', actions: 'touch' },
        VERIFY: { target: 'met.verified', actions: 'touch' },
      },
      states: {
        unknown: {},
        verified: {},
        trusted: {},
      },
    },
    blocked: {
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'refuseBlocked' }],
        CAPTURE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'refuseBlocked' }],
        BLOCK: { actions: 'touch' },
        UNBLOCK: { target: 'met.unknown', actions: 'touch' },
        TRUST: { target: 'met.trusted', actions: 'touch' },
        VERIFY: { target: 'met.verified', actions: 'touch' },
      },
    },
  },
})
