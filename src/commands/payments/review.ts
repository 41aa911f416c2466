// Reviews a payment before it is executed or approved: sanctions, policies, budgets and the terms of its delegation may
// have changed since its decision. Everything else that may have changed, the gates check.
import { paymentStatus, holdOf, statusOfCounterparty } from '../status.js'
import { charts } from '../../../machines/index.js'
import { isGone } from '../../actor/turn.js'
import type { PaymentContext, Review } from '../../../machines/payment/chart.js'
import type { PolicySnapshot } from '../../../rules/compile.js'
import { policySetHash } from '../../../rules/hash.js'
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import { RECIPIENT_BLOCKED } from '../../domain/parties/counterparty.js'
import type { Gate, Ref } from '../../domain/limits/gate.js'
import { newId } from '../../domain/values/ids.js'
import { currentDecision, type Decision } from '../../domain/payment/terms.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { UNREADABLE_LIST } from '../../domain/parties/sanctions.js'
import { isLasting, type Violation } from '../../domain/outcomes/violation.js'
import { consider, evaluateRules, isPreapproved, decidedBy, statusViolations, type Considered } from './evaluate.js'
import { factsAbout, fundingSourceOf, type GatheredFacts } from './facts.js'
import { budgetGates, gatesFor, leaveTerms, renewedGates } from './gates.js'
import { gatesOfKinds, isOfSums, withoutOverdue } from '../overdue.js'
import type { Services } from '../ports.js'
import { approvalFor } from './approvalTerms.js'
import { refusedOnDisk } from '../send.js'
import { versionsOf } from './policySnapshot.js'
import { decisionOf } from './request.js'
import { numbersWithout, proposalOf } from './ruleFacts.js'
import { stillValid } from './stillValid.js'

/** A payment with the current facts about it. */
interface Case {
  payment: PaymentContext
  facts: GatheredFacts
  considered: Considered
  /** A person has approved the payment. */
  approved: boolean
  /** The delegation requires a person, and none has approved the payment. */
  preapproval: boolean
}

/** The result of checking a payment before a command is sent to it. */
export interface ReviewResult {
  /** Present where something has changed. */
  review?: Review
  /** Whether the check still holds when the command begins. */
  unchanged: Unchanged
}

/** While the sanctions list cannot be read, payments stay as they are: a passing fault must not end them. */
export const UNREADABLE = refuse('INVALID_STATUS', UNREADABLE_LIST, { reasons: [UNREADABLE_LIST] })

/** The list cannot be read, and somebody is paid at an address. */
export function isUnreadable({ sanctions, counterpartyRef }: GatheredFacts): boolean {
  return sanctions === undefined && counterpartyRef !== undefined
}

const AGENT_DELETED = refuse('INVALID_STATUS', 'The agent was deleted: deny the request, or release the payment')

/**
 * Reviews a payment that is approved or awaits approval; in any other state its chart decides. Refuses, and leaves the
 * payment as it is, once its agent is deleted, while the sanctions list cannot be read, and while an approved payment
 * is paused that the review would change.
 */
export function reviewPayment(
  services: Services,
  actor: Actor<'payment'>,
): Promise<Result<ReviewResult, 'INVALID_STATUS'>> {
  const { organization } = actor.context
  return withoutOverdue(services, organization, () => reviewNow(services, actor), gatesBlamed)
}

/** The gates at which other holds may be to blame for a review that denies the payment. */
export function gatesBlamed(result: Result<ReviewResult>): readonly Ref[] {
  const { gates = [], decision } = (result.ok ? result.value.review : undefined) ?? {}
  return decision?.violations.some(isOfSums) ? gatesOfKinds(gates, ['agent', 'delegation', 'budget']) : []
}

async function reviewNow(services: Services, actor: Actor<'payment'>): Promise<Result<ReviewResult, 'INVALID_STATUS'>> {
  const sameState: Unchanged = (view) => view(actor.ref)?.state === actor.state
  const payment = actor.context
  const isReviewed = holdOf(actor) === 'held'
  const found = isReviewed ? await caseOf(services, payment) : undefined
  // The gates refuse a payment whose route is gone.
  if (found === undefined) return succeed({ unchanged: sameState })
  if (!found.ok) return refusedOnDisk(services, found)
  const known = found.value
  if (isUnreadable(known.facts)) return UNREADABLE
  const stands = stillValid(services, known.facts, known.considered)
  const review = await reviewed(services, known)
  const unchanged: Unchanged = (view) => sameState(view) && stands(view)
  const paused = review && paymentStatus(actor) === 'APPROVED' ? pausedBy(known) : undefined
  if (paused) return refusedOnDisk(services, paused)
  return succeed({ unchanged, ...(review && { review: { after: payment.reviews, ...review } }) })
}

/** A pause leaves an approved payment as it is, whatever its review would change; what is forbidden is forbidden. */
function pausedBy({ payment, facts, considered }: Case): Refused<'INVALID_STATUS'> | undefined {
  if (facts.sanction) return undefined
  const stops = statusViolations(facts, considered.route, payment.terms!.executionContext)
  const reasons = stops.filter((stop) => !isLasting([stop])).map(({ message }) => message)
  return reasons.length === 0 ? undefined : refuse('INVALID_STATUS', reasons[0], { reasons })
}

