// The budgets that all agents under a policy share: the sums that their gates keep, and what agents had spent before
// those gates counted them.
import { assignmentsOfCard } from '../../../machines/cardAssignment.js'
import { delegationsOfWallet } from '../../../machines/delegation.js'
import { formerAgentsOf, agentsOf } from '../../../machines/agent.js'
import type { Actor } from '../../actor/actor.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { PolicySubjects } from '../../domain/parties/policy.js'
import { NO_TALLY, tallyAt, tallyJoining, tallyPlus, type Tally } from '../../domain/limits/tally.js'
import type { Services } from '../ports.js'

export interface SharedBudget {
  ref: Ref<'budget'>
  tally: Tally
  /** The joins of the policy; absent where nobody can join. */
  joins?: number
  /** What agents had spent that the budget's gate has not counted yet, and the joins that the gate covers with it. */
  opening?: { tally: Tally; joins: number }
}

/** The budget of a policy, with everything that counts in it. */
export type BudgetOf = (policy: Actor<'policy'>) => SharedBudget

/** The budgets at `now`. It looks at each policy, and at all agents of an organization, once. */
export function sharedBudgets(services: Services, now: number, timezone: string): BudgetOf {
  const known = new Map<Ref, SharedBudget>()
  let byAll: Tally | undefined
  const spent: SpentBy = (policy, subjects) => {
    const agents = (): Tally => spentBy(services, subjectsOf(services, policy, subjects), now, timezone)
    return subjects.all ? (byAll ??= agents()) : agents()
  }
  return (policy) => {
    const budget = known.get(policy.ref) ?? sharedBudget(services, policy, spent, now, timezone)
    known.set(policy.ref, budget)
    return budget
  }
}

/** What agents under a policy have spent so far. */
type SpentBy = (policy: Actor<'policy'>, subjects: PolicySubjects) => Tally

function sharedBudget(
  services: Services,
  policy: Actor<'policy'>,
  spent: SpentBy,
  now: number,
  timezone: string,
): SharedBudget {
  const { id, joins } = policy.context
  const ref: Ref<'budget'> = `budget/${id}`
  const gate = services.host.peek(ref)
  const { tally, joins: covered } = gate ? gate.context : { tally: null, joins: 0 }
  const own = tally && tallyAt(tally, now, timezone)
  if (own && covered === joins) return { ref, tally: own, joins }
  // The lists that payments are decided by show a join when it is on disk; until then its agents still spend elsewhere.
  const listed = services.query.committed(policy.ref) ?? policy
  const { joins: listedJoins } = listed.context
  if (!own) {
    const opening = spent(listed, joinedAfter(listed, -1))
    return { ref, tally: opening, joins, opening: { tally: opening, joins: listedJoins } }
  }
  if (covered === listedJoins) return { ref, tally: own, joins }
  const joined = spent(listed, joinedAfter(listed, covered))
  const opening = tallyJoining(joined, own, spentBy(services, agentsEver(services, listed), now, timezone))
  return { ref, tally: tallyPlus(own, opening), joins, opening: { tally: opening, joins: listedJoins } }
}

/** The agents under a policy. Deleted ones included, because their spending counts. */
export function agentsUnder(services: Services, policy: Actor<'policy'>): Set<Ref<'agent'>> {
  return subjectsOf(services, policy, joinedAfter(policy, -1))
}

/** The same, with those that have left it. */
function agentsEver(services: Services, policy: Actor<'policy'>): Set<Ref<'agent'>> {
  const { former } = policy.context
  return new Set([...agentsUnder(services, policy), ...subjectsOf(services, policy, former)])
}

/** Who has come under a policy since its first `joins` joins; -1 for everyone. */
function joinedAfter(policy: Actor<'policy'>, joins: number): PolicySubjects {
  const { agents, wallets, cards = [], definition } = policy.context
  const late = (all: typeof agents): string[] => {
    return all.filter(({ join = 0 }) => join > joins).map(({ subjectId }) => subjectId)
  }
  return { agents: late(agents), wallets: late(wallets), cards: late(cards), all: definition.scope === 'organization' }
}

/** All agents of the organization, or those named and those that could ever pay from the wallets or with the cards. */
function subjectsOf(
  { query, host }: Services,
  policy: Actor<'policy'>,
  { agents, wallets, cards = [], all }: PolicySubjects,
): Set<Ref<'agent'>> {
  const { organization } = policy.context
  if (all) return new Set([...query.refs(agentsOf(organization)), ...query.refs(formerAgentsOf(organization))])
  const delegations = wallets.flatMap((id) => query.refs(delegationsOfWallet(id))).map((ref) => host.peek(ref))
  const assignments = cards.flatMap((id) => query.refs(assignmentsOfCard(id))).map((ref) => host.peek(ref))
  const payers = [...delegations, ...assignments].map((leave): Ref<'agent'> => `agent/${leave!.context.agentId}`)
  return new Set([...agents.map((id): Ref<'agent'> => `agent/${id}`), ...payers])
}

/** What agents have spent so far. */
function spentBy({ host }: Services, agents: Iterable<Ref<'agent'>>, now: number, timezone: string): Tally {
  const actors = [...agents].map((ref) => host.peek(ref))
  const tallies = actors.filter((actor) => actor !== undefined).map((actor) => actor.context.tally)
  const nothing = tallyAt(NO_TALLY, now, timezone)
  return tallies.map((tally) => tallyAt(tally, now, timezone)).reduce(tallyPlus, nothing)
}
