// Who is asking: the holder of a key. Every command names one, and it belongs to exactly one organization.
export interface Principal {
  type: 'ORGANIZATION_KEY' | 'AGENT_KEY' | 'OPERATOR'
  /** The key's id; rate limits, idempotency and the audit log name the caller by it. */
  id: string
  name: string
  keyPrefix: string
  organization: string
  /** Only on agent keys: the agent the key speaks for. */
  agent?: string
  scopes: string[]
  /** ISO 8601, absent when the key never expires. */
  expiresAt?: string
}
