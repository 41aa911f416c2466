// Keys: making, listing, revoking and authenticating them.
import type { Actor } from '../actor/actor.js'
import { deliver } from '../actor/host.js'
import type { Unchanged } from '../actor/host.js'
import type { Page, Paging } from '../actor/query.js'
import type { KeyFields } from '../../machines/key.js'
import { newId } from '../domain/ids.js'
import { mintKey, parseKey, type KeyKind } from '../domain/keys.js'
import { identityOf, type Identity, type Principal } from '../domain/principal.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { AGENT_SCOPES, PRESETS, type AgentScope, type ScopePreset } from '../domain/scopes.js'
import { find, isVisible, outcome, send, sendIf, type Done } from './send.js'
import { keyContext } from './contexts.js'
import { activeMember } from './members.js'
import { oneByOne } from '../actor/oneByOne.js'
import type { Caller, Services } from './ports.js'

const DAY_MS = 86_400_000
const MAX_LIVE_KEYS = 20

/** A new key with its secret, which is shown this once. */
export type Minted = Done & { secret: string }

interface NewKey {
  type: KeyFields['type']
  name: string
  agentId: string | null
  scopes: readonly string[]
  expiresInDays: number | undefined
}

const KINDS: Record<KeyFields['type'], KeyKind> = { ORGANIZATION_KEY: 'organization', AGENT_KEY: 'agent' }

/** Stores a key by its hash alone; that of an agent only while the agent is there. */
export async function storeKey(
  services: Services,
  caller: Caller,
  given: NewKey,
  secret: string,
): Promise<Minted | Refused> {
  const id = newId(services.random)
  const { type, name, agentId, scopes, expiresInDays } = given
  const fields: KeyFields = {
    type,
    name,
    agentId,
    scopes: [...scopes],
    hash: services.hashKey(secret),
    keyPrefix: parseKey(secret)!.prefix,
    createdBy: caller.principal.id,
    countsAs: makerOf(caller),
  }
  const livesMs = expiresInDays === undefined ? null : expiresInDays * DAY_MS
  const created = { id, fields, livesMs, order: services.nextOrder() }
  // A deletion that comes first has looked for keys to revoke, and would miss this one.
  const isThere: Unchanged = (view) =>
    agentId === null || isVisible(view(`agent/${agentId}`), caller.principal.organization)
  const reply = await sendIf(services, caller, isThere, `key/${id}`, 'CREATE', created)
  if (!reply) return refuse('NOT_FOUND', `There is no agent ${agentId}`)
  const made = outcome(reply)
  return made.ok ? { ...made, secret } : made
}

/** The identity that a new key counts as: its maker's. Null for an organization's first key, which counts as itself. */
function makerOf({ principal }: Caller): Identity | null {
  return principal.type === 'OPERATOR' ? null : identityOf(principal)
}

function mint(services: Services, caller: Caller, given: NewKey): Promise<Minted | Refused> {
  return storeKey(services, caller, given, mintKey(KINDS[given.type], services.random))
}

export function createOrganizationKey(
  services: Services,
  caller: Caller,
  given: { name: string; scopePreset: ScopePreset; expiresInDays?: number | undefined },
): Promise<Minted | Refused> {
  const { name, scopePreset, expiresInDays } = given
  const scopes = PRESETS[scopePreset]
  return mint(services, caller, { type: 'ORGANIZATION_KEY', name, agentId: null, scopes, expiresInDays })
}

/** Serializes the making of keys by agent: made at once, they would all be counted before any of them exists. */
const inTurn = oneByOne()

