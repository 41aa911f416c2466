// What the holder of a stored key, or a member, may do now. Rights that were taken away since are not there any more.
import type { Actor } from '../../actor/actor.js'
import type { Identity, Principal } from '../../domain/access/principal.js'
import { ROLE_SCOPES } from '../../domain/access/roles.js'
import { PRESETS } from '../../domain/access/scopes.js'
import type { KeyFields } from '../../../machines/key.js'
import type { Services } from '../ports.js'
import { isVisible } from '../send.js'

export function personOf(member: Actor<'member'>): Principal {
  const { id, organization, email, name, role, countsAs } = member.context
  return {
    type: 'PERSON',
    id,
    name: name ?? email,
    keyPrefix: '',
    organization,
    scopes: [...ROLE_SCOPES[role]],
    ...(countsAs && { countsAs }),
    memberId: id,
    isOwner: role === 'OWNER',
  }
}

/** The member as a principal; undefined without a password or after removal. */
export function activeMember(services: Services, memberId: string): Principal | undefined {
  const member = services.host.peek(`member/${memberId}`)
  return member?.state === 'active' ? personOf(member) : undefined
}

export type KeyStatus = 'ACTIVE' | 'REVOKED' | 'EXPIRED'

/** A key ends at its expiry, whether or not its timer has fired. */
export function keyStatus(actor: Actor<'key'>, now: number): KeyStatus {
  const { expiresAt } = actor.context
  if (actor.state === 'revoked') return 'REVOKED'
  return actor.state === 'expired' || (expiresAt !== null && expiresAt <= now) ? 'EXPIRED' : 'ACTIVE'
}

/** The key's scopes: a preset means what it means today, also for keys that were made before it gained a scope. */
export function scopesOf({ scopePreset, scopes }: Pick<KeyFields, 'scopePreset' | 'scopes'>): string[] {
  return scopePreset === null ? scopes : PRESETS[scopePreset]
}

/** The principal of a stored key; undefined when the key has ended. */
export function principalOfKey(services: Services, actor: Actor<'key'>): Principal | undefined {
  if (keyStatus(actor, services.now()) !== 'ACTIVE') return undefined
  const { organization, fields } = actor.context
  if (fields.agentId !== null) {
    const agent = services.host.peek(`agent/${fields.agentId}`)
    if (!isVisible(agent, organization)) return undefined
  }
  if (fields.memberId === null) return byItself(actor)
  const person = activeMember(services, fields.memberId)
  if (!person) return undefined
  // Whom a client acts for must still be somebody who may let it.
  if (fields.type === 'OAUTH') return person.scopes.includes('agents:write') ? byItself(actor) : undefined
  // A person's key has no more scopes than that person today.
  const scopes = scopesOf(fields).filter((scope) => person.scopes.includes(scope))
  return { ...byItself(actor), scopes, isOwner: person.isOwner === true }
}

/** Principals by key actor, before the limits of a person apply. The actor is a new object after every change. */
const principals = new WeakMap<Actor, Principal>()

function byItself(actor: Actor<'key'>): Principal {
  const known = principals.get(actor)
  if (known) return known
  const { id, organization, fields, expiresAt } = actor.context
  const { type, name, keyPrefix, agentId, countsAs, memberId } = fields
  const isOfClient = type === 'OAUTH'
  const principal: Principal = {
    type: isOfClient ? 'AGENT_KEY' : type,
    id,
    name,
    keyPrefix,
    organization,
    ...(agentId !== null && { agent: agentId }),
    scopes: scopesOf(fields),
    isOwner: agentId === null,
    ...(countsAs && { countsAs }),
    ...(memberId !== null && !isOfClient && { memberId }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  }
  principals.set(actor, principal)
  return principal
}

/** The principal with its present scopes; undefined once it has no access. */
export function principalNow(services: Services, { type, id }: Identity): Principal | undefined {
  if (type === 'PERSON') return activeMember(services, id)
  const key = services.host.peek(`key/${id}`)
  return key && principalOfKey(services, key)
}

/** The principal as the maker of something, in a form that can be stored. */
export function makerOf({ type, id }: Principal): Identity {
  return { type, id }
}
