// Reviews a permitted payment whose agent asks for the permit again, because the first answer was lost. Violations keep
// the permit from being shown again; the payment and its holds stay as they are.
import { statusOfCounterparty } from '../status.js'
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import { isAllowlisted } from '../../domain/parties/counterparty.js'
import { DELEGATION_REVOKED } from '../../domain/parties/delegation.js'
import { newId } from '../../domain/values/ids.js'
import { CARD_UNASSIGNED } from '../../domain/parties/card.js'
import { currentDecision, type PaymentTerms } from '../../domain/payment/terms.js'
import { succeed, type Result } from '../../domain/outcomes/result.js'
import { withoutHold } from '../../domain/limits/sums.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { consider, evaluateRules, statusViolations, type Considered } from './evaluate.js'
import { factsAbout, fundingSourceOf, type GatheredFacts } from './facts.js'
import type { Services } from '../ports.js'
import { withoutOverdue } from '../overdue.js'
import { gatesBlamed, isUnreadable, UNREADABLE, type ReviewResult } from './review.js'
import { numbersWithout, proposalOf } from './ruleFacts.js'
import { stillValid } from './stillValid.js'

export function reviewPermit(
  services: Services,
  payment: Actor<'payment'>,
): Promise<Result<ReviewResult, 'INVALID_STATUS'>> {
  const { organization } = payment.context
  return withoutOverdue(services, organization, () => reviewNow(services, payment), gatesBlamed)
}

async function reviewNow(
  services: Services,
  payment: Actor<'payment'>,
): Promise<Result<ReviewResult, 'INVALID_STATUS'>> {
  const { terms } = payment.context
  const facts = await factsAbout(services, payment.context)
  if (isUnreadable(facts)) return UNREADABLE
  const isPermitted: Unchanged = (view) => view(payment.ref)?.state === payment.state
  const route = fundingSourceOf(facts, terms!)
  if (!route) return succeed({ unchanged: isPermitted, ...denial(services, payment, [goneOf(terms!)]) })
  const considered = consider(services, facts, route)
  const stands = stillValid(services, facts, considered)
  const violations = await violationsOf(services, payment, facts, considered)
  const unchanged: Unchanged = (view) => isPermitted(view) && stands(view)
  return succeed({ unchanged, ...denial(services, payment, violations) })
}

/** All violations that stand now, without the payment's own hold. */
async function violationsOf(
  services: Services,
  payment: Actor<'payment'>,
  facts: GatheredFacts,
  considered: Considered,
): Promise<Violation[]> {
  const context = payment.context
  const proposal = proposalOf(context.terms!)
  const { amount, executionContext } = proposal
  const { route } = considered
  const { sums, clock } = route.leave
  const listed = isAllowlisted(statusOfCounterparty(facts.counterparty))
  const spending = { amount, now: Math.max(clock, facts.now), listed, person: true }
  const numbers = numbersWithout(context, considered.numbers)
  const rules = await evaluateRules(services, facts, { ...considered, numbers }, proposal)
  return [
    ...statusViolations(facts, route, executionContext),
    ...route.leaveViolations(withoutHold(sums, amount), spending, proposal.category),
    ...rules.violations,
  ]
}

function goneOf({ card }: PaymentTerms): Violation {
  return card === undefined ? DELEGATION_REVOKED : CARD_UNASSIGNED
}

function denial(
  { random }: Services,
  payment: Actor<'payment'>,
  violations: Violation[],
): Pick<ReviewResult, 'review'> {
  if (violations.length === 0) return {}
  const context = payment.context
  const { gates, reviews } = context
  const decision = { ...currentDecision(context), id: newId(random), outcome: 'DENIED' as const, violations }
  return { review: { after: reviews, gates, decision } }
}
