// The impact of a policy's edit, or of a new policy: replays the latest decisions in the order of time, under the present policies and under
// the same with the edit. Both replays start with the same counters, so that only the edit makes a difference. Nothing
// is stored.
import { agentPaymentsOf } from '../../../machines/payment/lists.js'
import { paymentsOf } from '../../domain/payment/lists.js'
import { succeed, type Result } from '../../domain/outcomes/result.js'
import type { PolicySnapshot } from '../../../rules/compile.js'
import type { Facts as RuleFacts } from '../../../rules/facts.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Ref } from '../../domain/limits/gate.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { newId } from '../../domain/values/ids.js'
import type { Outcome } from '../../domain/payment/terms.js'
import type { PolicyDefinition } from '../../domain/parties/policy.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { ReplayCounters, type CountingGate, type Ending } from './replayCounters.js'
import { decidedBy } from '../payments/evaluate.js'
import { latestDecisions, type PastDecision } from './pastDecisions.js'
import { definitionOf, findPolicy, joinRules, readRules, wrongSubjects, type NewPolicy } from './policies.js'
import { isActive, policiesOn } from '../payments/policySet.js'
import { snapshot, snapshotOf } from '../payments/policySnapshot.js'
import { failingTests, type FailingTest } from './tests.js'
import type { Caller, Services } from '../ports.js'
import { sumFacts } from '../payments/ruleFacts.js'
import { payerOf } from '../payments/facts.js'
import { agentsUnder } from '../payments/budgets.js'
import { SERVICE_BUDGET, serviceOf } from '../payments/serviceBudget.js'

/** The edited fields; those left out stay. */
export interface Edited extends Partial<Record<'name' | 'description' | 'scope' | 'priority' | 'isActive', unknown>> {
  rules?: readonly Json[] | undefined
}

export interface ImpactOutcome {
  outcome: Outcome
  violations: Violation[]
}

export interface Compared {
  past: PastDecision
  before: ImpactOutcome
  after: ImpactOutcome
}

export interface Impact {
  /** Null, and the version 0, for a policy that does not exist yet. */
  policyId: string | null
  version: number
  /** The replayed decisions, in the order of time. */
  compared: Compared[]
  /** False where the time ran out before the latest decisions. */
  isComplete: boolean
  /** The policy's own tests that fail under the edit. */
  failing: FailingTest[]
}

const MAX_DECISIONS = 1000
/** A caller waits no longer than this. */
const MAX_MS = 5000

export async function impactOf(
  services: Services,
  caller: Caller,
  policyId: string,
  { rules: given, ...changes }: Edited,
): Promise<Result<Impact, 'INVALID_ADDRESS' | 'INVALID_AMOUNT' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const read = given && (await readRules(services, given, 'rules'))
  if (read?.ok === false) return read
  const found = await findPolicy(services, caller, policyId)
  if (!found.ok) return found
  const { id, version, definition, agents, wallets, cards = [] } = found.value.context
  const rules = read && (await joinRules(services, read.value, { replaced: definition.rules }))
  if (rules?.ok === false) return rules
  const draft: PolicyDefinition = {
    ...definition,
    ...(omitUndefined(changes) as Partial<PolicyDefinition>),
    ...(rules && { rules: rules.value }),
  }
  const subjects = new Set([...agents, ...wallets, ...cards].map(({ subjectId }) => subjectId))
  const payers = [...agentsUnder(services, found.value)]
  const change: Change = {
    id,
    version,
    before: { definition, policy: snapshotOf(found.value) },
    draft,
    subjects,
    payers,
  }
  const replayed = await replay(services, caller, change)
  const failing = await failingTests(services, found.value, draft)
  return succeed({ policyId: id, version, ...replayed, failing })
}

/** The same of a policy that does not exist yet; it has no tests. */
export async function impactOfNew(
  services: Services,
  caller: Caller,
  given: NewPolicy,
): Promise<Result<Impact, 'INVALID_ADDRESS' | 'INVALID_AMOUNT' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const read = await readRules(services, given.rules, 'policy.rules')
  if (!read.ok) return read
  const rules = await joinRules(services, read.value)
  if (!rules.ok) return rules
  const wrong = await wrongSubjects(services, caller, given)
  if (wrong) return wrong
  const { agentIds = [] } = given
  const payers = agentIds.map((agentId): Ref => `agent/${agentId}`)
  const draft = definitionOf(given, rules.value)
  const change: Change = {
    id: newId(services.random),
    version: 0,
    before: undefined,
    draft,
    subjects: new Set(agentIds),
    payers,
  }
  return succeed({ policyId: null, version: 0, ...(await replay(services, caller, change)), failing: [] })
}

