// The facts of the rules: measured once for a payment on a route, and stored with its decision.
import { statusOfCounterparty } from '../status.js'
import { charts } from '../../../machines/index.js'
import { isGone } from '../../actor/turn.js'
import { parseAddress, type Address } from '../../domain/values/address.js'
import { categoryOf } from '../../domain/values/category.js'
import { COUNT_MS, COUNT_PERIODS, NO_SCORE, type Facts as RuleFacts } from '../../../rules/facts.js'
import { countWithin, type Counting } from '../../domain/limits/counting.js'
import type { Ref } from '../../domain/limits/gate.js'
import { NO_HISTORY } from '../../domain/parties/paymentHistory.js'
import type { Micros } from '../../domain/values/money.js'
import type { PaymentTerms } from '../../domain/payment/terms.js'
import type { PaymentContext } from '../../../machines/payment/context.js'
import { counted, withoutHold } from '../../domain/limits/sums.js'
import { tallyAt, type Tally } from '../../domain/limits/tally.js'
import type { CounterpartyStatus } from '../../domain/parties/counterparty.js'
import { trustScoreOf } from '../../domain/parties/trust.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { hostScopes } from '../../domain/payment/x402.js'
import type { GatheredFacts } from './facts.js'
import type { PolicySet } from './policySet.js'
import type { Services } from '../ports.js'
import { sharedBudgets, type SharedBudget } from './budgets.js'
import { SERVICE_BUDGET, serviceBudget } from './serviceBudget.js'

/** A proposed payment, as far as rules see it. */
export interface Proposal {
  amount: Micros
  /** Why it is denied, whatever rules say. */
  refused?: readonly Violation[]
  /** Null on a card. */
  recipient: Address | null
  category: string | null
  executionContext: string | null
}

/** The proposal of a stored payment. */
export function proposalOf({ amount, recipientAddress, category, executionContext }: PaymentTerms): Proposal {
  const recipient = recipientAddress === null ? null : parseAddress(recipientAddress)!
  return { amount, recipient, category, executionContext }
}

/** When payments were made: as far back and as many as a policy counts. */
export interface MadePayments {
  /** Epoch ms. */
  times: readonly number[]
  periodMs: number
}

/** The tallies that policies limit, without this payment. */
export interface Tallies {
  agent: Tally
  /** By policy id: budgets shared by all agents under a policy. */
  budgets: ReadonlyMap<string, { tally: Tally }>
  /** Where a policy counts the agent's payments. */
  made: MadePayments | undefined
  /** The counts include the judged payment already, as long as it lies within the period. */
  isCounted?: true
}

export interface Numbers extends Tallies {
  budgets: Map<string, SharedBudget>
}

/** One more than the limit, to tell what is above it, and one more, because a payment that is judged again is among them. */
function madeBy({ host }: Services, agent: Ref, { periodMs, limit }: Counting, now: number): MadePayments {
  return { times: host.timesHeld(agent, now - periodMs, limit + 2), periodMs }
}

/** Measures the numbers that sets of policies limit; what is the same for several of them, once. */
export function measuring(services: Services, facts: GatheredFacts): (set: PolicySet) => Numbers {
  const { timezone } = facts.organization.fields
  const { tally, clock } = facts.agent.context
  const now = Math.max(clock, facts.now)
  const agent = tallyAt(tally, now, timezone)
  const budgetOf = sharedBudgets(services, now, timezone)
  const at = { now, timezone }
  const service = ({ deciding }: PolicySet): [string, SharedBudget][] => {
    if (facts.resource === undefined) return []
    const budget = serviceBudget(services, facts.agent.context.id, facts.resource.host, deciding, at)
    return [[SERVICE_BUDGET, budget]]
  }
  const known = new Map<string, Numbers>()
  return (set) => {
    const { kept, counting } = set
    const key = kept.map(({ ref }) => ref).join()
    const budgeted = kept.filter((policy) => policy.context.budgeted)
    const measured = known.get(key) ?? {
      agent,
      budgets: new Map([...budgeted.map((policy) => [policy.context.id, budgetOf(policy)] as const), ...service(set)]),
      made: counting && madeBy(services, facts.agent.ref, counting, now),
    }
    known.set(key, measured)
    return measured
  }
}

