// A card assigned to an agent: the gate that lets the agent pay with it within limits, hours, days and merchant
// categories. It owns the sums of what this agent pays with this card.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { Violation } from '../src/domain/outcomes/violation.js'
import { assignmentViolations, CARD_UNASSIGNED, type CardAssignmentTerms } from '../src/domain/parties/card.js'
import { gateTime, type GateMessage } from '../src/domain/limits/gate.js'
import { sumsBeside, sumsCaptured, sumsHeld, sumsReleased, type SumsContext } from '../src/domain/limits/sumsGate.js'
import { listed, listOf, sublist, type List, type Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'

export interface CardAssignmentContext extends SumsContext {
  id: string
  agentId: string
  cardId: string
  createdAt: number
  updatedAt: number
  order: number
  terms: CardAssignmentTerms
}

/** `sums` and `clock` are what a removed assignment of the same pair has spent, and its clock. */
type Created = Pick<CardAssignmentContext, 'id' | 'agentId' | 'cardId' | 'order' | 'terms'> &
  Partial<Pick<CardAssignmentContext, 'sums' | 'clock'>>

export type CardAssignmentEvent =
  GateMessage | { type: 'CREATE'; now: number; organization: string; fields: Created } | { type: 'REVOKE'; now: number }

function objections(context: CardAssignmentContext, message: GateMessage): Violation[] {
  const spending = { amount: message.amount, now: gateTime(context, message) }
  return assignmentViolations(context.terms, sumsBeside(context), message.terms?.['category'], spending)
}

/** `only` those that are not removed. */
export function cardAssignmentsOf(agentId: string, only?: 'active'): List<'cardAssignment'> {
  return sublist(listOf(`card-assignments/${agentId}`), only)
}

export function assignmentsOfCard(cardId: string): List<'cardAssignment'> {
  return listOf(`assignments-of-card/${cardId}`)
}

export function cardAssignmentListing({ context }: { context: CardAssignmentContext }, { status }: Meta): Listing {
  const { agentId, cardId } = context
  const all = [cardAssignmentsOf(agentId), assignmentsOfCard(cardId)]
  return listed(...all, ...(status === 'ACTIVE' ? [cardAssignmentsOf(agentId, 'active')] : []))
}

export const cardAssignment = setup({
  types: { context: {} as CardAssignmentContext, events: {} as CardAssignmentEvent },
  guards: { allows: ({ context, event }) => objections(context, event as GateMessage).length === 0 },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, fields } = event as CardAssignmentEvent & { type: 'CREATE' }
      return { ...fields, organization, clock: Math.max(now, fields.clock ?? 0), createdAt: now, updatedAt: now }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event as GateMessage) })),
    refuseRevoked: assign({ violations: [CARD_UNASSIGNED] }),
    hold: assign(({ context, event }) => sumsHeld(context, event as GateMessage, context.terms.timezone)),
    capture: assign(({ context, event }) => sumsCaptured(context, event as GateMessage, context.terms.timezone)),
    release: assign(({ context }) => sumsReleased(context)),
  },
}).createMachine({
  id: 'cardAssignment',
  context: {
    id: '',
    organization: '',
    agentId: '',
    cardId: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    terms: {
      spendLimitPerTx: 0,
      spendLimitDaily: 0,
      allowedHoursStart: 0,
      allowedHoursEnd: 24,
      allowedDays: [],
      blockedCategories: [],
      timezone: 'UTC',
    },
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
        REVOKE: { target: 'revoked', actions: 'touch' },
      },
    },
    revoked: {
      meta: { status: 'REVOKED' },
      on: {
        RESERVE: { actions: 'refuseRevoked' },
        CAPTURE: { actions: 'refuseRevoked' },
        REVOKE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
      },
    },
  },
})
