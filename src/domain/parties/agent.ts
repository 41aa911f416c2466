// An agent's own fields, as an administrator writes them, and the violations of an agent that may not pay.
import type { Violation } from '../outcomes/violation.js'

export const AGENT_TYPES = ['PROVIDER_A_ASSISTANT', 'PROVIDER_B_AGENT', 'FRAMEWORK_A', 'FRAMEWORK_B', 'CUSTOM'] as const
export type AgentType = (typeof AGENT_TYPES)[number]

export const AGENT_STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'REVOKED'] as const
export type AgentStatus = (typeof AGENT_STATUSES)[number]

export function agentNotActive(status: AgentStatus | 'DELETED'): Violation {
  return { type: 'AGENT_NOT_ACTIVE', message: `The agent is ${status}` }
}

export interface AgentFields {
  agentType: AgentType
  description: string | null
  /** EIP-55 form. */
  publicKey: string
  externalId: string | null
  allowedContexts: string[]
  callbackUrl: string | null
}
