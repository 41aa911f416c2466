// Which policies apply to an agent that pays from a wallet, and under which hash they stand together.
import { compilePolicySet, type PolicySnapshot } from '../../rules/compile.js'
import type { Condition } from '../../rules/condition.js'
import { isAmountFact } from '../../rules/facts.js'
import { countsPayments } from '../../rules/rule.js'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import type { Page, Paging } from '../actor/query.js'
import type { Ref } from '../domain/gate.js'
import { toNumber, type Micros } from '../domain/money.js'
import { organizationContext, policyContext } from './contexts.js'
import { snapshotOf } from './policySnapshot.js'
import type { Caller, Services } from './ports.js'

/** An agent of an organization, and the wallet that it pays from. */
export interface Way {
  organization: string
  agentId: string
  walletId: string
}

/** The policies of the organization, the agent and the wallet, each once. */
export interface PolicySet {
  /** Those that are switched off too. */
  kept: readonly Actor[]
  /** Those that decide, as the rules see them. */
  deciding: readonly PolicySnapshot[]
  /** One of those that decide counts payments. */
  counts: boolean
}

interface Seen extends PolicySet {
  /** Of the lists of the organization, the agent and the wallet. */
  names: readonly string[]
  lists: readonly (readonly Ref[])[]
  actors: ReadonlyMap<Ref, Actor | undefined>
}

/** What was seen on each way, for as long as the lists and the policies are the very same. */
const seen = new Map<string, Seen>()
const MOST_SEEN = 5_000

/** The policies on a way, as `view` shows them. */
export function policiesOn(services: Services, view: View, way: Way): PolicySet {
  const place = `${way.agentId} ${way.walletId}`
  const known = seen.get(place)
  if (known && isCurrent(services, known, view)) return known
  const names = namesOn(way)
  const lists = names.map((name) => services.query.refs(name))
  const actors = new Map(lists.flat().map((ref) => [ref, view(ref)]))
  const kept = [...actors.values()].filter((actor) => actor?.state === 'kept') as Actor[]
  const deciding = kept.filter(isActive).map(snapshotOf)
  const counts = deciding.some(({ rules }) => countsPayments(rules))
  const set: Seen = { names, lists, actors, kept, deciding, counts }
  if (seen.size >= MOST_SEEN) seen.clear()
  seen.set(place, set)
  return set
}

function isCurrent({ query }: Services, { names, lists, actors }: Seen, view: View): boolean {
  for (let at = 0; at < names.length; at += 1) if (query.refs(names[at]!) !== lists[at]) return false
  for (const [ref, actor] of actors) if (view(ref) !== actor) return false
  return true
}

function namesOn({ organization, agentId, walletId }: Way): string[] {
  return [`organization-policies/${organization}`, `agent-policies/${agentId}`, `wallet-policies/${walletId}`]
}

/** The same policies decide, in the same versions. */
export function sameDecide(services: Services, view: View, way: Way, decided: readonly PolicySnapshot[]): boolean {
  const now = policiesOn(services, view, way).deciding
  const isSame = ({ id, version }: PolicySnapshot, at: number): boolean =>
    decided[at]!.id === id && decided[at]!.version === version
  return now === decided || (now.length === decided.length && now.every(isSame))
}

/** A page of the policies that apply to the agent, whichever of its wallets it pays from, newest first. */
export async function listPoliciesOf(
  services: Services,
  { principal }: Caller,
  agentId: string,
  paging: Paging,
): Promise<Page | undefined> {
  const delegations = await services.query.all(`delegations/${agentId}`)
  const active = delegations.filter(({ state }) => state === 'active')
  const walletLists = active.map(({ context }) => `wallet-policies/${String(context['walletId'])}`)
  const lists = [`organization-policies/${principal.organization}`, `agent-policies/${agentId}`, ...walletLists]
  return services.query.among([...new Set(lists.flatMap((list) => services.query.refs(list)))], paging)
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
  const decided = snapshotOf(policy)
  const { id, version, contentHash } = decided
  const { rules, needs } = compilePolicySet([decided], timezone)
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
