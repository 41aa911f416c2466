// Summaries of the policies that apply to an agent.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { listPoliciesOf } from '../../../commands/payments/policySet.js'
import type { Caller, Services } from '../../../commands/ports.js'
import { POLICY_TYPES } from '../../../domain/parties/policy.js'
import { recordSchema } from '../../input/schemas.js'

export const policySummarySchema = recordSchema('PolicySummary', {
  id: v.string(),
  name: v.string(),
  policyType: v.picklist(POLICY_TYPES),
  priority: v.number(),
  isActive: v.boolean(),
})

export function policySummary(policy: Actor<'policy'>): v.InferOutput<typeof policySummarySchema> {
  const { id, definition } = policy.context
  const { name, policyType, priority, isActive } = definition
  return { id, name, policyType, priority, isActive }
}

/** The policies of the organization, the agent and its wallets, the highest priority first. */
export async function policySummaries(
  services: Services,
  caller: Caller,
  agentId: string,
): Promise<v.InferOutput<typeof policySummarySchema>[]> {
  const all = await listPoliciesOf(services, caller, agentId, { limit: Infinity, offset: 0 })
  const priorityOf = (policy: Actor<'policy'>): number => policy.context.definition.priority
  return all!.actors.toSorted((a, b) => priorityOf(b) - priorityOf(a)).map(policySummary)
}
