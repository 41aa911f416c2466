// Which policies apply to an agent that pays from a wallet, and under which hash they stand together.
import type { PolicySnapshot } from '../../rules/policy.js'
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/gate.js'
import { policyContext, rulesHash } from './policies.js'
import type { Services } from './ports.js'

/** A policy as the rules see it. */
export function snapshotOf(actor: Actor): PolicySnapshot {
  const { id, version, definition } = policyContext(actor)
  const { name, priority, rules } = definition
  return { id, version, name, priority, contentHash: rulesHash(rules), rules }
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
