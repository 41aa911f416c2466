// Looks at an approved payment again before it is executed, where what it was decided on may have changed: the policies
// that apply, the budgets on its way, and what its delegation asks for. What else stands against it, the gates say.
import type { PaymentContext, Review } from '../../machines/payment.js'
import type { PolicySnapshot } from '../../rules/compile.js'
import type { Actor } from '../actor/actor.js'
import type { StillValid } from '../actor/host.js'
import { parseAddress } from '../domain/address.js'
import { newId } from '../domain/ids.js'
import { currentDecision, type Decision } from '../domain/payment.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { UNREADABLE_LIST } from '../domain/sanctions.js'
import type { Violation } from '../domain/violation.js'
import { consider, evaluateRules, outcomeOf, type Considered } from './evaluate.js'
import { gatherFacts, type Facts } from './facts.js'
import { budgetGates, delegationTerms, gatesOf, renewedGates } from './gates.js'
import type { Services } from './ports.js'
import { approvalFor } from './approvalTerms.js'
import { delegationContext, paymentContext, walletContext } from './contexts.js'
import { versionsOf } from './policySnapshot.js'
import { decisionOf } from './request.js'
import { numbersWithout, proposalOf } from './ruleFacts.js'
import { standing } from './standing.js'

/** A payment with all that is known about it now. */
interface Case {
  payment: PaymentContext
  facts: Facts
  considered: Considered
  /** A person has approved it. */
  approved: boolean
  /** Its delegation asks for a person, and none has approved it. */
  preapproval: boolean
}

/** A look at a payment before something is done with it. */
export interface Look {
  /** What it came to, where something has changed. */
  review?: Review
  /** Whether the look is still good in the moment in which the command begins. */
  stillValid: StillValid
}

const REVIEWED = new Set(['approved', 'awaitingApproval'])

/** The sanctions list cannot be read: nothing is done, and nothing for good. */
export const UNREADABLE = refuse('INVALID_STATUS', UNREADABLE_LIST, { reasons: [UNREADABLE_LIST] })

/**
 * Looks at a payment that is approved or waits for a person; of any other its state decides. While the sanctions list
 * cannot be read nothing is done with it, and nothing for good: it stays what it is.
 */
export async function lookAgain(services: Services, actor: Actor): Promise<Look | Refused> {
  const sameState: StillValid = (view) => view(actor.ref)?.state === actor.state
  const payment = paymentContext(actor)
  const known = REVIEWED.has(actor.state) ? await caseOf(services, payment) : undefined
  // Where the way it was to be paid is gone, the gates refuse it.
  if (known === undefined) return { stillValid: sameState }
  if (known.facts.sanctions === undefined) return UNREADABLE
  const stands = standing(services, known.facts, known.considered)
  const review = await reviewed(services, known)
  return {
    stillValid: (view) => sameState(view) && stands(view),
    ...(review && { review: { after: payment.reviews, ...review } }),
  }
}

/** Undefined while nothing has changed. */
async function reviewed(services: Services, known: Case): Promise<Found | undefined> {
  const { payment, facts, considered } = known
  if (facts.sanction) return forbidden(services, payment, facts.sanction)
  const isChanged = await decideOtherwise(services, currentDecision(payment), considered.policies)
  return isChanged ? decidedAgain(services, known) : stillDecided(services, known)
}

/** Whether the policies that apply differ from those of the decision by more than words, which make a version, too. */
async function decideOtherwise(
  services: Services,
  decision: Decision,
  policies: readonly PolicySnapshot[],
): Promise<boolean> {
  if (services.rules.hash(policies) === decision.policySetHash) return false
  const content = (set: readonly PolicySnapshot[]) => services.rules.hash(set.map((one) => ({ ...one, version: 0 })))
  return content(policies) !== content(await versionsOf(services, decision))
}

async function caseOf(services: Services, payment: PaymentContext): Promise<Case | undefined> {
  const { organization, terms, gates } = payment
  const facts = await gatherFacts(services, organization, terms!.agentId, parseAddress(terms!.recipientAddress)!)
  const route = facts.routes.find(({ wallet }) => walletContext(wallet).id === terms!.walletId)
  if (!route) return undefined
  const considered = consider(services, facts, route)
  const approved = gates.find(({ ref }) => ref === route.delegation.ref)?.terms?.['person'] === 'true'
  const preapproval = delegationContext(route.delegation).terms.delegationType === 'PREAPPROVED' && !approved
  return { payment, facts, considered, approved, preapproval }
}

type Found = Omit<Review, 'after'>

/** Other policies apply: they decide. A person who has approved it has approved it for the delegation's sake, too. */
async function decidedAgain(services: Services, known: Case): Promise<Found> {
  const { payment, facts, considered: all, approved, preapproval } = known
  const { id, terms, gates } = payment
  const considered = { ...all, numbers: numbersWithout(payment, all.numbers) }
  const proposal = proposalOf(terms!)
  const rules = await evaluateRules(services, facts, considered, proposal)
  const outcome = outcomeOf(rules.violations, preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  const evaluation = { rules, outcome, violations: rules.violations, preapproval }
  const person = approved || outcome === 'REQUIRES_APPROVAL'
  const held = { holder: id, recipientName: terms!.recipientName ?? undefined, person }
  const decision = decisionOf(services, facts, considered, evaluation)
  const about = { paymentId: id, terms: terms!, facts, decision, askedBy: rules.requiresApprovalBy }
  return {
    decision,
    gates: renewedGates(gates, gatesOf(services, facts, all, evaluation, proposal, held)),
    ...(outcome === 'REQUIRES_APPROVAL' && { approval: approvalFor(services, about) }),
  }
}

/**
 * The same policies apply, and what they said stands. Budgets that came onto the way since are those of policies that
 * are switched off: they limit nothing, and count.
 */
function stillDecided(services: Services, known: Case): Found | undefined {
  const { payment, facts, considered, approved, preapproval } = known
  const { id: holder, terms, gates } = payment
  const { ref } = considered.route.delegation
  const told = delegationTerms(facts, approved || preapproval)
  const kept = gates.map((gate) => (gate.ref === ref ? { ...gate, terms: told } : gate))
  const budgets = budgetGates(facts, considered.numbers, [], { holder, amount: terms!.amount }).filter((gate) => !gates.some((one) => one.ref === gate.ref))
  const isSame = gates.some((gate) => gate.ref === ref && gate.terms?.['listed'] === told.listed)
  if (isSame && budgets.length === 0 && !preapproval) return undefined
  const all = [...kept, ...budgets]
  if (!preapproval) return { gates: all }
  const id = newId(services.random)
  const decision: Decision = { ...currentDecision(payment), id, outcome: 'REQUIRES_APPROVAL', preapproval }
  const about = { paymentId: holder, terms: terms!, facts, decision, askedBy: [] }
  return { gates: all, decision, approval: approvalFor(services, about) }
}

/** The sanctions list in force forbids the recipient. */
function forbidden(services: Services, payment: PaymentContext, violation: Violation): Found {
  const violations = [violation]
  const decision: Decision = { ...currentDecision(payment), id: newId(services.random), outcome: 'DENIED', violations }
  return { decision, gates: payment.gates }
}
