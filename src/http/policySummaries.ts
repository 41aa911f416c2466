// The policies that apply to an agent, in short.
import * as v from 'valibot'
import { policyContext } from '../commands/policies.js'
import type { Caller, Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import type { Ref } from '../domain/gate.js'
import { POLICY_TYPES } from '../domain/policy.js'

export const policySummarySchema = v.object({
  id: v.string(),
  name: v.string(),
  policyType: v.picklist(POLICY_TYPES),
  priority: v.number(),
  isActive: v.boolean(),
})

/** Those of the organization and those assigned to the agent, the highest priority first. */
export async function policySummaries(services: Services, { principal }: Caller, agentId: string): Promise<Json[]> {
  const { query, host } = services
  const refs = new Set<Ref>([
    ...query.refs(`organization-policies/${principal.organization}`),
    ...query.refs(`agent-policies/${agentId}`),
  ])
  const policies = (await host.read([...refs])).filter((actor) => actor?.state === 'kept')
  return policies
    .map((actor) => policyContext(actor!))
    .sort((a, b) => b.definition.priority - a.definition.priority)
    .map(({ id, definition: { name, policyType, priority, isActive } }) => ({
      id,
      name,
      policyType,
      priority,
      isActive,
    }))
}
