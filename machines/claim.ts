// A claim: who owns a natural key (an agent's name, a wallet's address on a chain, a delegation's pair, the hash
// of a transfer).
// It is a gate with one place. A holder is an owner's id and a word of its own, so that an owner may come back for it.
import { assign, setup } from 'xstate'
import { capturedEntry, gateGuards, gateTime, heldEntry, releasedEntry, type GateContext, type GateMessage } from '../src/domain/gate.js'

export interface ClaimContext extends GateContext {
  /** The holder that has the key; null when it is free. */
  owner: string | null
  /** The key in words, for people who look at the store. */
  key: string
}

export const claim = setup({
  types: { context: {} as ClaimContext, events: {} as GateMessage },
  guards: {
    ...gateGuards,
    owned: ({ context, event }) => context.owner === event.holder,
  },
  actions: {
    hold: assign(({ event }) => ({
      organization: event.organization,
      owner: event.holder,
      key: event.terms?.['key'] ?? '',
      entry: heldEntry(event),
    })),
    /** It is never given back: nobody releases what was settled. */
    settle: assign(({ context, event }) => {
      const clock = gateTime(context, event)
      return { entry: capturedEntry(event, context.entry!, clock), clock }
    }),
    release: assign(({ context, event }) => ({ owner: null, entry: releasedEntry(event, context.entry) })),
    bar: assign(({ event }) => ({ organization: event.organization, entry: releasedEntry(event, null) })),
  },
}).createMachine({
  id: 'claim',
  context: {
    organization: '',
    owner: null,
    key: '',
    clock: 0,
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'free',
  states: {
    free: {
      on: {
        RESERVE: [{ guard: 'answered' }, { target: 'taken', actions: 'hold' }],
        RELEASE: [{ guard: 'closed' }, { actions: 'bar' }],
      },
    },
    taken: {
      on: {
        SETTLE: [{ guard: 'captured' }, { guard: 'barred' }, { actions: 'settle' }],
        RELEASE: [
          { guard: 'owned', target: 'free', actions: 'release' },
          { guard: 'closed' },
          { actions: 'bar' },
        ],
      },
    },
  },
})
