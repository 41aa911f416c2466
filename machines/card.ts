// A card of the organization: the gate with the sum of what all agents pay with it. Only the payment that made a hold
// ends it, and what the card was charged with counts in every state.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { Violation } from '../src/domain/outcomes/violation.js'
import { CARD_NOT_ACTIVE, cardViolations, type CardFields } from '../src/domain/parties/card.js'
import { gateTime, type GateMessage } from '../src/domain/limits/gate.js'
import { sumsMoved } from '../src/domain/limits/sums.js'
import { sumsBeside, sumsCaptured, sumsHeld, sumsReleased, type SumsContext } from '../src/domain/limits/sumsGate.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface CardContext extends SumsContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  fields: CardFields
  /** The zone of the sums' days: the organization's at the last reservation. */
  timezone: string
}

export type CardEvent =
  | GateMessage
  | {
      type: 'CREATE'
      now: number
      organization: string
      id: string
      order: number
      fields: CardFields
      timezone: string
    }
  | { type: 'UPDATE' | 'ACTIVATE' | 'PAUSE' | 'CANCEL'; now: number; changes?: Partial<CardFields> }

export function cardsOf(organization: string): List<'card'> {
  return listOf(`cards/${organization}`)
}

export function cardListing({ context }: { context: CardContext }): Listing {
  return listed(cardsOf(context.organization))
}

/** A payment's facts are as old as its request: asks after RESERVE must not bring back a former time zone. */
function zoneOf({ timezone }: CardContext, { type, terms }: GateMessage): string {
  return (type === 'RESERVE' && terms?.['timezone']) || timezone
}

/** The card with its sums in the zone of the ask. */
function inZone(context: CardContext, message: GateMessage): CardContext {
  const timezone = zoneOf(context, message)
  const sums = sumsMoved(context.sums, gateTime(context, message), context.timezone, timezone)
  return { ...context, sums, timezone }
}

function objections(context: CardContext, message: GateMessage): Violation[] {
  const moved = inZone(context, message)
  const spending = { amount: message.amount, now: gateTime(context, message) }
  return cardViolations(context.fields, moved.timezone, sumsBeside(moved), spending)
}

export const card = setup({
  types: { context: {} as CardContext, events: {} as CardEvent },
  guards: { allows: ({ context, event }) => objections(context, event as GateMessage).length === 0 },
  actions: {
    describe: assign(({ event }) => {
      const { type: _type, now, ...card } = event as CardEvent & { type: 'CREATE' }
      const { id, organization, order, fields, timezone } = card
      return { id, organization, order, fields, timezone, createdAt: now, updatedAt: now, clock: now }
    }),
    update: assign(({ context, event }) => {
      const { now, changes } = event as CardEvent & { type: 'UPDATE' }
      return { fields: changes === undefined ? context.fields : { ...context.fields, ...changes }, updatedAt: now }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event as GateMessage) })),
    refuseInactive: assign({ violations: [CARD_NOT_ACTIVE] }),
    hold: assign(({ context, event }) => {
      const moved = inZone(context, event as GateMessage)
      return { ...sumsHeld(moved, event as GateMessage, moved.timezone), timezone: moved.timezone }
    }),
    capture: assign(({ context, event }) => sumsCaptured(context, event as GateMessage, context.timezone)),
    release: assign(({ context }) => sumsReleased(context)),
  },
}).createMachine({
  id: 'card',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: { name: '', provider: 'MANUAL', last4: '', brand: 'OTHER', spendLimitPerTx: 0, spendLimitDaily: 0 },
    timezone: 'UTC',
    sums: {
      held: 0,
      day: { start: 0, spent: 0 },
      week: { start: 0, spent: 0 },
      month: { start: 0, spent: 0 },
    },
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  on: { SETTLE: { actions: 'capture' }, RELEASE: { actions: 'release' } },
  states: {
    absent: { meta: { gone: true }, on: { CREATE: { target: 'active', actions: 'describe' } } },
    active: {
      meta: { status: 'ACTIVE' },
      on: {
        RESERVE: [{ guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
        CAPTURE: [{ guard: 'allows', actions: 'capture' }, { actions: 'refuse' }],
        UPDATE: { actions: 'update' },
        ACTIVATE: { actions: 'update' },
        PAUSE: { target: 'paused', actions: 'update' },
        CANCEL: { target: 'cancelled', actions: 'update' },
      },
    },
    paused: {
      meta: { status: 'PAUSED' },
      on: {
        RESERVE: { actions: 'refuseInactive' },
        CAPTURE: { actions: 'refuseInactive' },
        UPDATE: { actions: 'update' },
        ACTIVATE: { target: 'active', actions: 'update' },
        PAUSE: { actions: 'update' },
        CANCEL: { target: 'cancelled', actions: 'update' },
      },
    },
    cancelled: {
      meta: { status: 'CANCELLED' },
      on: {
        RESERVE: { actions: 'refuseInactive' },
        CAPTURE: { actions: 'refuseInactive' },
        UPDATE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        ACTIVATE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        PAUSE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        CANCEL: { actions: 'update' },
      },
    },
  },
})
