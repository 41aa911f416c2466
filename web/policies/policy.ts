// What pages show of a policy besides its rules.
import { plural } from '../format/money.js'
import { api, type Answer } from '../api.js'
import type { Policy } from '../records.js'
import type { Rule } from './ruleTypes.js'

/** The content of a version. */
export type Definition = Omit<Answer<'GET /api/policies/{policyId}/versions/{version}'>['snapshot'], 'rules'> & {
  rules: Rule[]
}

/** Without a format in the question, the answer is the policy itself. */
export const readPolicy = (policyId: string): Promise<Policy> =>
  api.call('GET /api/policies/{policyId}', { path: { policyId } }) as Promise<Policy>

export const SCOPES = [
  ['assigned', 'Assigned agents and wallets'],
  ['organization', 'All agents of the organization'],
] as const

export function appliesTo({ scope, assignments: { agents, wallets } }: Pick<Policy, 'scope' | 'assignments'>): string {
  if (scope === 'organization') return 'All agents'
  const parts = [
    agents.length > 0 && plural(agents.length, 'agent'),
    wallets.length > 0 && plural(wallets.length, 'wallet'),
  ]
  return parts.filter(Boolean).join(', ') || 'Unassigned'
}
