// The gates that a payment asks, in order, and what each receives: agent, delegation, wallet, budgets, counterparty.
// The counterparty comes last, because a reservation creates it.
import { statusOfCounterparty } from '../status.js'
import { idOf } from '../../actor/actor.js'
import { isAllowlisted } from '../../domain/parties/counterparty.js'
import type { Gate, Ref } from '../../domain/limits/gate.js'
import type { Address } from '../../domain/values/address.js'
import type { Micros } from '../../domain/values/money.js'
import type { LimitTerm } from '../../domain/limits/limit.js'
import type { Considered, PolicyEvaluation } from './evaluate.js'
import { serviceRef, type GatheredFacts } from './facts.js'
import { SERVICE_BUDGET } from './serviceBudget.js'
import type { Services } from '../ports.js'
import type { Proposal } from './ruleFacts.js'

export interface GateHolder {
  recipientName: string | undefined
  /** A person has approved the payment, or has to before it is executed. */
  person: boolean
}

export function gatesFor(
  services: Services,
  facts: GatheredFacts,
  { route, numbers }: Considered,
  { rules }: PolicyEvaluation,
  { amount, recipient, category }: Proposal,
  { recipientName, person }: GateHolder,
): Gate[] {
  const { timezone } = facts.organization.fields
  const own = rules.limits.filter(({ of }) => of === 'AGENT')
  const agent: Gate = { ref: facts.agent.ref, amount, terms: { timezone } }
  if (own.length > 0) agent.limits = own
  return [
    agent,
    { ref: route.leave.ref, amount, terms: leaveTerms(facts, person, category) },
    route.gate(amount, timezone),
    ...budgetGates(facts, numbers, rules.limits, amount),
    ...resourceGates(services, facts, recipient, person, amount),
    ...recipientGates(services, facts.counterpartyRef, recipient, recipientName, amount),
  ]
}

/** By x402 the host counts, too. */
function resourceGates(
  services: Services,
  { organization, resource }: GatheredFacts,
  recipient: Address | null,
  person: boolean,
  amount: Micros,
): Gate[] {
  if (resource === undefined || recipient === null) return []
  const ref = serviceRef(organization.id, resource.host)
  const terms = {
    id: idOf(ref),
    host: resource.host,
    payTo: recipient.display,
    order: String(services.nextOrder()),
    person: String(person),
  }
  return [{ ref, amount, terms }]
}

/** On a card nobody is asked: there is no address. */
function recipientGates(
  services: Services,
  ref: Ref<'counterparty'> | undefined,
  recipient: Address | null,
  recipientName: string | undefined,
  amount: Micros,
): Gate[] {
  if (ref === undefined || recipient === null) return []
  const known = {
    id: idOf(ref),
    ...(recipientName !== undefined && { name: recipientName }),
    address: recipient.display,
    order: String(services.nextOrder()),
  }
  return [{ ref, amount, terms: known }]
}

/** What a delegation, or an assignment of a card, receives with the amount. */
export function leaveTerms(facts: GatheredFacts, person: boolean, category: string | null): NonNullable<Gate['terms']> {
  if (facts.counterpartyRef === undefined) return { person: String(person), ...(category !== null && { category }) }
  return { listed: String(isAllowlisted(statusOfCounterparty(facts.counterparty))), person: String(person) }
}

/** The budgets on a route, as gates. */
export function budgetGates(
  facts: GatheredFacts,
  { budgets }: Considered['numbers'],
  limits: readonly LimitTerm[],
  amount: Gate['amount'],
): Gate[] {
  const { timezone } = facts.organization.fields
  const gates: Gate[] = []
  for (const [name, { ref, opening }] of budgets) {
    const isService = name === SERVICE_BUDGET
    const shared = limits.filter(({ of, policyId }) =>
      isService ? of === 'SERVICE' : of === 'POLICY' && policyId === name,
    )
    // Nobody else counts what is paid to a service: without a limit there is no need to.
    if (isService && shared.length === 0) continue
    const terms = { timezone, ...(opening && { joins: String(opening.joins) }) }
    gates.push({ ref, terms, limits: shared, ...(opening && { opening: opening.tally }), amount })
  }
  return gates
}

/**
 * The gates of a payment that is evaluated again: first those that already hold, with the demands of now, then those
 * that do not hold yet.
 */
export function renewedGates(held: readonly Gate[], now: readonly Gate[]): Gate[] {
  const kept = held.map(({ limits: _limits, opening: _opening, ...gate }) => {
    return now.find(({ ref }) => ref === gate.ref) ?? gate
  })
  return [...kept, ...now.filter(({ ref }) => !held.some((gate) => gate.ref === ref))]
}
