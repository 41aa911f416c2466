// Decides a payment again on the facts it was decided on: under the versions of then, to explain and to verify it, or
// under the policies of today, to see what they would say.
import type { PolicySnapshot } from '../../rules/compile.js'
import type { Explained } from '../../rules/evaluate.js'
import type { Actor } from '../actor/actor.js'
import { parseAddress } from '../domain/address.js'
import type { Decision, Outcome } from '../domain/payment.js'
import type { Violation } from '../domain/violation.js'
import { outcomeOf } from './evaluate.js'
import { paymentContext } from './payments.js'
import { standingDecision } from './review.js'
import { gatherFacts } from './facts.js'
import { policiesOn, snapshot, type PolicySet } from './policySet.js'
import type { Services } from './ports.js'
import { measure, ruleFacts, withoutOwn } from './ruleFacts.js'

export interface Replayed {
  rules: Explained
  outcome: Outcome
  violations: Violation[]
}

export async function versionsOf({ query }: Services, { policies }: Decision): Promise<PolicySnapshot[]> {
  const versions = await Promise.all(policies.map(({ id, version }) => query.version(id, version)))
  return versions.map((found) => snapshot(found!.policyId, found!.version, found!.definition))
}

/** Under the versions that decided it. */
export async function replay(services: Services, decision: Decision): Promise<Replayed> {
  return judge(services, decision, await versionsOf(services, decision))
}

/** Under the policies that apply today; what nobody measured then, they see as it is now. */
export async function replayToday(services: Services, payment: Actor): Promise<Replayed> {
  const context = paymentContext(payment)
  const { organization, terms } = context
  const decision = standingDecision(context)
  const { agentId, walletId } = terms!
  const set = policiesOn(services, (ref) => services.host.peek(ref), { organization, agentId, walletId })
  const facts = { ...(await factsNow(services, payment, set)), ...decision.facts }
  return judge(services, { ...decision, facts: facts as Decision['facts'] }, set.deciding)
}

async function factsNow(services: Services, payment: Actor, set: PolicySet) {
  const { organization, terms, gates } = paymentContext(payment)
  const { agentId, amount, category, executionContext } = terms!
  const recipient = parseAddress(terms!.recipientAddress)!
  const facts = await gatherFacts(services, organization, agentId, recipient)
  const measured = measure(services, facts, set)
  const holds = ['approved', 'awaitingApproval', 'permitted'].includes(payment.state)
  const held = new Set(holds ? gates.map(({ ref }) => ref) : [])
  // What is executed is part of what was spent.
  const open = payment.state === 'executed' ? 0 : amount
  const numbers = withoutOwn(measured, { agentId, amount, held })
  return ruleFacts(facts, numbers, { amount: open, recipient, category, executionContext })
}

/**
 * Decides again on the facts of the decision. What stood against it beside the policies still stands: those facts are
 * part of the decision, too.
 */
export async function judge(
  { rules: { explain } }: Pick<Services, 'rules'>,
  decision: Decision,
  policies: readonly PolicySnapshot[],
): Promise<Replayed> {
  const rules = await explain(policies, decision.timezone, decision.facts as never)
  const violations = [...besidePolicies(decision.violations), ...rules.violations]
  const outcome = outcomeOf(violations, decision.preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  return { rules, outcome, violations }
}


/** What stood against a payment beside the policies. */
export function besidePolicies(violations: readonly Violation[]): Violation[] {
  return violations.filter(({ policyId, type }) => policyId === undefined && type !== 'POLICY_ERROR')
}
