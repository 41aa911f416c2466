// Decides a payment again on its stored facts: under the versions that decided it, to explain and verify it, or under
// the present policies, to compare.
import type { PolicySnapshot } from '../../../rules/compile.js'
import type { Explained } from '../../../rules/evaluate.js'
import type { Facts as RuleFacts } from '../../../rules/facts.js'
import type { Actor } from '../../actor/actor.js'
import { currentDecision, type Decision, type Outcome } from '../../domain/payment/terms.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { decidedBy } from '../payments/evaluate.js'
import { holdOf } from '../status.js'
import { factsAbout, payerOf } from '../payments/facts.js'
import { policiesOn, type PolicySet } from '../payments/policySet.js'
import { versionsOf } from '../payments/policySnapshot.js'
import type { Services } from '../ports.js'
import { measuring, numbersWithout, proposalOf, ruleFacts, type Numbers } from '../payments/ruleFacts.js'

export interface Replayed {
  rules: Explained
  outcome: Outcome
  violations: Violation[]
}

/** Under the versions that decided it. */
export async function replay(services: Services, decision: Decision): Promise<Replayed> {
  return judge(services, decision, await versionsOf(services, decision))
}

/** Under the present policies. Facts that were not measured then are measured now. */
export async function replayToday(services: Services, payment: Actor<'payment'>): Promise<Replayed> {
  const context = payment.context
  const decision = currentDecision(context)
  const set = policiesOn(services, (ref) => services.host.peek(ref), payerOf(context))
  const facts = { ...(await factsNow(services, payment, set)), ...decision.facts }
  return judge(services, { ...decision, facts: facts as Decision['facts'] }, set.deciding)
}

async function factsNow(services: Services, payment: Actor<'payment'>, set: PolicySet): Promise<RuleFacts> {
  const proposal = proposalOf(payment.context.terms!)
  const facts = await factsAbout(services, payment.context)
  const numbers = numbersBeside(payment, measuring(services, facts)(set))
  const open = holdOf(payment) === 'captured' ? 0 : proposal.amount
  return ruleFacts(facts, numbers, { ...proposal, amount: open })
}

/** The numbers without the payment's own hold. What it spent stays in the sums. */
function numbersBeside(payment: Actor<'payment'>, measured: Numbers): Numbers {
  const hold = holdOf(payment)
  if (hold === 'none') return measured
  const { terms, gates } = payment.context
  return numbersWithout({ terms, gates: hold === 'captured' ? [] : gates }, measured)
}

/**
 * Decides again on the decision's facts. Violations from no policy stand: their facts are part of the decision, too.
 */
export async function judge(
  { rules: { explain } }: Pick<Services, 'rules'>,
  decision: Decision,
  policies: readonly PolicySnapshot[],
): Promise<Replayed> {
  const rules = await explain(policies, decision.timezone, decision.facts as never)
  const violations = [...nonPolicyViolations(decision.violations), ...rules.violations]
  const outcome = decidedBy(violations, decision.preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  return { rules, outcome, violations }
}

/** The violations that come from no policy. */
export function nonPolicyViolations(violations: readonly Violation[]): Violation[] {
  return violations.filter(({ policyId, type }) => policyId === undefined && type !== 'POLICY_ERROR')
}
