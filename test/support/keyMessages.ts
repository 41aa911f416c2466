// The messages of a key's walk: an agent key, and an OAUTH key with a few tokens, each of which is issued once.
import type { OAuthToken } from '../../src/domain/access/oauth.js'
import { fieldsOf, type Message } from '../../src/actor/actor.js'
import { message, TODAY, TOMORROW } from './gateMessages.js'
import type { World } from './walk.js'

const keyFields = {
  type: 'AGENT_KEY',
  name: 'CI',
  hash: 'ff',
  keyPrefix: 'ba_',
  agentId: 'a1',
  scopePreset: null,
  scopes: [],
  createdBy: { type: 'ORGANIZATION_KEY', id: 'k0' },
  countsAs: null,
  memberId: null,
}

const oauthFields = { ...keyFields, type: 'OAUTH', name: 'Desk', hash: '', keyPrefix: '', memberId: 'm1' }
const oauth = { client: 'cc', redirectHost: '127.0.0.1', resource: 'https://bursar.example/mcp', tokens: [] }

const commands: Message[] = [
  message('CREATE', { id: 'k1', order: 1, fields: keyFields, livesMs: TOMORROW - TODAY }),
  message('CREATE', { id: 'k1', order: 1, fields: keyFields, livesMs: null }),
  message('CREATE', { id: 'k1', order: 1, fields: oauthFields, livesMs: TOMORROW - TODAY, oauth }),
  message('USE'),
  message('REVOKE'),
  message('REUSED'),
  message('WAKE'),
  message('WAKE', { now: TOMORROW }),
]

const token = (use: OAuthToken['use'], hash: string, expiresAt = TOMORROW): OAuthToken => {
  const ofCode = use === 'CODE' ? { redirectUri: 'http://127.0.0.1/callback', challenge: 'hh', family: 'f1' } : {}
  return { use, hash, issuedAt: TODAY, expiresAt, isConsumed: false, ...ofCode }
}

const TOKENS = [
  token('CODE', 'c1', TODAY + 60_000),
  token('CODE', 'c2', TODAY + 60_000),
  token('ACCESS', 'a1', TODAY + 3_600_000),
  token('REFRESH', 'r1', TOMORROW + 3_600_000),
  token('REFRESH', 'r2', TOMORROW + 7_200_000),
]

export function keyMessages({ actor }: World): Message[] {
  const known = (actor && fieldsOf(actor)['oauth']) as { tokens: OAuthToken[] } | null | undefined
  const tokens = known?.tokens ?? []
  const fresh = TOKENS.filter(({ hash }) => !tokens.some((one) => one.hash === hash))
  const consumed = ['c1', 'r1', 'zz'].map((hash) => message('CONSUME', { hash }))
  return [
    ...commands,
    ...fresh.map((one) => message('ISSUE', { token: { ...one } })),
    ...consumed,
    message('CONSUME', { hash: 'c1', now: TODAY + 60_000 }),
  ]
}
