// What pages show of a policy besides its rules.
import { plural } from '../format/money.js'
import type { Answer } from '../api.js'
import type { Rule } from './ruleTypes.js'

export type Policy = Answer<'POST /api/policies'>
/** The content of a version. */
export type Definition = Omit<Answer<'GET /api/policies/{policyId}/versions/{version}'>['snapshot'], 'rules'> & {
  rules: Rule[]
}

export function appliesTo({ scope, assignments: { agents, wallets } }: Pick<Policy, 'scope' | 'assignments'>): string {
  if (scope === 'organization') return 'All agents'
  const parts = [
    agents.length > 0 && plural(agents.length, 'agent'),
    wallets.length > 0 && plural(wallets.length, 'wallet'),
  ]
  return parts.filter(Boolean).join(', ') || 'Unassigned'
}