/** The numbers at `now`, if nothing happens until then. */
export function numbersAt({ agent, budgets, ...numbers }: Numbers, now: number, timezone: string): Numbers {
  const later = [...budgets].map(([id, budget]) => {
    return [id, { ...budget, tally: tallyAt(budget.tally, now, timezone) }] as const
  })
  return { ...numbers, agent: tallyAt(agent, now, timezone), budgets: new Map(later) }
}

/** The numbers without a payment's own holds. */
export function numbersWithout(
  { terms, gates }: Pick<PaymentContext, 'terms' | 'gates'>,
  { agent, budgets, made }: Numbers,
): Numbers {
  const { agentId, amount } = terms!
  const held = new Set(gates.map(({ ref }) => ref))
  const without = (tally: Tally, gate: Ref): Tally => ({
    ...tally,
    ...(held.has(gate) && { sums: withoutHold(tally.sums, amount) }),
  })
  const others = [...budgets].map(
    ([name, budget]) => [name, { ...budget, tally: without(budget.tally, budget.ref) }] as const,
  )
  return {
    agent: without(agent, `agent/${agentId}`),
    budgets: new Map(others),
    made,
    isCounted: true,
  }
}

/** The values of all facts, with this payment counted in. */
export function ruleFacts(
  { agent, counterparty, isMet, now, resource }: GatheredFacts,
  numbers: Numbers,
  { amount, category, recipient }: Proposal,
): RuleFacts {
  // A deleted record keeps only its payments and a block.
  const known = counterparty && counterparty.context
  const history = known ?? NO_HISTORY
  const status = statusOfCounterparty(counterparty)
  // The agent's gate counts at its own time, which never runs backwards.
  return sumFacts(numbers, amount, Math.max(agent.context.clock, now), {
    amount,
    category: categoryOf(category ?? ''),
    recipient: recipient?.canonical ?? '',
    counterpartyCategory: counterparty && !isGone(charts, counterparty) ? known!.category : 'OTHER',
    counterpartyStatus: recipient === null ? 'NONE' : status,
    trustScore: recipient === null ? NO_SCORE : trustScoreOf(history, status, now),
    newCounterparty: !isMet,
    now,
    ...(recipient === null && { rail: 'CARD' as const }),
    ...(recipient !== null && resource && resourceFacts(resource, recipient, status)),
  })
}

function resourceFacts(
  { host, path, service }: NonNullable<GatheredFacts['resource']>,
  { display }: Address,
  status: CounterpartyStatus,
): RuleFacts {
  const isApproved = service?.context.recipients.some((one) => one.address === display && one.isApproved) === true
  return {
    rail: 'X402',
    resourceHost: host,
    resourceScopes: hostScopes(host),
    resourcePath: path,
    recipientApproved: isApproved || status === 'TRUSTED' || status === 'VERIFIED',
  }
}

/** Writes the facts that are sums and counts into `values`, with a payment of `amount` counted in. */
export function sumFacts(
  { agent, budgets, made, isCounted }: Tallies,
  amount: Micros,
  now: number,
  values: RuleFacts = {},
): RuleFacts {
  const { sums, total } = agent
  values.dayTotal = counted(sums, 'day') + amount
  values.weekTotal = counted(sums, 'week') + amount
  values.monthTotal = counted(sums, 'month') + amount
  values.total = total + sums.held + amount
  const own = isCounted ? 0 : 1
  if (made) {
    for (const period of COUNT_PERIODS.filter((known) => COUNT_MS[known] <= made.periodMs)) {
      values[`count:${period}`] = Math.max(1, countWithin(made.times, COUNT_MS[period], now) + own)
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
