// A wallet: the gate that owns a balance. What is held may not be promised twice; what is captured is gone.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import {
  capturedEntry,
  gateGuards,
  gateTime,
  heldEntry,
  releasedEntry,
  restoredEntry,
  type AskingContext,
  type Gate,
  type GateContext,
  type GateMessage,
} from '../src/domain/gate.js'
import { addMicros, type Micros } from '../src/domain/money.js'
import { balanceViolations, WALLET_NOT_ACTIVE, type WalletFields } from '../src/domain/wallet.js'

export interface WalletContext extends GateContext, AskingContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  fields: WalletFields
  /** Funds, holds included. */
  balance: Micros
  /** The part of the balance that payments hold. */
  held: Micros
}

export type WalletEvent =
  | GateMessage
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: WalletFields; gates: Gate[] }
  | { type: 'UPDATE' | 'ACTIVATE' | 'FREEZE' | 'ARCHIVE'; now: number; name?: string }
  | { type: 'FUND'; now: number; amount: Micros }
  | { type: 'DELETE' | 'HELD' | 'REFUSED' | 'RELEASED'; now: number }

const objections = ({ balance, held }: WalletContext, event: WalletEvent) =>
  balanceViolations(balance, held, (event as GateMessage).amount)

export const wallet = setup({
  types: { context: {} as WalletContext, events: {} as WalletEvent },
  guards: {
    ...gateGuards,
    allows: ({ context, event }) => objections(context, event).length === 0,
    holds: ({ context }) => context.held > 0,
    overflows: ({ context, event }) =>
      event.type === 'FUND' && !Number.isSafeInteger(context.balance + event.amount),
  },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, id, order, fields, gates } = event as WalletEvent & { type: 'CREATE' }
      return { id, organization, order, fields, gates, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { name } = event as WalletEvent & { type: 'UPDATE' }
      return { fields: name === undefined ? context.fields : { ...context.fields, name }, updatedAt: event.now }
    }),
    fund: assign(({ context, event }) => {
      const { amount, now } = event as WalletEvent & { type: 'FUND' }
      return { balance: addMicros(context.balance, amount), updatedAt: now }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    refuseInactive: assign({ violations: [WALLET_NOT_ACTIVE] }),
    hold: assign(({ context, event }) => {
      const message = event as GateMessage
      return { entry: heldEntry(message), held: addMicros(context.held, message.amount) }
    }),
    capture: assign(({ context, event }) => {
      const message = event as GateMessage
      const clock = gateTime(context, message)
      const entry = capturedEntry(message, context.entry!, clock)
      return { entry, held: context.held - entry.amount, balance: context.balance - entry.amount, clock }
    }),
    restore: assign(({ context, event }) => {
      const { amount } = context.entry!
      const held = addMicros(context.held, amount)
      return { entry: restoredEntry(event as GateMessage, context.entry!), held, balance: addMicros(context.balance, amount) }
    }),
    overtake: assign(({ context, event }) => ({ entry: restoredEntry(event as GateMessage, context.entry!) })),
    release: assign(({ context, event }) => {
      const { state, amount } = context.entry!
      const entry = releasedEntry(event as GateMessage, context.entry)
      return state === 'held'
        ? { entry, held: context.held - amount }
        : { entry, balance: addMicros(context.balance, amount) }
    }),
    bar: assign(({ event }) => ({ entry: releasedEntry(event as GateMessage, null) })),
  },
}).createMachine({
  id: 'wallet',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      name: '',
      address: '',
      walletType: 'EOA',
      chainType: 'EVM',
      chainId: '',
      custodyType: 'MANAGED',
      currency: 'USDC',
    },
    balance: 0,
    held: 0,
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
    SETTLE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'capture' }],
    RESTORE: [
      { guard: 'captured', actions: 'restore' },
      { guard: 'overtaken', actions: 'overtake' },
    ],
    RELEASE: [{ guard: 'open', actions: 'release' }, { guard: 'closed' }, { actions: 'bar' }],
  },
  states: {
    absent: {
      on: { CREATE: { target: 'claiming', actions: 'describe' } },
    },
    claiming: {
      meta: { ask: 'RESERVE' },
      on: {
        HELD: { target: 'kept.active' },
        REFUSED: { target: 'rejected', actions: { type: 'reject', params: { code: 'ALREADY_EXISTS' } } },
      },
    },
    rejected: {},
    kept: {
      initial: 'active',
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'refuseInactive' }],
        CAPTURE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'refuseInactive' }],
        UPDATE: { actions: 'update' },
        ACTIVATE: { target: 'kept.active', actions: 'update' },
        FREEZE: { target: 'kept.frozen', actions: 'update' },
        ARCHIVE: { target: 'kept.archived', actions: 'update' },
        FUND: [
          { guard: 'overflows', actions: { type: 'reject', params: { code: 'INVALID_AMOUNT' } } },
          { actions: 'fund' },
        ],
        DELETE: [
          { guard: 'holds', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { target: 'unclaiming' },
        ],
      },
      states: {
        active: {
          on: {
            RESERVE: [{ guard: 'answered' }, { guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
            CAPTURE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'capture' }],
          },
        },
        frozen: {},
        archived: {},
      },
    },
    unclaiming: {
      meta: { ask: 'RELEASE' },
      on: { RELEASED: { target: 'deleted' } },
    },
    deleted: {
      on: {
        RESERVE: [{ guard: 'answered' }, { actions: 'refuseInactive' }],
        CAPTURE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'refuseInactive' }],
      },
    },
  },
})
