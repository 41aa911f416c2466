// A session: a signed-in person. Only a keyed hash of its token is stored. It ends by sign-out or by expiry, and with a
// new password, because a session belongs to one password.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listed, listOf, lookUpOf, type List, type Listing, type LookUp } from '../src/domain/values/lists.js'

export interface SessionContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  memberId: string
  /** HMAC-SHA256 of the token, hex. */
  hash: string
  /** The member's generation when the session began. */
  generation: number
  /** Epoch ms. */
  expiresAt: number
  /** Epoch ms, to the minute. */
  usedAt: number
  /** What the browser said it is; null if it said nothing. */
  userAgent: string | null
}

export type SessionEvent =
  | {
      type: 'CREATE'
      now: number
      organization: string
      id: string
      order: number
      memberId: string
      hash: string
      generation: number
      expiresAt: number
      userAgent: string | null
    }
  | { type: 'USE' | 'END' | 'WAKE'; now: number }

export function sessionsOf(memberId: string): List<'session'> {
  return listOf(`sessions/${memberId}`)
}

/** `hash` is that of the session's token. */
export function sessionNamed(hash: string): LookUp<'session'> {
  return lookUpOf(`session/${hash}`)
}

export function sessionListing({ context }: { context: SessionContext }): Listing {
  return { ...listed(sessionsOf(context.memberId)), lookups: [sessionNamed(context.hash)] }
}

export const session = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent },
  guards: {
    due: ({ context, event }) => event.now >= context.expiresAt,
  },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as SessionEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now, usedAt: now }
    }),
    use: assign(({ event }) => ({ usedAt: event.now })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
  },
}).createMachine({
  id: 'session',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    memberId: '',
    hash: '',
    generation: 0,
    expiresAt: 0,
    usedAt: 0,
    userAgent: null,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: { CREATE: { target: 'active', actions: 'describe' } },
    },
    active: {
      meta: { wakeAt: 'expiresAt' },
      on: {
        USE: { actions: 'use' },
        END: { target: 'ended', actions: 'touch' },
        WAKE: { guard: 'due', target: 'ended', actions: 'touch' },
      },
    },
    ended: { meta: { gone: true } },
  },
})
