// Keys: making, listing, revoking and authenticating them.
import type { Actor } from '../../actor/actor.js'
import { deliver } from '../../actor/host.js'
import type { Unchanged } from '../../actor/host.js'
import type { Page, Paging } from '../../actor/query.js'
import { keyNamed, agentKeysOf, organizationKeysOf, type KeyFields } from '../../../machines/key.js'
import { mintKey, parseKey, type KeyKind } from '../../domain/access/apiKey.js'
import { grantedScopes, mcpResource, UNUSED_MS, type OAuthGrant } from '../../domain/access/oauth.js'
import { identityOf, type Identity, type Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { AGENT_SCOPES, type AgentScope, type ScopePreset } from '../../domain/access/scopes.js'
import { isToken } from '../../domain/access/sessionToken.js'
import { find, isVisible, newIdFor, outcome, sendIf } from '../send.js'
import { removeMaker, type Removal } from './descendants.js'
import { keyStatus, makerOf, principalNow, principalOfKey } from './principals.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { Caller, Services } from '../ports.js'

const DAY_MS = 86_400_000
const MAX_LIVE_KEYS = 20

/** A new key with its secret, which is shown this once. */
export interface Minted {
  actor: Actor<'key'>
  secret: string
}

interface NewKey {
  type: keyof typeof KINDS
  name: string
  agentId: string | null
  /** Null where `scopes` are given. */
  scopePreset: ScopePreset | null
  scopes: readonly string[]
  expiresInDays: number | undefined
}

const KINDS = { ORGANIZATION_KEY: 'organization', AGENT_KEY: 'agent' } as const satisfies Record<string, KeyKind>

/**
 * Stores a key by its hash alone; that of an agent only while the agent is there. `countsAs` is the identity of an
 * organization's first key.
 */
export async function storeKey(
  services: Services,
  caller: Caller,
  given: NewKey,
  secret: string,
  countsAs: Identity | null = null,
): Promise<Result<Minted, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const { expiresInDays, ...fields } = given
  const { principal } = caller
  const livesMs = expiresInDays === undefined ? null : expiresInDays * DAY_MS
  const made = await storeFields(services, caller, {
    ...fields,
    hash: services.hashKey(secret),
    keyPrefix: parseKey(secret)!.prefix,
    countsAs: principal.type === 'OPERATOR' ? countsAs : identityOf(principal),
    memberId: given.agentId === null ? (principal.memberId ?? null) : null,
    livesMs,
  })
  return made.ok ? succeed({ actor: made.value, secret }) : made
}

interface StoredKey extends Omit<KeyFields, 'createdBy' | 'scopes'> {
  scopes: readonly string[]
  livesMs: number | null
  oauth?: OAuthGrant
}

async function storeFields(
  services: Services,
  caller: Caller,
  { livesMs, oauth, ...given }: StoredKey,
): Promise<Result<Actor<'key'>, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const id = newIdFor(services, caller)
  const { principal } = caller
  const { agentId } = given
  const fields: KeyFields = { ...given, scopes: [...given.scopes], createdBy: makerOf(principal) }
  const created = { id, fields, livesMs, order: services.nextOrder(), ...(oauth && { oauth }) }
  // A removal that comes first has looked for what it takes along, and would miss this one.
  const hasAccess = (): boolean => principal.type === 'OPERATOR' || principalNow(services, principal) !== undefined
  const areThere: Unchanged = (view) =>
    hasAccess() && (agentId === null || isVisible(view(`agent/${agentId}`), principal.organization))
  const reply = await sendIf(services, caller, areThere, `key/${id}`, 'CREATE', created)
  if (!reply && !hasAccess()) return refuse('AUTH_FAILED')
  if (!reply) return refuse('NOT_FOUND', `There is no agent ${agentId}`)
  return outcome<'key', never>(reply)
}

function mint(services: Services, caller: Caller, given: NewKey): Promise<Result<Minted, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  return storeKey(services, caller, given, mintKey(KINDS[given.type], services.random))
}

export function createOrganizationKey(
  services: Services,
  caller: Caller,
  given: { name: string; scopePreset: ScopePreset; expiresInDays?: number | undefined },
): Promise<Result<Minted, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const { name, scopePreset, expiresInDays } = given
  return mint(services, caller, {
    type: 'ORGANIZATION_KEY',
    name,
    agentId: null,
    scopePreset,
    scopes: [],
    expiresInDays,
  })
}

/** Serializes the making of keys by agent: made at once, they would all be counted before any of them exists. */
const inTurn = keyedMutex()

export function createAgentKey(
  services: Services,
  caller: Caller,
  agentId: string,
  { name, expiresInDays, scopes = AGENT_SCOPES }: NewAgentKey,
): Promise<Result<Minted, 'AUTH_FAILED' | 'LIMIT_REACHED' | 'NOT_FOUND'>> {
  return withRoom(services, caller, agentId, () =>
    mint(services, caller, { type: 'AGENT_KEY', name, agentId, scopePreset: null, scopes, expiresInDays }),
  )
}