/** Undefined while nothing has changed. */
async function reviewed(services: Services, known: Case): Promise<ReviewContent | undefined> {
  const { payment, facts, considered } = known
  if (facts.sanction) return forbidden(services, payment, facts.sanction)
  const decision = currentDecision(payment)
  const { policies } = considered
  const isSame = policySetHash(policies) === decision.policySetHash
  // With strict lineage the last editor of a policy that asks is barred, also when the edit changed words alone.
  const asksAnew = payment.asksPerson && facts.organization.fields.strictLineage
  // Days and hours of policies are those of the organization's zone.
  const isMoved = facts.organization.fields.timezone !== decision.timezone
  const isChanged = isMoved || (!isSame && (asksAnew || (await decideOtherwise(services, decision, policies))))
  const review = isChanged ? await reevaluated(services, known) : reviewedTerms(services, known)
  // The recipient's gate would be asked last, after others have refused by limits of the former decision.
  return review && statusOfCounterparty(facts.counterparty) === 'BLOCKED'
    ? forbidden(services, payment, RECIPIENT_BLOCKED)
    : review
}

/** False when the policies have other words or other versions than those of the decision, but the same content. */
async function decideOtherwise(
  services: Services,
  decision: Decision,
  policies: readonly PolicySnapshot[],
): Promise<boolean> {
  const content = (set: readonly PolicySnapshot[]) => policySetHash(set.map((one) => ({ ...one, version: 0 })))
  return content(policies) !== content(await versionsOf(services, decision))
}

async function caseOf(
  services: Services,
  payment: PaymentContext,
): Promise<Result<Case, 'INVALID_STATUS'> | undefined> {
  const { terms, gates } = payment
  const facts = await factsAbout(services, payment)
  // An approval asks no gate: it would only leave the payment APPROVED until it expires.
  if (isGone(charts, facts.agent)) return AGENT_DELETED
  const route = fundingSourceOf(facts, terms!)
  if (!route) return undefined
  const considered = consider(services, facts, route)
  const approved = gates.find(({ ref }) => ref === route.leave.ref)?.terms?.['person'] === 'true'
  const preapproval = isPreapproved(route) && !approved
  return succeed({ payment, facts, considered, approved, preapproval })
}

type ReviewContent = Omit<Review, 'after'>

/** Evaluates the policies that apply now. An approval by a person also satisfies a delegation that requires one. */
async function reevaluated(services: Services, known: Case): Promise<ReviewContent> {
  const { payment, facts, considered: all, approved, preapproval } = known
  const { id, terms, gates } = payment
  const considered = { ...all, numbers: numbersWithout(payment, all.numbers) }
  const proposal = proposalOf(terms!)
  const rules = await evaluateRules(services, facts, considered, proposal)
  const outcome = decidedBy(rules.violations, preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  const { violations, violationsTotal } = rules
  const evaluation = { rules, outcome, violations, violationsTotal, preapproval }
  const person = approved || outcome === 'REQUIRES_APPROVAL'
  const held = { recipientName: terms!.recipientName ?? undefined, person }
  const decision = decisionOf(services, facts, considered, evaluation)
  const about = { paymentId: id, terms: terms!, facts, decision, askedBy: rules }
  return {
    decision,
    gates: renewedGates(gates, gatesFor(services, facts, all, evaluation, proposal, held)),
    ...(outcome === 'REQUIRES_APPROVAL' && { approval: approvalFor(services, about) }),
  }
}

/**
 * The policies are unchanged, and so is their decision. Budgets added to the route since belong to policies that are
 * switched off: they count the payment but limit nothing. Budgets that agents have joined since add their spending.
 */
function reviewedTerms(services: Services, known: Case): ReviewContent | undefined {
  const { payment, facts, considered, approved, preapproval } = known
  const { id: holder, terms, gates } = payment
  const { ref } = considered.route.leave
  const renewedTerms = leaveTerms(facts, approved || preapproval, terms!.category)
  const budgets = budgetGates(facts, considered.numbers, [], terms!.amount)
  const isHeld = (budget: Gate): boolean => gates.some((gate) => gate.ref === budget.ref)
  const joined = budgets.filter((budget) => isHeld(budget) && budget.opening !== undefined)
  const added = budgets.filter((budget) => !isHeld(budget))
  const isSame = gates.some((gate) => gate.ref === ref && gate.terms?.['listed'] === renewedTerms['listed'])
  if (isSame && joined.length + added.length === 0 && !preapproval) return undefined
  const kept = gates.map((gate) => {
    if (gate.ref === ref) return { ...gate, terms: renewedTerms }
    const budget = joined.find((one) => one.ref === gate.ref)
    return budget ? { ...budget, limits: gate.limits ?? [] } : gate
  })
  const all = [...kept, ...added]
  if (!preapproval) return { gates: all }
  const id = newId(services.random)
  const decision: Decision = { ...currentDecision(payment), id, outcome: 'REQUIRES_APPROVAL', preapproval }
  const about = {
    paymentId: holder,
    terms: terms!,
    facts,
    decision,
    askedBy: { requiresApprovalBy: [], approvalReasons: [] },
  }
  return { gates: all, decision, approval: approvalFor(services, about) }
}

/** The sanctions list in force, or a block, forbids the recipient. */
function forbidden(services: Services, payment: PaymentContext, violation: Violation): ReviewContent {
  const violations = [violation]
  const decision: Decision = { ...currentDecision(payment), id: newId(services.random), outcome: 'DENIED', violations }
  return { decision, gates: payment.gates }
}
