// Which policies apply to an agent that pays from a wallet, and under which hash they stand together.
import { compilePolicySet, type PolicySnapshot } from '../../rules/compile.js'
import type { Condition } from '../../rules/condition.js'
import { isAmountFact } from '../../rules/facts.js'
import type { Rule } from '../../rules/rule.js'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import type { Page, PageQuery } from '../actor/query.js'
import type { PolicyDefinition } from '../domain/policy.js'
import type { Ref } from '../domain/gate.js'
import { toNumber, type Micros } from '../domain/money.js'
import { policyContext, rulesHash } from './policies.js'
import { organizationContext } from './organizations.js'
import type { Caller, Services } from './ports.js'

/** One version of a policy as the rules see it: what is stored was checked when it was written. */
export function snapshot(id: string, version: number, { name, priority, rules }: PolicyDefinition): PolicySnapshot {
  return { id, version, name, priority, contentHash: rulesHash(rules), rules: rules as Rule[] }
}

const snapshots = new WeakMap<Actor, PolicySnapshot>()

/** A policy as the rules see it now. */
export function snapshotOf(actor: Actor): PolicySnapshot {
  let known = snapshots.get(actor)
  if (known === undefined) {
    const { id, version, definition } = policyContext(actor)
    known = snapshot(id, version, definition)
    snapshots.set(actor, known)
  }
  return known
}

/** The policies of the organization, the agent and the wallet, each once, those that are switched off too. */
export async function policiesOn(
  services: Services,
  organization: string,
  agentId: string,
  walletId: string,
): Promise<Actor[]> {
  const actors = await services.host.peek(refsOn(services, organization, agentId, [walletId]))
  return actors.filter(isKept)
}

type SetVersion = Pick<PolicySnapshot, 'id' | 'version'>

const isKept = (actor: Actor | undefined): actor is Actor => actor?.state === 'kept'

/** The same policies decide, in the same versions. */
export function sameDecide(
  services: Services,
  view: View,
  { organization, agentId, walletId }: { organization: string; agentId: string; walletId: string },
  decided: readonly PolicySnapshot[],
): boolean {
  const actors = refsOn(services, organization, agentId, [walletId]).map(view)
  const now = actors.filter(isKept).filter(isActive).map(policyContext)
  const isSame = ({ id, version }: SetVersion, at: number): boolean => decided[at]!.id === id && decided[at]!.version === version
  return now.length === decided.length && now.every(isSame)
}

function refsOn({ query }: Services, organization: string, agentId: string, walletIds: readonly string[]): Ref[] {
  const lists = [
    `organization-policies/${organization}`,
    `agent-policies/${agentId}`,
    ...walletIds.map((walletId) => `wallet-policies/${walletId}`),
  ]
  return [...new Set(lists.flatMap((list) => query.refs(list)))]
}

/** A page of the policies that apply to the agent, whichever of its wallets it pays from, newest first. */
export async function listPoliciesOf(
  services: Services,
  { principal }: Caller,
  agentId: string,
  query: Omit<PageQuery, 'list'>,
): Promise<Page | undefined> {
  const delegations = await services.query.all(`delegations/${agentId}`)
  const active = delegations.filter(({ state }) => state === 'active')
  const walletIds = active.map(({ context }) => String(context['walletId']))
  return services.query.among(refsOn(services, principal.organization, agentId, walletIds), query)
}

/** True for a policy that decides. */
export function isActive(policy: Actor): boolean {
  return policyContext(policy).definition.isActive
}

/**
 * A policy as the plain json-rules-engine evaluates it: its rules, and the facts that have to be given to them as a
 * payment's trace shows them, amounts as numbers.
 */
export async function compiledPolicy({ host }: Services, { principal }: Caller, policy: Actor) {
  const [organization] = await host.read([`organization/${principal.organization}`])
  const { timezone } = organizationContext(organization!).fields
  const { id, version, contentHash, ...rest } = snapshotOf(policy)
  const { rules, needs } = compilePolicySet([{ id, version, contentHash, ...rest }], timezone)
  const shown = rules.map((rule) => ({ ...rule, conditions: shownCondition(rule.conditions) }))
  return { id, version, contentHash, facts: needs, rules: shown }
}

function shownCondition(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(shownCondition) }
  if ('any' in condition) return { any: condition.any.map(shownCondition) }
  if ('not' in condition) return { not: shownCondition(condition.not) }
  const { fact, value } = condition
  return isAmountFact(fact) ? { ...condition, value: toNumber(value as Micros) } : condition
}
