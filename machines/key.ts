// A key: a caller's credential. Only its keyed hash is stored. It ends by revocation or by its expiry. One of type OAUTH is
// what a client was granted: its credentials are tokens that come and go.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listsOfMaker, type Identity } from '../src/domain/access/principal.js'
import {
  isUsable,
  lastEnd,
  withConsumed,
  withToken,
  type OAuthGrant,
  type OAuthToken,
} from '../src/domain/access/oauth.js'
import type { ScopePreset } from '../src/domain/access/scopes.js'
import { listed, listOf, lookUpOf, type List, type Listing, type LookUp } from '../src/domain/values/lists.js'

export interface KeyFields {
  type: 'ORGANIZATION_KEY' | 'AGENT_KEY' | 'OAUTH'
  /** Of an OAUTH key, what the client calls itself. */
  name: string
  /** HMAC-SHA256 of the key, hex; empty for an OAUTH key, which has tokens. */
  hash: string
  keyPrefix: string
  agentId: string | null
  /** Null where `scopes` says what it may do. */
  scopePreset: ScopePreset | null
  /** Empty with a preset, which means what it means today. */
  scopes: string[]
  /** The key, person or operator that made it. */
  createdBy: Identity
  /** The person or key that its actions are attributed to; null when that is itself. */
  countsAs: Identity | null
  /**
   * The member without whom it opens nothing; null for agent keys that are not OAUTH, and for the first key and the keys
   * made with it.
   */
  memberId: string | null
}

export interface KeyContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  fields: KeyFields
  /** Epoch ms; null when it never expires. */
  expiresAt: number | null
  /** Epoch ms, to the minute; null until it is used. */
  usedAt: number | null
  /** Only of OAUTH keys. */
  oauth: OAuthGrant | null
}

export type KeyEvent =
  | {
      type: 'CREATE'
      now: number
      organization: string
      id: string
      order: number
      fields: KeyFields
      /** Null for a key that never expires. */
      livesMs: number | null
      oauth?: OAuthGrant
    }
  | { type: 'ISSUE'; now: number; token: OAuthToken }
  | { type: 'CONSUME'; now: number; hash: string }
  /** REUSED: a token came a second time, so somebody else has it. */
  | { type: 'REVOKE' | 'REUSED' | 'USE' | 'WAKE'; now: number }

export function organizationKeysOf(organization: string): List<'key'> {
  return listOf(`keys/${organization}`)
}

export function agentKeysOf(agentId: string): List<'key'> {
  return listOf(`agent-keys/${agentId}`)
}

/** `hash` is that of the key, of a token, or of what all refresh tokens of a key begin with. */
export function keyNamed(hash: string): LookUp<'key'> {
  return lookUpOf(`key/${hash}`)
}

/** The live keys of a client; `client` is the SHA-256 of its id. */
export function grantsOfClient(client: string): List<'key'> {
  return listOf(`oauth-grants/${client}`)
}

export function keyListing({ state, context }: { state: string; context: KeyContext }): Listing {
  const { organization, fields, oauth } = context
  const { agentId, hash, createdBy } = fields
  const keys = agentId === null ? organizationKeysOf(organization) : agentKeysOf(agentId)
  if (oauth !== null) {
    const lists = listed(keys, ...listsOfMaker(createdBy))
    if (state !== 'active') return lists
    const hashes = oauth.tokens.flatMap(({ hash: own, family }) => (family === undefined ? [own] : [own, family]))
    return { ...listed(...lists.lists, grantsOfClient(oauth.client)), lookups: hashes.map(keyNamed) }
  }
  return { ...listed(keys, ...listsOfMaker(createdBy)), lookups: [keyNamed(hash)] }
}

export const key = setup({
  types: { context: {} as KeyContext, events: {} as KeyEvent },
  guards: {
    due: ({ context, event }) => context.expiresAt !== null && event.now >= context.expiresAt,
    // One code for each consent.
    mayIssue: ({ context: { oauth }, event }) => {
      const { token } = event as KeyEvent & { type: 'ISSUE' }
      return oauth !== null && (token.use !== 'CODE' || oauth.tokens.length === 0)
    },
    usable: ({ context: { oauth }, event }) => {
      const { hash, now } = event as KeyEvent & { type: 'CONSUME' }
      return oauth?.tokens.some((token) => token.hash === hash && isUsable(token, now)) === true
    },
  },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, livesMs, ...described } = event as KeyEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now, expiresAt: livesMs === null ? null : now + livesMs }
    }),
    issue: assign(({ context, event }) => {
      const { token, now } = event as KeyEvent & { type: 'ISSUE' }
      const tokens = withToken(context.oauth!.tokens, token, now)
      // A code that nobody exchanges lets the consent end when it would have ended without.
      const expiresAt = token.use === 'CODE' ? context.expiresAt : lastEnd(tokens)
      return { oauth: { ...context.oauth!, tokens }, expiresAt, updatedAt: now }
    }),
    consume: assign(({ context, event }) => {
      const { hash, now } = event as KeyEvent & { type: 'CONSUME' }
      return { oauth: { ...context.oauth!, tokens: withConsumed(context.oauth!.tokens, hash) }, updatedAt: now }
    }),
    use: assign(({ event }) => ({ usedAt: event.now })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'key',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      type: 'AGENT_KEY',
      name: '',
      hash: '',
      keyPrefix: '',
      agentId: null,
      scopePreset: null,
      scopes: [],
      createdBy: { type: 'OPERATOR', id: '' },
      countsAs: null,
      memberId: null,
    },
    expiresAt: null,
    usedAt: null,
    oauth: null,
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
        ISSUE: [
          { guard: 'mayIssue', actions: 'issue' },
          { actions: { type: 'reject', params: { code: 'NOT_FOUND' } } },
        ],
        CONSUME: [
          { guard: 'usable', actions: 'consume' },
          { actions: { type: 'reject', params: { code: 'NOT_FOUND' } } },
        ],
        REVOKE: { target: 'revoked', actions: 'touch' },
        REUSED: { target: 'revoked', actions: 'touch' },
        WAKE: { guard: 'due', target: 'expired', actions: 'touch' },
      },
    },
    revoked: {
      on: { REVOKE: { actions: { type: 'reject', params: { code: 'NOT_FOUND' } } } },
    },
    expired: {
      on: { REVOKE: { target: 'revoked', actions: 'touch' } },
    },
  },
})
