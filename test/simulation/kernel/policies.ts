// A small model of policies in the command layer: the limits that apply to an agent, read from what is committed when a
// command is sent. All of it may have changed by the time the command arrives.
import type { AgentContext } from '../../../machines/agent.js'
import type { BudgetContext } from '../../../machines/budget.js'
import type { PaymentContext, Review } from '../../../machines/payment/chart.js'
import type { PolicyContext } from '../../../machines/policy.js'
import { renewedGates } from '../../../src/commands/payments/gates.js'
import type { LimitTerm } from '../../../src/domain/limits/limit.js'
import type { Outcome } from '../../../src/domain/payment/terms.js'
import type { PolicyDefinition, PolicyRule } from '../../../src/domain/parties/policy.js'
import { withSpendingOf } from '../../../src/domain/limits/sums.js'
import { NO_TALLY, tallyAt, type Tally } from '../../../src/domain/limits/tally.js'
import type { Random } from '../../support/random.js'
import { decisionOf, gatesOf, type Asked, type Demands } from '../../support/messages.js'
import type { Known } from './books.js'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

type Demand = Pick<LimitTerm, 'of' | 'measure' | 'limit' | 'periodMs'>

/** Limits that are tight enough for payments to reach them. */
const LIMITS: ((random: Random) => Demand)[] = [
  (random) => ({ of: 'AGENT', measure: 'DAY', limit: random.pick([30, 60, 120]) }),
  (random) => ({ of: 'AGENT', measure: 'TOTAL', limit: random.pick([60, 150, 400]) }),
  (random) => ({ of: 'AGENT', measure: 'COUNT', limit: random.pick([1, 3, 6]), periodMs: random.pick([MINUTE, WEEK]) }),
  (random) => ({ of: 'POLICY', measure: 'DAY', limit: random.pick([40, 100, 200]) }),
  (random) => ({ of: 'POLICY', measure: 'WEEK', limit: random.pick([100, 200]) }),
  (random) => ({ of: 'POLICY', measure: 'TOTAL', limit: random.pick([80, 200, 500]) }),
]

export function someRules(random: Random): PolicyRule[] {
  return Array.from({ length: random.below(3) }, (_, index) => ({
    id: `r${index}`,
    ruleType: 'LIMIT',
    operator: null,
    value: { ...random.pick(LIMITS)(random) },
    action: 'ALLOW',
  }))
}

export function definitionOf(scope: PolicyDefinition['scope'], rules: PolicyRule[]): PolicyDefinition {
  return { name: scope, description: null, policyType: 'COMPOSITE', scope, priority: 50, isActive: true, rules }
}

/** What the organization's policies require of a payment of an agent. */
export function demandsOn(host: Known, organization: string, agentId: string, timezone: string): Demands {
  const policies = policiesOf(host, organization).filter(({ definition, agents }) => {
    return definition.scope === 'organization' || agents.some(({ subjectId }) => subjectId === agentId)
  })
  const limits = policies.flatMap(termsOf)
  const own = limits.filter(({ of }) => of === 'AGENT')
  return {
    policySetHash: policies.map(({ id, version }) => `${id}@${version}`).join(' '),
    timezone,
    limits: own,
    budgets: policies
      .filter(({ budgeted }) => budgeted)
      .map((policy) => ({
        ref: `budget/${policy.id}`,
        limits: limits.filter(({ of, policyId }) => of === 'POLICY' && policyId === policy.id),
        ...openingOf(host, policy, timezone),
      })),
  }
}

function policiesOf({ actors }: Known, organization: string): PolicyContext[] {
  const kept = [...actors.values()].filter(({ ref, state }) => ref.startsWith('policy/') && state === 'kept')
  const contexts = kept.map(({ context }) => context as unknown as PolicyContext)
  return contexts.filter((one) => one.organization === organization)
}

function termsOf({ id, version, definition }: PolicyContext): LimitTerm[] {
  return definition.rules.map((rule): LimitTerm => ({
    ...(rule.value as unknown as Demand),
    policyId: id,
    policyVersion: version,
    ruleId: rule.id,
    violation: 'BUDGET_EXCEEDED',
  }))
}

/** The opening of a budget that is not open yet: what its agents have spent. */
function openingOf(known: Known, policy: PolicyContext, timezone: string): { opening?: Tally } {
  const { actors } = known
  // A command may say that it was made two seconds ago; its facts are never younger than that.
  const now = known.now - 2_000
  const budget = actors.get(`budget/${policy.id}`)?.context as unknown as BudgetContext | undefined
  if (budget?.tally) return {}
  const agents = [...actors.values()].filter(({ ref }) => ref.startsWith('agent/'))
  const contexts = agents.map(({ context }) => context as unknown as AgentContext)
  const under = contexts.filter(({ id, organization }) => {
    if (organization !== policy.organization) return false
    return policy.definition.scope === 'organization' || policy.agents.some(({ subjectId }) => subjectId === id)
  })
  const nothing = tallyAt(NO_TALLY, now, timezone)
  const opening = under.reduce((sum, { tally }) => plus(sum, tallyAt(tally, now, timezone)), nothing)
  return { opening }
}

function plus(one: Tally, other: Tally): Tally {
  return { ...one, sums: withSpendingOf(one.sums, other.sums), total: one.total + other.total }
}

/** The review of an approved payment whose policies have changed; undefined if they have not. */
export function reviewOf(host: Known, asked: Asked, demands: Demands, outcome: Outcome): Review | undefined {
  const payment = host.actors.get(`payment/${asked.id}`)?.context as unknown as PaymentContext | undefined
  const decision = payment?.review ?? payment?.decision
  if (!payment || !decision || decision.policySetHash === demands.policySetHash) return undefined
  const now = { ...asked, demands }
  const approval = { ...asked.approval!, id: `${asked.approval!.id}.${payment.reviews + 1}` }
  const gates = renewedGates(payment.gates, gatesOf(now))
  return { after: payment.reviews, decision: decisionOf(now, outcome), gates, approval }
}
