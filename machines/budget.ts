// A budget: the gate that owns the sums of all agents under one policy. It opens with what they had spent before; those
// who join later bring what they have spent.
import { assign, setup } from 'xstate'
import type { GateMessage } from '../src/domain/limits/gate.js'
import {
  captured,
  held,
  joinsIn,
  objections,
  released,
  restored,
  tallyGuards,
  type TallyContext,
} from '../src/domain/limits/tallyGate.js'

export interface BudgetContext extends TallyContext {
  joins: number
}

/** The joins that the tally covers after this ask. */
const joined = ({ joins }: BudgetContext, event: GateMessage): { joins: number } => ({
  joins: Math.max(joins, joinsIn(event)),
})

export const budget = setup({
  types: { context: {} as BudgetContext, events: {} as GateMessage },
  guards: tallyGuards,
  actions: {
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    hold: assign(({ context, event }) => {
      const { organization } = event
      return { organization, ...held(context, event), ...joined(context, event) }
    }),
    capture: assign(({ context, event }) => ({ ...captured(context, event), ...joined(context, event) })),
    restore: assign(({ context }) => restored(context)),
    release: assign(({ context }) => released(context)),
  },
}).createMachine({
  id: 'budget',
  context: {
    organization: '',
    tally: null,
    joins: 0,
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'kept',
  states: {
    kept: {
      on: {
        RESERVE: [{ guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
        CAPTURE: [{ guard: 'allows', actions: 'capture' }, { actions: 'refuse' }],
        SETTLE: { actions: 'capture' },
        RESTORE: [{ guard: 'allows', actions: 'restore' }, { actions: 'refuse' }],
        RELEASE: { actions: 'release' },
      },
    },
  },
})