/** An edit of a policy, or a new one. */
interface Change {
  id: string
  /** The present one; 0 before the first. */
  version: number
  before: { definition: PolicyDefinition; policy: PolicySnapshot } | undefined
  draft: PolicyDefinition
  /** The agents, wallets and cards that it is assigned to. */
  subjects: ReadonlySet<string>
  /** The agents that could ever pay under it, where it does not cover all. */
  payers: readonly Ref[]
}

async function replay(
  services: Services,
  { principal: { organization } }: Caller,
  change: Change,
): Promise<Pick<Impact, 'compared' | 'isComplete'>> {
  const until = services.now() + MAX_MS
  const coversAll = [change.before?.definition, change.draft].some((one) => one?.scope === 'organization')
  const lists = coversAll
    ? [paymentsOf(organization)]
    : change.payers.map((ref) => agentPaymentsOf(ref.slice('agent/'.length)))
  const past = await latestDecisions(services, lists, MAX_DECISIONS)
  const compared = await compare(services, past, setsWith(services, organization, change), until)
  return { compared, isComplete: compared.length === past.length }
}

/** The policies that decide a payment, and those whose shared budgets count it. */
interface PolicySet {
  policies: PolicySnapshot[]
  budgets: string[]
}

type SetsOf = (past: PastDecision) => Promise<[before: PolicySet, after: PolicySet]>

/** The present policies that apply to a payment, and the same with the draft. */
function setsWith(services: Services, organization: string, change: Change): SetsOf {
  const { id, version, before, draft, subjects } = change
  const edited = snapshot(id, version + 1, draft)
  const known = new Map<string, ReturnType<SetsOf>>()
  const sets: SetsOf = async ({ terms, timezone }) => {
    const payer = payerOf({ organization, terms })
    const { agentId, walletId = '', cardId = '' } = payer
    const assigned = [agentId, walletId, cardId].some((subject) => subjects.has(subject))
    const decides = ({ scope, isActive: on }: PolicyDefinition): boolean => on && (scope === 'organization' || assigned)
    const { kept } = policiesOn(services, (ref) => services.host.peek(ref), payer)
    const others = kept.filter((actor) => actor.ref !== `policy/${id}` && isActive(actor)).map(snapshotOf)
    const setOf = async (policies: PolicySnapshot[]): Promise<PolicySet> => {
      const needs = await services.rules.needs(policies, timezone)
      const budgets = needs.filter((fact) => fact.startsWith('budget:')).map((fact) => fact.split(':')[1]!)
      return { policies, budgets: [...new Set(budgets)] }
    }
    return [
      await setOf(before && decides(before.definition) ? [...others, before.policy] : others),
      await setOf(decides(draft) ? [...others, edited] : others),
    ]
  }
  return (past) => {
    const way = [past.agentId, past.terms.walletId ?? past.terms.card?.id, past.timezone].join(' ')
    const made = known.get(way) ?? sets(past)
    known.set(way, made)
    return made
  }
}

async function compare(
  services: Services,
  past: readonly PastDecision[],
  setsOf: SetsOf,
  until: number,
): Promise<Compared[]> {
  const [before, after] = [new ReplayCounters(), new ReplayCounters()]
  const compared: Compared[] = []
  for (const one of past) {
    const [current, edited] = await setsOf(one)
    compared.push({
      past: one,
      before: await decideAgain(services, before, one, current),
      after: await decideAgain(services, after, one, edited),
    })
    await services.breathe()
    if (services.now() > until) break
  }
  return compared
}

async function decideAgain(
  { rules }: Services,
  counters: ReplayCounters,
  past: PastDecision,
  { policies, budgets: names }: PolicySet,
): Promise<ImpactOutcome> {
  const { facts, timezone, amount, now, others, preapproval } = past
  const budgets = names.flatMap((name) => gateOf(name, past, policies) ?? [])
  const sums = sumFacts(counters.numbers(past, budgets), amount, now)
  const said = await rules.evaluate(policies, timezone, { ...(facts as RuleFacts), ...sums })
  const violations = [...others, ...said.violations]
  const outcome = decidedBy(violations, preapproval || said.outcome === 'REQUIRES_APPROVAL')
  if (outcome !== 'DENIED') counters.count(past, budgets, endingOf(past, outcome))
  return { outcome, violations }
}

/** Undefined for the budget of a service where the payment is to none. */
function gateOf(name: string, { agentId, terms }: PastDecision, policies: PolicySnapshot[]): CountingGate | undefined {
  if (name !== SERVICE_BUDGET) return { name, gate: `budget/${name}` }
  return terms.x402 && { name, gate: `service/${agentId}/${serviceOf(terms.x402.host, policies)}`, isNew: true }
}

/** The payment's own ending. Where it ended unpaid and is decided otherwise now, it counts as paid at once. */
function endingOf({ ending, outcome: then, now }: PastDecision, outcome: Outcome): Ending | undefined {
  const isOther = outcome !== then && ending?.as === 'released'
  return isOther ? { as: 'captured', at: now } : ending
}
