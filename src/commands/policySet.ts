// Which policies apply to an agent that pays from a wallet, and under which hash they stand together.
import { compilePolicySet, type PolicySnapshot } from '../../rules/compile.js'
import type { Rule } from '../../rules/rule.js'
import type { Actor } from '../actor/actor.js'
import type { PolicyDefinition } from '../domain/policy.js'
import type { Ref } from '../domain/gate.js'
import { policyContext, rulesHash } from './policies.js'
import { organizationContext } from './organizations.js'
import type { Caller, Services } from './ports.js'

/** One version of a policy as the rules see it: what is stored was checked when it was written. */
export function snapshot(id: string, version: number, { name, priority, rules }: PolicyDefinition): PolicySnapshot {
  return { id, version, name, priority, contentHash: rulesHash(rules), rules: rules as Rule[] }
}

/** A policy as the rules see it now. */
export function snapshotOf(actor: Actor): PolicySnapshot {
  const { id, version, definition } = policyContext(actor)
  return snapshot(id, version, definition)
}

/** The active policies of the organization, the agent and the wallet, each once. */
export async function applicablePolicies(
  { host, query }: Services,
  organization: string,
  agentId: string,
  walletId: string,
): Promise<Actor[]> {
  const refs = new Set<Ref>([
    ...query.refs(`organization-policies/${organization}`),
    ...query.refs(`agent-policies/${agentId}`),
    ...query.refs(`wallet-policies/${walletId}`),
  ])
  const actors = await host.peek([...refs])
  return actors.filter((actor): actor is Actor => actor?.state === 'kept' && policyContext(actor).definition.isActive)
}

/** A policy as the plain json-rules-engine evaluates it: its rules, and the facts that have to be given to them. */
export async function compiledPolicy({ host }: Services, { principal }: Caller, policy: Actor) {
  const [organization] = await host.read([`organization/${principal.organization}`])
  const { timezone } = organizationContext(organization!).fields
  const { id, version, contentHash, ...rest } = snapshotOf(policy)
  const { rules, needs } = compilePolicySet([{ id, version, contentHash, ...rest }], timezone)
  return { id, version, contentHash, facts: needs, rules }
}
