// The facts of the rules: measured once for a payment on a route, and stored with its decision.
import { parseAddress, type Address } from '../domain/address.js'
import { categoryOf } from '../domain/category.js'
import { COUNT_MS, COUNT_PERIODS, type Facts as RuleFacts } from '../../rules/facts.js'
import { isGone } from '../actor/actor.js'
import { counterpartyStatus } from '../domain/counterparty.js'
import type { Ref } from '../domain/gate.js'
import { NO_HISTORY } from '../domain/history.js'
import type { Micros } from '../domain/money.js'
import type { PaymentTerms } from '../domain/payment.js'
import type { PaymentContext } from '../domain/paymentActor.js'
import { counted, withoutHold } from '../domain/sums.js'
import { MAX_RECENT, tallyAt, type Recent, type Tally, WEEK_MS } from '../domain/tally.js'
import { trustScore } from '../domain/trust.js'
import { agentContext, counterpartyContext, policyContext } from './contexts.js'
import type { Facts } from './facts.js'
import type { PolicySet } from './policySet.js'
import type { Services } from './ports.js'
import { sharedBudget, type SharedBudget } from './sharedBudgets.js'

/** A proposed payment, as far as rules see it. */
export interface Proposal {
  amount: Micros
  recipient: Address
  category: string | null
  executionContext: string | null
}

/** The proposal of a stored payment. */
export function proposalOf({ amount, recipientAddress, category, executionContext }: PaymentTerms): Proposal {
  return { amount, recipient: parseAddress(recipientAddress)!, category, executionContext }
}

/** The tallies that policies limit, without this payment. */
export interface Tallies {
  agent: Tally
  /** By policy id: budgets shared by all agents under a policy. */
  budgets: ReadonlyMap<string, { tally: Tally }>
  /** The counts include the judged payment already, as long as it lies within the period. */
  isCounted?: true
}

export interface Numbers extends Tallies {
  budgets: Map<string, SharedBudget>
  /** Counted payments of the last week, where a policy counts them. */
  recent: Recent[] | undefined
}

const COUNTED_STATES = ['approved', 'awaitingApproval', 'executed', 'transferring']

/** Counted payments of the agent. The gate adds those that are not on disk yet. */
function recentPayments({ query }: Services, agentId: string, now: number): Recent[] {
  return COUNTED_STATES.flatMap((state) =>
    query.madeSince(`agent-payments/${agentId}/${state}`, now - WEEK_MS, MAX_RECENT),
  )
}

/** Measures the numbers that the policies limit. */
export function measure(services: Services, facts: Facts, { kept, counts }: PolicySet): Numbers {
  const { timezone } = facts.organization.fields
  const { id: agentId, tally, clock } = agentContext(facts.agent)
  const now = Math.max(clock, facts.now)
  const recent = counts ? recentPayments(services, agentId, now) : undefined
  const budgets: Numbers['budgets'] = new Map()
  for (const policy of kept) {
    const { id, budgeted } = policyContext(policy)
    if (budgeted) budgets.set(id, sharedBudget(services, policy, now, timezone))
  }
  return { agent: tallyAt(tally, now, timezone, recent), budgets, recent }
}

/** The numbers at `now`, if nothing happens until then. */
export function numbersAt({ agent, budgets, ...numbers }: Numbers, now: number, timezone: string): Numbers {
  const later = [...budgets].map(([id, budget]) => {
    return [id, { ...budget, tally: tallyAt(budget.tally, now, timezone, undefined) }] as const
  })
  return { ...numbers, agent: tallyAt(agent, now, timezone, undefined), budgets: new Map(later) }
}

/** The numbers without a payment's own holds. */
export function numbersWithout(
  { terms, gates }: Pick<PaymentContext, 'terms' | 'gates'>,
  { agent, budgets, recent }: Numbers,
): Numbers {
  const { agentId, amount } = terms!
  const held = new Set(gates.map(({ ref }) => ref))
  const without = (tally: Tally, gate: Ref): Tally => ({
    ...tally,
    ...(held.has(gate) && { sums: withoutHold(tally.sums, amount) }),
  })
  const others = [...budgets].map(
    ([policyId, budget]) => [policyId, { ...budget, tally: without(budget.tally, `budget/${policyId}`) }] as const,
  )
  return {
    agent: without(agent, `agent/${agentId}`),
    budgets: new Map(others),
    recent,
    isCounted: true,
  }
}

/** The values of all facts, with this payment counted in. */
export function ruleFacts(
  { agent, counterparty, isMet, now }: Facts,
  numbers: Numbers,
  { amount, category, recipient }: Proposal,
): RuleFacts {
  // A deleted record keeps only its payments and a block.
  const known = counterparty && counterpartyContext(counterparty)
  const history = known ?? NO_HISTORY
  const status = counterpartyStatus(counterparty?.state)
  // The agent's gate counts at its own time, which never runs backwards.
  return sumFacts(numbers, amount, Math.max(agentContext(agent).clock, now), {
    amount,
    category: categoryOf(category ?? ''),
    recipient: recipient.canonical,
    counterpartyCategory: counterparty && !isGone(counterparty) ? known!.category : 'OTHER',
    counterpartyStatus: status,
    trustScore: trustScore(history, status, now),
    newCounterparty: !isMet,
    now,
  })
}

/** Writes the facts that are sums and counts into `values`, with a payment of `amount` counted in. */
export function sumFacts(
  { agent, budgets, isCounted }: Tallies,
  amount: Micros,
  now: number,
  values: RuleFacts = {},
): RuleFacts {
  const { sums, total, recent } = agent
  values.dayTotal = counted(sums, 'day') + amount
  values.weekTotal = counted(sums, 'week') + amount
  values.monthTotal = counted(sums, 'month') + amount
  values.total = total + sums.held + amount
  const own = isCounted ? 0 : 1
  if (recent) {
    for (const period of COUNT_PERIODS) {
      const ms = COUNT_MS[period]
      values[`count:${period}`] = Math.max(1, recent.filter(({ at }) => at > now - ms).length + own)
    }
  }
  for (const [policyId, { tally }] of budgets) {
    values[`budget:${policyId}:DAILY`] = counted(tally.sums, 'day') + amount
    values[`budget:${policyId}:WEEKLY`] = counted(tally.sums, 'week') + amount
    values[`budget:${policyId}:MONTHLY`] = counted(tally.sums, 'month') + amount
    values[`budget:${policyId}:TOTAL`] = tally.total + tally.sums.held + amount
  }
  return values
}
