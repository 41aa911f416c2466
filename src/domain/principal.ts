// Who is asking: the holder of a key, or a person. Every command names one, and it belongs to exactly one organization.
import type { Leave } from './governance.js'

export interface Principal {
  type: 'ORGANIZATION_KEY' | 'AGENT_KEY' | 'PERSON' | 'OPERATOR'
  /** The key's or the member's id; rate limits, idempotency and the audit log name the caller by it. */
  id: string
  name: string
  keyPrefix: string
  organization: string
  /** Only on agent keys: the agent the key speaks for. */
  agent?: string
  scopes: string[]
  /** Whose deeds a key's deeds are: the person or key that made it first of all. Absent for whoever counts as itself. */
  countsAs?: Identity
  /** May do what only owners may: an owner, or a key that counts as no lesser person. */
  isOwner?: boolean
  /** Only while a change of theirs is carried out that another has approved. */
  leave?: Leave
  /** Only on people: the session they ask in. */
  session?: string
  /** ISO 8601, absent when the key never expires. */
  expiresAt?: string
}

/** A person or key by itself, without what it may do. */
export interface Identity {
  type: Principal['type']
  id: string
}

/** Whom the principal's deeds count as: two principals with one identity are the same when it comes to deciding. */
export function identityOf({ type, id, countsAs }: Principal): Identity {
  return countsAs ?? { type, id }
}
