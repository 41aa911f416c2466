// The policies that apply to an agent paying from a wallet.
import { type List } from '../../domain/values/lists.js'
import { policiesOfCard, policiesOfWallet, policiesOfAgent, policiesOfOrganization } from '../../../machines/policy.js'
import { cardAssignmentsOf } from '../../../machines/cardAssignment.js'
import { delegationsOf } from '../../../machines/delegation.js'
import type { PolicySnapshot } from '../../../rules/compile.js'
import type { Condition } from '../../../rules/condition.js'
import { isAmountFact } from '../../../rules/facts.js'
import { countingIn } from '../../../rules/rule.js'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Page, Paging } from '../../actor/query.js'
import { widest, type Counting } from '../../domain/limits/counting.js'
import type { Ref } from '../../domain/limits/gate.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import { snapshotOf } from './policySnapshot.js'
import type { Caller, Services } from '../ports.js'

/** An agent of an organization, and the wallet or card that it pays with. */
export interface Payer {
  organization: string
  agentId: string
  /** One of them. */
  walletId?: string | undefined
  cardId?: string | undefined
}

/** The policies of the organization, the agent and the wallet, each once. */
export interface PolicySet {
  /** Switched-off ones included. */
  kept: readonly Actor<'policy'>[]
  /** The active ones, as the rules see them. */
  deciding: readonly PolicySnapshot[]
  /** What the active ones count; undefined where none counts payments. */
  counting: Counting | undefined
}

interface CachedSet extends PolicySet {
  /** The lists of the organization, the agent and the wallet. */
  names: readonly List<'policy'>[]
  lists: readonly (readonly Ref<'policy'>[])[]
  actors: ReadonlyMap<Ref<'policy'>, Actor<'policy'> | undefined>
}

/** Policy sets by agent and wallet; valid while the lists and the policies are the very same objects. */
const cache = new BoundedCache<string, CachedSet>(5_000)

/** The policies that apply, as `view` shows them. */
export function policiesOn(services: Services, view: View, payer: Payer): PolicySet {
  const place = `${payer.agentId} ${payer.walletId ?? payer.cardId}`
  const known = cache.get(place)
  if (known && isCurrent(services, known, view)) return known
  const names = namesOn(payer)
  const lists = names.map((name) => services.query.refs(name))
  const actors = new Map(lists.flat().map((ref) => [ref, view(ref)]))
  const kept = [...actors].map(listedPolicy).filter(({ state }) => state === 'kept')
  const deciding = kept.filter(isActive).map(snapshotOf)
  const counting = widest(deciding.flatMap(({ rules }) => countingIn(rules)))
  const set: CachedSet = { names, lists, actors, kept, deciding, counting }
  cache.set(place, set)
  return set
}

/** Throws where nothing is stored: a policy must not be left out because its place in a list is damaged. */
function listedPolicy([ref, actor]: [Ref, Actor<'policy'> | undefined]): Actor<'policy'> {
  if (actor === undefined) throw new Error(`${ref} is listed and does not exist: the data file is damaged`)
  return actor
}

function isCurrent({ query }: Services, { names, lists, actors }: CachedSet, view: View): boolean {
  for (let at = 0; at < names.length; at += 1) if (query.refs(names[at]!) !== lists[at]) return false
  for (const [ref, actor] of actors) if (view(ref) !== actor) return false
  return true
}

function namesOn({ organization, agentId, walletId, cardId }: Payer): List<'policy'>[] {
  return [
    policiesOfOrganization(organization),
    policiesOfAgent(agentId),
    ...(walletId === undefined ? [] : [policiesOfWallet(walletId)]),
    ...(cardId === undefined ? [] : [policiesOfCard(cardId)]),
  ]
}

/** True when the same policies are active in the same versions. */
export function sameDecide(services: Services, view: View, payer: Payer, decided: readonly PolicySnapshot[]): boolean {
  const now = policiesOn(services, view, payer).deciding
  const isSame = ({ id, version }: PolicySnapshot, at: number): boolean =>
    decided[at]!.id === id && decided[at]!.version === version
  return now === decided || (now.length === decided.length && now.every(isSame))
}

/** A page of the policies that apply to the agent with any of its wallets, newest first. */
export async function listPoliciesOf(
  services: Services,
  { principal }: Caller,
  agentId: string,
  paging: Paging,
): Promise<Page<'policy'> | undefined> {
  const active = await services.query.all(delegationsOf(agentId, 'active'))
  const walletLists = active.map(({ context }) => policiesOfWallet(context.walletId))
  const cards = await services.query.all(cardAssignmentsOf(agentId, 'active'))
  const cardLists = cards.map(({ context }) => policiesOfCard(context.cardId))
  const lists = [policiesOfOrganization(principal.organization), policiesOfAgent(agentId), ...walletLists, ...cardLists]
  const refs = new Set(lists.flatMap((list) => services.query.refs(list)))
  return services.query.among(`policies-of/${agentId}`, [...refs], paging)
}

export function isActive(policy: Actor<'policy'>): boolean {
  return policy.context.definition.isActive
}

/**
 * A policy in the form that plain json-rules-engine evaluates: its rules, and their facts as a payment's trace shows
 * them, with amounts as numbers.
 */
export async function compiledPolicy(
  { host, rules: engine }: Services,
  { principal }: Caller,
  policy: Actor<'policy'>,
) {
  const [organization] = await host.read([`organization/${principal.organization}`])
  const { timezone } = organization!.context.fields
  const decided = snapshotOf(policy)
  const { id, version, contentHash } = decided
  const { rules, needs } = await engine.compiled([decided], timezone)
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
