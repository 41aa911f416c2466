// The principal of a command: the holder of a key, or a person. It belongs to exactly one organization.
import type { ApprovedChange } from '../outcomes/governance.js'
import { listOf, type List } from '../values/lists.js'

export interface Principal {
  type: 'ORGANIZATION_KEY' | 'AGENT_KEY' | 'PERSON' | 'OPERATOR'
  /** The key's or the member's id, as used by rate limits, idempotency and the audit log. */
  id: string
  name: string
  keyPrefix: string
  organization: string
  /** Only on agent keys: the key's agent. */
  agent?: string
  scopes: string[]
  /**
   * The identity that its actions count as where two must not be one: for a key that of its maker, for a person who was
   * a member before that of then. Absent when it counts as itself.
   */
  countsAs?: Identity
  /**
   * The person; on an organization key, the one it belongs to, because that person or another key of theirs made it. It
   * has at most that person's rights and ends with the membership.
   */
  memberId?: string
  /** May do what only owners may: an owner, or an organization key that does not count as a lesser person. */
  isOwner?: boolean
  /** Only while an approved change of this principal is carried out. */
  approved?: ApprovedChange
  /** Only on people: their session. */
  session?: string
  /** ISO 8601, absent when the key never expires. */
  expiresAt?: string
}

/** A person or key, without its rights. */
export interface Identity {
  type: Principal['type']
  id: string
}

/** The identity that the principal's actions count as; principals with the same one decide once. */
export function identityOf({ type, id, countsAs }: Principal): Identity {
  return countsAs ?? { type, id }
}

/** What a key or a member made, for ever: what they made in turn is found through it. */
export function madeBy(id: string): List<'key' | 'member'> {
  return listOf(`made-by/${id}`)
}

/** The lists of what this one made: the operator's is kept nowhere. */
export function listsOfMaker({ type, id }: Identity): List<'key' | 'member'>[] {
  return type === 'OPERATOR' ? [] : [madeBy(id)]
}
