// The latest decisions of the agents under a policy, as a replay needs them: facts, violations beside the policies, and
// endings.
import { type List } from '../../domain/values/lists.js'
import { charts } from '../../../machines/index.js'
import { isGone } from '../../actor/turn.js'
import type { Actor } from '../../actor/actor.js'
import type { ListedPayment } from '../../actor/query.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Decision, Outcome, PaymentTerms } from '../../domain/payment/terms.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import type { Counted, Ending } from './replayCounters.js'
import { paymentStatus } from '../status.js'
import type { Services } from '../ports.js'
import { nonPolicyViolations } from './replay.js'

export interface PastDecision extends Counted {
  terms: PaymentTerms
  facts: Decision['facts']
  preapproval: boolean
  /** The decision then, by the facts or by a gate. */
  outcome: Outcome
  /** Violations then that came from no policy. */
  others: Violation[]
  /** How and when the payment ended, where it passed and has ended. */
  ending: Ending | undefined
}

/** Payments read at a time, before others get their turn. */
const AT_ONCE = 20

/** Up to `most` decisions, oldest first. Lists are in the order of time, so only their ends are read. */
export async function latestDecisions(
  services: Services,
  lists: readonly List<'payment'>[],
  most: number,
): Promise<PastDecision[]> {
  const latest = await latestOf(services, lists, most)
  const found: PastDecision[] = []
  for (let from = latest.length; from > 0; from -= AT_ONCE) {
    const refs = latest.slice(Math.max(0, from - AT_ONCE), from).map(({ id }): Ref<'payment'> => `payment/${id}`)
    const payments = await services.host.read(refs)
    for (const payment of payments.toReversed())
      if (payment && !isGone(charts, payment)) found.push(pastDecision(payment))
    await services.breathe()
  }
  return found
}

/** Newest first. Each list is read only as far as it can still replace entries of the lists before it. */
async function latestOf(
  { query, breathe }: Services,
  lists: readonly List<'payment'>[],
  most: number,
): Promise<ListedPayment[]> {
  let latest: ListedPayment[] = []
  for (const list of lists) {
    const since = latest.length < most ? 0 : latest.at(-1)!.at - 1
    const merged = [...latest, ...query.madeSince(list, since, most)]
    latest = merged.sort((a, b) => b.at - a.at).slice(0, most)
    await breathe()
  }
  return latest
}

function pastDecision(payment: Actor<'payment'>): PastDecision {
  const { id, terms, decision, causes, refusedBy } = payment.context
  const { facts, timezone, preapproval, outcome, violations } = decision!
  const { agentId, amount } = terms!
  const before = (fact: string): number => Number(facts[fact]) - amount
  const spentBefore = {
    day: before('dayTotal'),
    week: before('weekTotal'),
    month: before('monthTotal'),
    total: before('total'),
  }
  // Something changed between the facts and the gates, and a gate refused the payment.
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
    others: nonPolicyViolations(isRefused ? causes : violations),
    ending: endingOf(payment),
  }
}

const ENDED: ReadonlySet<string> = new Set(['DENIED', 'CANCELLED', 'EXPIRED', 'FAILED'])

function endingOf(payment: Actor<'payment'>): Ending | undefined {
  const { executedAt, updatedAt } = payment.context
  if (ENDED.has(paymentStatus(payment))) return { as: 'released', at: updatedAt }
  return executedAt === null ? undefined : { as: 'captured', at: executedAt }
}
