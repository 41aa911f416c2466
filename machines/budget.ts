// A budget: the gate that owns the sums of all agents under one policy. It opens with what they had spent before; those
// who join later bring what they have spent.
import { assign, setup } from 'xstate'
import { gateGuards, gateTime, releasedEntry, restoredEntry, type GateMessage } from '../src/domain/gate.js'
import {
  captured,
  forfeited,
  held,
  joinsIn,
  objections,
  released,
  restored,
  tallyFor,
  tallyGuards,
  type TallyContext,
} from '../src/domain/tallyGate.js'

export interface BudgetContext extends TallyContext {
  joins: number
}

/** The joins that the tally covers after this ask. */
const joined = ({ joins }: BudgetContext, event: GateMessage): { joins: number } => ({
  joins: Math.max(joins, joinsIn(event)),
})

export const budget = setup({
  types: { context: {} as BudgetContext, events: {} as GateMessage },
  guards: { ...gateGuards, ...tallyGuards },
  actions: {
    open: assign(({ context, event }) => {
      const { organization } = event
      return {
        organization,
        tally: tallyFor(context, event),
        clock: gateTime(context, event),
        ...joined(context, event),
      }
    }),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    hold: assign(({ context, event }) => ({ ...held(context, event), ...joined(context, event) })),
    capture: assign(({ context, event }) => ({ ...captured(context, event), ...joined(context, event) })),
    restore: assign(({ context, event }) => restored(context, event)),
    forfeit: assign(({ context, event }) => forfeited(context, event)),
    fence: assign(({ context, event }) => ({ entry: restoredEntry(event, context.entry!) })),
    release: assign(({ context, event }) => released(context, event)),
    tombstone: assign(({ event }) => ({ organization: event.organization, entry: releasedEntry(event, null) })),
  },
}).createMachine({
  id: 'budget',
  context: {
    organization: '',
    tally: null,
    joins: 0,
    clock: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'unopened',
  on: {
    SETTLE: [{ guard: 'capturedInThisAttempt' }, { guard: 'notCapturable' }, { actions: 'capture' }],
    RESTORE: [
      { guard: 'restorable', actions: 'restore' },
      { guard: 'capturedInThisAttempt', actions: 'forfeit' },
      { guard: 'heldByEarlierAttempt', actions: 'fence' },
    ],
    RELEASE: [{ guard: 'open', actions: 'release' }, { guard: 'closed' }, { actions: 'tombstone' }],
  },
  states: {
    unopened: {
      on: {
        RESERVE: [
          { guard: 'answered' },
          { guard: 'allows', target: 'opened', actions: ['open', 'hold'] },
          { target: 'opened', actions: ['open', 'refuse'] },
        ],
      },
    },
    opened: {
      on: {
        RESERVE: [{ guard: 'answered' }, { guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
        CAPTURE: [
          { guard: 'capturedInThisAttempt' },
          { guard: 'notCapturable' },
          { guard: 'allows', actions: 'capture' },
          { actions: 'refuse' },
        ],
      },
    },
  },
})
