// A claim: the owner of a natural key (an agent's name, a wallet's address on a chain, a delegation's pair, the hash of
// a transfer). It is a gate with one place. A holder is an owner's id with a word of its own, so that an owner can
// claim a key again; a key that is TAKEN stays with its holder for ever.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import {
  capturedEntry,
  gateGuards,
  gateTime,
  heldEntry,
  releasedEntry,
  type GateContext,
  type GateMessage,
} from '../src/domain/gate.js'

export interface ClaimContext extends GateContext {
  /** The holder that has the key; null when it is free. */
  owner: string | null
  /** The key in words, for people who look at the store. */
  key: string
}

export type ClaimEvent = GateMessage | { type: 'TAKE'; now: number; organization: string; holder: string; key: string }

export const claim = setup({
  types: { context: {} as ClaimContext, events: {} as ClaimEvent },
  guards: {
    ...gateGuards,
    owned: ({ context, event }) => context.owner === event.holder,
  },
  actions: {
    hold: assign(({ event }) => {
      const message = event as GateMessage
      const { organization, holder: owner, terms } = message
      return { organization, owner, key: terms?.['key'] ?? '', entry: heldEntry(message) }
    }),
    take: assign(({ event }) => {
      const { organization, holder: owner, key } = event as ClaimEvent & { type: 'TAKE' }
      return { organization, owner, key }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    /** A settled claim is never released. */
    settle: assign(({ context, event }) => {
      const clock = gateTime(context, event)
      return { entry: capturedEntry(event as GateMessage, context.entry!, clock), clock }
    }),
    release: assign(({ context, event }) => ({
      owner: null,
      entry: releasedEntry(event as GateMessage, context.entry),
    })),
    tombstone: assign(({ event }) => ({
      organization: event.organization,
      entry: releasedEntry(event as GateMessage, null),
    })),
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
        RELEASE: [{ guard: 'closed' }, { actions: 'tombstone' }],
        TAKE: { target: 'bound', actions: 'take' },
      },
    },
    bound: {
      on: {
        TAKE: [{ guard: 'owned' }, { actions: { type: 'reject', params: { code: 'ALREADY_EXISTS' } } }],
      },
    },
    taken: {
      on: {
        SETTLE: [{ guard: 'capturedInThisAttempt' }, { guard: 'notCapturable' }, { actions: 'settle' }],
        RELEASE: [
          { guard: 'owned', target: 'free', actions: 'release' },
          { guard: 'closed' },
          { actions: 'tombstone' },
        ],
      },
    },
  },
})
