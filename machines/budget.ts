// A budget: the gate that owns the sums of all agents under one policy. It begins with what they had spent before.
import { assign, setup } from 'xstate'
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
import { limitViolations } from '../src/domain/limit.js'
import {
  NO_TALLY,
  tallyAt,
  tallyReleased,
  tallyRestored,
  tallyWithCapture,
  tallyWithHold,
  tallyWithout,
  type Tally,
} from '../src/domain/tally.js'
import type { Violation } from '../src/domain/violation.js'

export interface BudgetContext extends GateContext {
  /** Null until the first reservation brings what was spent before. */
  tally: Tally | null
}

/** The tally as the ask finds it. */
function tallyFor(context: BudgetContext, { now, terms, opening }: GateMessage): Tally {
  const tally = context.tally ?? opening ?? NO_TALLY
  return tallyAt(tally, gateTime(context, { now }), terms?.['timezone'] ?? tally.timezone, undefined)
}

/** The limits that this ask would pass, not counting what the same payment holds already. */
function objections(context: BudgetContext, message: GateMessage): Violation[] {
  const { limits = [], holder, amount } = message
  const tally = tallyWithout(tallyFor(context, message), holder, context.entry)
  return limitViolations(limits, tally, amount, gateTime(context, message))
}

export const budget = setup({
  types: { context: {} as BudgetContext, events: {} as GateMessage },
  guards: {
    ...gateGuards,
    allows: ({ context, event }) => objections(context, event).length === 0,
    restorable: ({ context, event }) =>
      gateGuards.captured({ context, event }) && objections(context, event).length === 0,
  },
  actions: {
    open: assign(({ context, event }) => ({ organization: event.organization, tally: tallyFor(context, event) })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    hold: assign(({ context, event }) => {
      const clock = gateTime(context, event)
      const tally = tallyWithHold(tallyFor(context, event), event.holder, event.amount, clock)
      return { entry: heldEntry(event), tally, clock }
    }),
    capture: assign(({ context, event }) => {
      const clock = gateTime(context, event)
      const entry = capturedEntry(event, context.entry!, clock)
      return { entry, tally: tallyWithCapture(tallyFor(context, event), entry.amount), clock }
    }),
    restore: assign(({ context, event }) => ({
      entry: restoredEntry(event, context.entry!),
      tally: tallyRestored(context.tally!, context.entry!),
    })),
    forfeit: assign(({ context, event }) => {
      const violations = objections(context, event)
      const tally = tallyReleased(context.tally!, event.holder, context.entry!)
      return { entry: { ...releasedEntry(event, context.entry), violations }, violations, tally }
    }),
    overtake: assign(({ context, event }) => ({ entry: restoredEntry(event, context.entry!) })),
    release: assign(({ context, event }) => ({
      entry: releasedEntry(event, context.entry),
      tally: tallyReleased(context.tally!, event.holder, context.entry!),
    })),
    bar: assign(({ event }) => ({ organization: event.organization, entry: releasedEntry(event, null) })),
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
    RESTORE: [
      { guard: 'restorable', actions: 'restore' },
      { guard: 'captured', actions: 'forfeit' },
      { guard: 'overtaken', actions: 'overtake' },
    ],
    RELEASE: [{ guard: 'open', actions: 'release' }, { guard: 'closed' }, { actions: 'bar' }],
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
          { guard: 'captured' },
          { guard: 'barred' },
          { guard: 'allows', actions: 'capture' },
          { actions: 'refuse' },
        ],
      },
    },
  },
})
