// A budget: the gate that owns the sums of all agents under one policy. It opens with what they had spent before.
import { assign, setup } from 'xstate'
import { gateGuards, gateTime, releasedEntry, restoredEntry, type GateMessage } from '../src/domain/gate.js'
import {
  captured,
  forfeited,
  held,
  objections,
  released,
  restored,
  tallyFor,
  tallyGuards,
  type TallyContext,
} from '../src/domain/tallyGate.js'

export type BudgetContext = TallyContext

export const budget = setup({
  types: { context: {} as BudgetContext, events: {} as GateMessage },
  guards: { ...gateGuards, ...tallyGuards },
  actions: {
    open: assign(({ context, event }) => {
      return { organization: event.organization, tally: tallyFor(context, event), clock: gateTime(context, event) }
    }),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    hold: assign(({ context, event }) => held(context, event)),
    capture: assign(({ context, event }) => captured(context, event)),
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
