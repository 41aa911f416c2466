// Decides a payment again on the facts it was decided on: under the versions of then, to explain and to verify it, or
// under the policies of today, to see what they would say.
import type { PolicySnapshot } from '../../rules/compile.js'
import type { Evaluation as RulesEvaluation } from '../../rules/evaluate.js'
import type { Actor } from '../actor/actor.js'
import type { Decision, Outcome } from '../domain/payment.js'
import type { Violation } from '../domain/violation.js'
import { outcomeOf } from './evaluate.js'
import { paymentContext } from './payments.js'
import { applicablePolicies, snapshot, snapshotOf } from './policySet.js'
import type { Services } from './ports.js'

export interface Replayed {
  rules: RulesEvaluation
  outcome: Outcome
  violations: Violation[]
}

async function versionsOf({ query }: Services, { policies }: Decision): Promise<PolicySnapshot[]> {
  const versions = await Promise.all(policies.map(({ id, version }) => query.version(id, version)))
  return versions.map((found) => snapshot(found!.policyId, found!.version, found!.definition))
}

/** Under the versions that decided it. */
export async function replay(services: Services, payment: Actor): Promise<Replayed> {
  const decision = paymentContext(payment).decision!
  return judge(services, decision, await versionsOf(services, decision))
}

/** Under the policies that apply today. */
export async function replayToday(services: Services, payment: Actor): Promise<Replayed> {
  const { decision, organization, terms } = paymentContext(payment)
  const policies = await applicablePolicies(services, organization, terms!.agentId, terms!.walletId)
  return judge(services, decision!, policies.map(snapshotOf))
}

/** What stood against it beside the policies still stands: those facts are part of the decision, too. */
async function judge(services: Services, decision: Decision, policies: PolicySnapshot[]): Promise<Replayed> {
  const rules = await services.rules.evaluate(policies, decision.timezone, decision.facts as never)
  const others = decision.violations.filter(({ policyId, type }) => policyId === undefined && type !== 'POLICY_ERROR')
  const violations = [...others, ...rules.violations]
  const outcome = outcomeOf(violations, decision.preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  return { rules, outcome, violations }
}

