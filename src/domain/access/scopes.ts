// Scopes of keys. Agent scopes open `/api/sdk/…`, organization scopes everything else.
export const AGENT_SCOPES = [
  'payments:request',
  'payments:execute',
  'payments:approve',
  'payments:confirm',
  'payments:read',
  'wallets:read',
  'transactions:read',
  'policies:read',
  'counterparties:read',
  'counterparties:write',
  'network:read',
] as const

export const ORGANIZATION_NOUNS = [
  'agents',
  'wallets',
  'policies',
  'counterparties',
  'transactions',
  'approvals',
  'webhooks',
  'alerts',
  'channels',
  'cards',
  'audit',
  'keys',
  'organization',
] as const

export type AgentScope = (typeof AGENT_SCOPES)[number]
export type OrganizationScope = `${(typeof ORGANIZATION_NOUNS)[number]}:${'read' | 'write'}`
export const SCOPE_PRESETS = ['READ_ONLY', 'STANDARD', 'ADMIN'] as const
export type ScopePreset = (typeof SCOPE_PRESETS)[number]

const reads: OrganizationScope[] = ORGANIZATION_NOUNS.map((noun) => `${noun}:read` as const)
const writes: OrganizationScope[] = ORGANIZATION_NOUNS.map((noun) => `${noun}:write` as const)
const standardNouns = ['agents', 'wallets', 'policies', 'counterparties', 'alerts'] as const
const standardWrites: OrganizationScope[] = standardNouns.map((noun) => `${noun}:write` as const)

export const PRESETS: Record<ScopePreset, OrganizationScope[]> = {
  READ_ONLY: reads,
  STANDARD: [...reads, ...standardWrites],
  ADMIN: [...reads, ...writes],
}