export function createAgentKey(
  services: Services,
  caller: Caller,
  agentId: string,
  { name, expiresInDays, scopes = AGENT_SCOPES }: NewAgentKey,
): Promise<Minted | Refused> {
  return inTurn(agentId, async () => {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
    const keys = await services.query.all(`agent-keys/${agentId}`)
    if (keys.filter((key) => keyStatus(key, services.now()) === 'ACTIVE').length >= MAX_LIVE_KEYS) {
      return refuse('LIMIT_REACHED', `An agent has at most ${MAX_LIVE_KEYS} live keys: revoke one first`)
    }
    return mint(services, caller, { type: 'AGENT_KEY', name, agentId, scopes, expiresInDays })
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
): Promise<Page | undefined | Refused> {
  const agent = await find(services, caller, 'agent', agentId)
  return agent.ok ? services.query.page({ ...paging, list: `agent-keys/${agentId}` }) : agent
}

export function listOrganizationKeys(services: Services, caller: Caller, paging: Paging): Promise<Page | undefined> {
  return services.query.page({ ...paging, list: `keys/${caller.principal.organization}` })
}

/** Revokes a key from the next request on. `agentId` null means an organization key. */
export async function revokeKey(
  services: Services,
  caller: Caller,
  agentId: string | null,
  keyId: string,
): Promise<Done | Refused> {
  const missing = refuse('NOT_FOUND', `There is no key ${keyId}`)
  const found = await find(services, caller, 'key', keyId)
  if (!found.ok || keyContext(found.actor).fields.agentId !== agentId) return missing
  const reply = outcome(await send(services, caller, found.actor.ref, 'REVOKE'))
  return reply.ok ? reply : missing
}

export type KeyStatus = 'ACTIVE' | 'REVOKED' | 'EXPIRED'

/** A key ends at its expiry, whether or not its timer has fired. */
export function keyStatus(actor: Actor, now: number): KeyStatus {
  const { expiresAt } = keyContext(actor)
  if (actor.state === 'revoked') return 'REVOKED'
  return actor.state === 'expired' || (expiresAt !== null && expiresAt <= now) ? 'EXPIRED' : 'ACTIVE'
}

/** The principal of a presented key; undefined for every reason why it is not valid. */
export function authenticate(services: Services, bearer: string): Principal | undefined {
  const parsed = parseKey(bearer)
  const ref = parsed && services.query.lookup(`key/${services.hashKey(bearer)}`)
  if (!ref) return undefined
  const actor = services.host.peek(ref)
  const principal = actor && principalOfKey(services, actor)
  if (principal) noteUse(services, actor)
  return principal
}

/** The principal of a stored key; undefined when the key has ended. */
export function principalOfKey(services: Services, actor: Actor): Principal | undefined {
  if (keyStatus(actor, services.now()) !== 'ACTIVE') return undefined
  const { organization, fields } = keyContext(actor)
  if (fields.agentId !== null) {
    const agent = services.host.peek(`agent/${fields.agentId}`)
    if (!isVisible(agent, organization)) return undefined
  }
  const { countsAs } = fields
  const ofPerson = fields.agentId === null && countsAs?.type === 'PERSON'
  if (!ofPerson) return byItself(actor)
  const person = activeMember(services, countsAs.id)
  if (!person) return undefined
  // A person's key has no more scopes than that person today.
  const scopes = fields.scopes.filter((scope) => person.scopes.includes(scope))
  return { ...byItself(actor), scopes, isOwner: person.isOwner === true }
}

/** Principals by key actor, before the limits of a person apply. The actor is a new object after every change. */
const principals = new WeakMap<Actor, Principal>()

function byItself(actor: Actor): Principal {
  const known = principals.get(actor)
  if (known) return known
  const { id, organization, fields, expiresAt } = keyContext(actor)
  const { type, name, keyPrefix, agentId, scopes, countsAs } = fields
  const principal: Principal = {
    type,
    id,
    name,
    keyPrefix,
    organization,
    ...(agentId !== null && { agent: agentId }),
    scopes,
    isOwner: agentId === null,
    ...(countsAs && { countsAs }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  }
  principals.set(actor, principal)
  return principal
}

const MINUTE_MS = 60_000

/** Stores `lastUsedAt`, to the minute, in the background; a failure does not fail the request. */
function noteUse(services: Services, actor: Actor): void {
  const { id, organization, usedAt } = keyContext(actor)
  const now = services.now()
  if (usedAt !== null && now - usedAt < MINUTE_MS) return
  const by = { type: 'SYSTEM', id }
  deliver(services.host, by, actor.ref, { type: 'USE', now, organization }).catch(() => {})
}
