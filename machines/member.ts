// A member: a person and their role in one organization. The e-mail address is a unique key, so that no two members
// of an organization share one. Of passwords and set-up links only hashes are stored.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listsOfMaker, type Identity } from '../src/domain/access/principal.js'
import type { Role } from '../src/domain/access/roles.js'
import { emailKey } from '../src/domain/values/email.js'
import { listed, listOf, lookUpOf, type List, type Listing, type LookUp } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'

/** A link with which the next password can be set. */
export interface SetUp {
  /** HMAC-SHA256 of the link's token, hex. */
  hash: string
  /** Epoch ms. */
  expiresAt: number
  /** The key or person that renewed it, without whose access it is over; null for the link of the invitation. */
  renewedBy: Identity | null
}

/** argon2id, in the encoded form that names its own parameters. */
export interface Password {
  hash: string
}

export interface MemberContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  email: string
  name: string | null
  role: Role
  /** The key, person or operator that invited it. */
  createdBy: Identity
  /** The member that had the address before, who is the same person; null where there was none. */
  countsAs: Identity | null
  /** A link with which a password can be set; null where there is none, or it was used. */
  setUp: SetUp | null
  /** Null until it is set. */
  password: Password | null
  /** Number of passwords so far: a session of an earlier one has ended. */
  generation: number
  /** Epoch ms; null before the first sign-in. */
  lastSignInAt: number | null
}

export type MemberEvent =
  | {
      type: 'CREATE'
      now: number
      organization: string
      id: string
      order: number
      email: string
      name: string | null
      role: Role
      createdBy: Identity
      countsAs: Identity | null
      setUp: SetUp
    }
  | { type: 'INVITE' | 'RESET_PASSWORD'; now: number; setUp: SetUp }
  /** A name and an address are given where the person whom the link invites may choose them. */
  | { type: 'SET_UP'; now: number; hash: string; password: Password; name?: string; email?: string }
  | { type: 'UPDATE'; now: number; changes: { name?: string | null; role?: Role } }
  | { type: 'CHANGE_PASSWORD' | 'REHASH'; now: number; generation: number; password: Password }
  | { type: 'USE' | 'REMOVE'; now: number }

export function membersOf(organization: string): List<'member'> {
  return listOf(`members/${organization}`)
}

/** Of all organizations. */
export function membersByEmail(email: string): List<'member'> {
  return listOf(`members-by-email/${emailKey(email)}`)
}

export function ownersOf(organization: string): List<'member'> {
  return listOf(`owners/${organization}`)
}

/** `hash` is that of the set-up link's token. */
export function setUpNamed(hash: string): LookUp<'member'> {
  return lookUpOf(`set-up/${hash}`)
}

export function memberListing({ context }: { context: MemberContext }, { gone }: Meta): Listing {
  const { organization, role, email, setUp, createdBy } = context
  const made = listsOfMaker(createdBy)
  if (gone) return listed(...made)
  const owners = role === 'OWNER' ? [ownersOf(organization)] : []
  const lookups = setUp === null ? [] : [setUpNamed(setUp.hash)]
  return { ...listed(membersOf(organization), membersByEmail(email), ...owners, ...made), lookups }
}

export const member = setup({
  types: { context: {} as MemberContext, events: {} as MemberEvent },
  guards: {
    /** The link is the latest one and has not expired. */
    linked: ({ context, event }) => {
      const { hash, now } = event as MemberEvent & { type: 'SET_UP' }
      return context.setUp !== null && context.setUp.hash === hash && now < context.setUp.expiresAt
    },
    /** The checked password is still the current one. */
    current: ({ context, event }) => (event as MemberEvent & { type: 'REHASH' }).generation === context.generation,
  },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as MemberEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now }
    }),
    link: assign(({ event }) => {
      const { setUp, now } = event as MemberEvent & { type: 'INVITE' }
      return { setUp, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as MemberEvent & { type: 'UPDATE' }
      return { name: context.name, role: context.role, ...changes, updatedAt: now }
    }),
    introduce: assign(({ context, event }) => {
      const { name, email } = event as MemberEvent & { type: 'SET_UP' }
      return { name: name ?? context.name, email: email ?? context.email }
    }),
    setPassword: assign(({ context, event }) => {
      const { password, now } = event as MemberEvent & { type: 'SET_UP' | 'CHANGE_PASSWORD' }
      return { password, generation: context.generation + 1, setUp: null, updatedAt: now }
    }),
    rehash: assign(({ event }) => ({ password: (event as MemberEvent & { type: 'REHASH' }).password })),
    signIn: assign(({ event }) => ({ lastSignInAt: event.now })),
    forget: assign(({ event }) => ({ setUp: null, password: null, updatedAt: event.now })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'member',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    email: '',
    name: null,
    role: 'VIEWER',
    createdBy: { type: 'OPERATOR', id: '' },
    countsAs: null,
    setUp: null,
    password: null,
    generation: 0,
    lastSignInAt: null,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: { meta: { gone: true }, on: { CREATE: { target: 'invited', actions: 'describe' } } },
    invited: {
      on: {
        INVITE: { actions: 'link' },
        RESET_PASSWORD: { actions: 'link' },
        UPDATE: { actions: 'update' },
        SET_UP: [
          { guard: 'linked', target: 'active', actions: ['introduce', 'setPassword'] },
          { actions: { type: 'reject', params: { code: 'AUTH_FAILED' } } },
        ],
        REMOVE: { target: 'removed', actions: 'forget' },
      },
    },
    active: {
      on: {
        RESET_PASSWORD: { actions: 'link' },
        SET_UP: [
          { guard: 'linked', actions: 'setPassword' },
          { actions: { type: 'reject', params: { code: 'AUTH_FAILED' } } },
        ],
        UPDATE: { actions: 'update' },
        CHANGE_PASSWORD: [
          { guard: 'current', actions: 'setPassword' },
          { actions: { type: 'reject', params: { code: 'AUTH_FAILED' } } },
        ],
        REHASH: [
          { guard: 'current', actions: 'rehash' },
          { actions: { type: 'reject', params: { code: 'AUTH_FAILED' } } },
        ],
        USE: { actions: 'signIn' },
        REMOVE: { target: 'removed', actions: 'forget' },
      },
    },
    removed: { meta: { gone: true } },
  },
})
