// The latest decisions of the agents under a policy, as a replay needs them: on which facts each was decided, what
// stood against it beside the policies, and what became of it.
import { isGone, type Actor } from '../actor/actor.js'
import type { Ref } from '../domain/gate.js'
import type { Decision, Outcome, PaymentTerms } from '../domain/payment.js'
import type { Recent } from '../domain/tally.js'
import type { Violation } from '../domain/violation.js'
import { paymentContext, policyContext } from './contexts.js'
import type { Counted, Ending } from './counters.js'
import { paymentStatus } from './payments.js'
import type { Services } from './ports.js'
import { besidePolicies } from './replay.js'
import { agentsUnder } from './ruleFacts.js'

export interface PastDecision extends Counted {
  terms: PaymentTerms
  facts: Decision['facts']
  preapproval: boolean
  /** What was decided then, by the facts or by a gate. */
  outcome: Outcome
  /** What stood against it then beside the policies. */
  others: Violation[]
  /** What became of it, if it was let pass and has ended. */
  ending: Ending | undefined
}

/** So many payments are read at a time, with others' turns between. */
const AT_ONCE = 20

/**
 * Up to `most` of them, the oldest first; those of the whole organization where the policy is to cover it. Of lists
 * that are in the order of time only the ends are read.
 */
export async function latestDecisions(
  services: Services,
  policy: Actor,
  { coversAll, most }: { coversAll: boolean; most: number },
): Promise<PastDecision[]> {
  const lists = coversAll
    ? [`payments/${policyContext(policy).organization}`]
    : [...agentsUnder(services, policy)].map((ref) => `agent-payments/${ref.slice('agent/'.length)}`)
  const latest = await latestOf(services, lists, most)
  const found: PastDecision[] = []
  for (let from = latest.length; from > 0; from -= AT_ONCE) {
    const refs = latest.slice(Math.max(0, from - AT_ONCE), from).map(({ id }): Ref => `payment/${id}`)
    const payments = await services.host.read(refs)
    for (const payment of payments.toReversed()) if (payment && !isGone(payment)) found.push(pastDecision(payment))
    await services.breathe()
  }
  return found
}

/** The newest first. No list is read further back than the ones before it leave room for. */
async function latestOf({ query, breathe }: Services, lists: readonly string[], most: number): Promise<Recent[]> {
  let latest: Recent[] = []
  for (const list of lists) {
    const since = latest.length < most ? 0 : latest.at(-1)!.at - 1
    const merged = [...latest, ...query.madeSince(list, since, most)]
    latest = merged.sort((a, b) => b.at - a.at).slice(0, most)
    await breathe()
  }
  return latest
}

function pastDecision(payment: Actor): PastDecision {
  const { id, terms, decision, causes, refusedBy } = paymentContext(payment)
  const { facts, timezone, preapproval, outcome, violations } = decision!
  const { agentId, amount } = terms!
  const before = (fact: string): number => Number(facts[fact]) - amount
  const spentBefore = {
    day: before('dayTotal'),
    week: before('weekTotal'),
    month: before('monthTotal'),
    total: before('total'),
  }
  // What came between the facts and the gates made a gate refuse it.
  const isRefused = outcome !== 'DENIED' && refusedBy !== null && paymentStatus(payment) === 'DENIED'
  return {
    id,
    agentId,
    amount,
    now: Number(facts['now']),
    timezone,
    spentBefore,
    terms: terms!,
    facts,
    preapproval,
    outcome: isRefused ? 'DENIED' : outcome,
    others: besidePolicies(isRefused ? causes : violations),
    ending: endingOf(payment),
  }
}

const ENDED: ReadonlySet<string> = new Set(['DENIED', 'CANCELLED', 'EXPIRED', 'FAILED'])

function endingOf(payment: Actor): Ending | undefined {
  const { executedAt, updatedAt } = paymentContext(payment)
  if (ENDED.has(paymentStatus(payment))) return { as: 'released', at: updatedAt }
  return executedAt === null ? undefined : { as: 'captured', at: executedAt }
}
