// Looks at an approved payment again before it is executed, where what it was decided on may have changed: the policies
// that apply, the budgets on its way, and what its delegation asks for. What else stands against it, the gates say.
import type { PaymentContext, Review } from '../../machines/payment.js'
import type { Actor } from '../actor/actor.js'
import { parseAddress } from '../domain/address.js'
import { newId } from '../domain/ids.js'
import type { Decision } from '../domain/payment.js'
import { sanctionOf } from '../domain/sanctions.js'
import { delegationContext } from './delegations.js'
import { consider, evaluateRules, outcomeOf, type Considered } from './evaluate.js'
import { gatherFacts, type Facts } from './facts.js'
import { budgetGates, delegationTerms, gatesOf, renewedGates } from './gates.js'
import type { Services } from './ports.js'
import { approvalFor } from './approvalTerms.js'
import { decisionOf } from './request.js'
import { withoutOwn, type Wish } from './ruleFacts.js'
import { walletContext } from './wallets.js'

/** The decision that stands: that of the request, or of the last review. */
export function standingDecision({ decision, review }: PaymentContext): Decision {
  return review ?? decision!
}

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

/** Undefined while nothing has changed, and where the way it was to be paid is gone: then the gates refuse it. */
export async function reviewed(services: Services, actor: Actor): Promise<Review | undefined> {
  const payment = actor.context as unknown as PaymentContext
  const known = await caseOf(services, payment)
  if (known === undefined) return undefined
  const isChanged = services.rules.hash(known.considered.policies) !== standingDecision(payment).policySetHash
  const review = await (isChanged ? decidedAgain(services, known) : stillDecided(services, known))
  return review && { after: payment.reviews, ...review }
}

async function caseOf(services: Services, payment: PaymentContext): Promise<Case | undefined> {
  const { organization, terms, gates } = payment
  const facts = await gatherFacts(services, organization, terms!.agentId, parseAddress(terms!.recipientAddress)!)
  const route = facts.routes.find(({ wallet }) => walletContext(wallet).id === terms!.walletId)
  if (!route) return undefined
  const considered = await consider(services, facts, route)
  const approved = gates.find(({ ref }) => ref === route.delegation.ref)?.terms?.['person'] === 'true'
  const preapproval = delegationContext(route.delegation).terms.delegationType === 'PREAPPROVED' && !approved
  return { payment, facts, considered, approved, preapproval }
}

type Found = Omit<Review, 'after'>

/** Other policies apply: they decide. A person who has approved it has approved it for the delegation's sake, too. */
async function decidedAgain(services: Services, known: Case): Promise<Found> {
  const { payment, facts, considered: all, approved, preapproval } = known
  const { id, terms, gates } = payment
  const { agentId, amount, category, executionContext, recipientAddress, recipientName } = terms!
  const own = { agentId, amount, held: new Set(gates.map(({ ref }) => ref)) }
  const considered = { ...all, numbers: withoutOwn(all.numbers, own) }
  const wish: Wish = { amount, recipient: parseAddress(recipientAddress)!, category, executionContext }
  const rules = await evaluateRules(services, facts, considered, wish)
  const outcome = outcomeOf(rules.violations, preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  const evaluation = { rules, outcome, violations: rules.violations, preapproval }
  const person = approved || outcome === 'REQUIRES_APPROVAL'
  const held = { holder: id, recipientName: recipientName ?? undefined, person }
  const decision = decisionOf(services, facts, considered, evaluation)
  const about = { paymentId: id, terms: terms!, facts, decision, askedBy: rules.requiresApprovalBy }
  return {
    decision,
    gates: renewedGates(gates, gatesOf(services, facts, all, evaluation, wish, held)),
    ...(outcome !== 'DENIED' && { approval: await approvalFor(services, about) }),
  }
}

/**
 * The same policies apply, and what they said stands. Budgets that came onto the way since are those of policies that
 * are switched off: they limit nothing, and count.
 */
async function stillDecided(services: Services, known: Case): Promise<Found | undefined> {
  const { payment, facts, considered, approved, preapproval } = known
  const { id: holder, terms, gates } = payment
  const { ref } = considered.route.delegation
  const told = delegationTerms(facts, approved || preapproval)
  const kept = gates.map((gate) => (gate.ref === ref ? { ...gate, terms: told } : gate))
  const budgets = budgetGates(facts, considered.numbers, []).filter((gate) => !gates.some((one) => one.ref === gate.ref))
  const isSame = gates.some((gate) => gate.ref === ref && gate.terms?.['listed'] === told.listed)
  if (isSame && budgets.length === 0 && !preapproval) return undefined
  const all = [...kept, ...budgets.map((gate) => ({ ...gate, holder, amount: terms!.amount }))]
  if (!preapproval) return { gates: all }
  const decision: Decision = { ...standingDecision(payment), id: newId(services.random), outcome: 'REQUIRES_APPROVAL', preapproval }
  const about = { paymentId: holder, terms: terms!, facts, decision, askedBy: [] }
  return { gates: all, decision, approval: await approvalFor(services, about) }
}

/** The denial of an execution whose recipient the sanctions list in force forbids; undefined for all others. */
export function sanctioned(services: Services, actor: Actor): Review | undefined {
  const payment = actor.context as unknown as PaymentContext
  const violation = sanctionOf(services.sanctions().list, parseAddress(payment.terms!.recipientAddress)!)
  if (!violation) return undefined
  const violations = [violation]
  const decision: Decision = { ...standingDecision(payment), id: newId(services.random), outcome: 'DENIED', violations }
  return { after: payment.reviews, decision, gates: payment.gates }
}