export interface Granted extends Omit<OAuthGrant, 'tokens'> {
  clientName: string
  agentId: string
  mayExecute: boolean
}

/**
 * The key of a client that the caller, a person, lets act for an agent. It ends unless the client fetches its tokens. One
 * that is known already stands for it, also where the caller consents several times at once.
 */
export function createOAuthKey(
  services: Services,
  caller: Caller,
  { clientName: name, agentId, mayExecute, ...oauth }: Granted,
  known: () => Actor<'key'> | undefined,
): Promise<Result<Actor<'key'>, 'AUTH_FAILED' | 'LIMIT_REACHED' | 'NOT_FOUND'>> {
  const { principal } = caller
  const make = () =>
    storeFields(services, caller, {
      type: 'OAUTH',
      name,
      hash: '',
      keyPrefix: '',
      agentId,
      scopePreset: null,
      scopes: grantedScopes(mayExecute),
      countsAs: identityOf(principal),
      memberId: principal.memberId!,
      livesMs: UNUSED_MS,
      oauth: { ...oauth, tokens: [] },
    })
  return withRoom(services, caller, agentId, make, known)
}

/** Makes a key of an agent that has fewer than it may have, unless it is known. */
function withRoom<Made>(
  services: Services,
  caller: Caller,
  agentId: string,
  make: () => Promise<Result<Made, 'AUTH_FAILED' | 'NOT_FOUND'>>,
  known: () => Made | undefined = () => undefined,
): Promise<Result<Made, 'AUTH_FAILED' | 'LIMIT_REACHED' | 'NOT_FOUND'>> {
  return inTurn(agentId, async () => {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
    const made = known()
    if (made !== undefined) return succeed(made)
    const keys = await services.query.all(agentKeysOf(agentId))
    if (keys.filter((key) => keyStatus(key, services.now()) === 'ACTIVE').length >= MAX_LIVE_KEYS) {
      return refuse('LIMIT_REACHED', `An agent has at most ${MAX_LIVE_KEYS} live keys: revoke one first`)
    }
    return make()
  })
}

export interface NewAgentKey {
  name: string
  expiresInDays?: number | undefined
  scopes?: readonly AgentScope[] | undefined
}

/** The keys of an agent, newest first, ended ones included. */
export async function listAgentKeys(
  services: Services,
  caller: Caller,
  agentId: string,
  paging: Paging,
): Promise<Result<Page<'key'> | undefined, 'NOT_FOUND'>> {
  const agent = await find(services, caller, 'agent', agentId)
  return agent.ok ? succeed(await services.query.page({ ...paging, list: agentKeysOf(agentId) })) : agent
}

export function listOrganizationKeys(
  services: Services,
  caller: Caller,
  paging: Paging,
): Promise<Page<'key'> | undefined> {
  return services.query.page({ ...paging, list: organizationKeysOf(caller.principal.organization) })
}

/** Revokes a key from the next request on. `agentId` null means an organization key. */
export async function revokeKey(
  services: Services,
  caller: Caller,
  { agentId, keyId, ...removal }: Removal & { agentId: string | null; keyId: string },
): Promise<Result<Actor<'key'>, 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await find(services, caller, 'key', keyId)
  if (!found.ok || found.value.context.fields.agentId !== agentId) {
    return refuse('NOT_FOUND', `There is no key ${keyId}`)
  }
  return removeMaker(services, caller, found.value, removal)
}

/** The principal of a presented key, or of a client's access token; undefined for every reason why it is not valid. */
export function authenticate(services: Services, bearer: string): Principal | undefined {
  const isOfClient = isToken(bearer)
  if (!isOfClient && !parseKey(bearer)) return undefined
  const hash = services.hashKey(bearer)
  const ref = services.query.lookup(keyNamed(hash))
  const actor = ref && services.host.peek(ref)
  if (!actor || (isOfClient && !opensResource(services, actor, hash))) return undefined
  const principal = principalOfKey(services, actor)
  if (principal) noteUse(services, actor)
  return principal
}

/** True for the hash of an access token of this key, whose audience is this service under its present address. */
function opensResource(services: Services, { context: { oauth } }: Actor<'key'>, hash: string): boolean {
  if (oauth?.resource !== mcpResource(services.publicUrl())) return false
  const token = oauth.tokens.find((one) => one.hash === hash)
  return token?.use === 'ACCESS' && token.expiresAt > services.now()
}

const MINUTE_MS = 60_000

/** Stores `lastUsedAt`, to the minute, in the background; a failure does not fail the request. */
function noteUse(services: Services, actor: Actor<'key'>): void {
  const { id, organization, usedAt } = actor.context
  const now = services.now()
  if (usedAt !== null && now - usedAt < MINUTE_MS) return
  const by = { type: 'SYSTEM', id }
  deliver(services.host, by, actor.ref, { type: 'USE', now, organization }).catch(() => {})
}
