// Evaluates a payment on one route from the facts: every violation, in the order of the checks, and the outcome. It
// proposes; the gates decide.
import { agentNotActive } from '../../domain/parties/agent.js'
import { isAllowlisted, RECIPIENT_BLOCKED } from '../../domain/parties/counterparty.js'
import type { PolicySnapshot } from '../../../rules/compile.js'
import type { RuleEvaluation as RulesEvaluation } from '../../../rules/evaluate.js'
import { shownList } from '../../../rules/shown.js'
import type { Outcome } from '../../domain/payment/terms.js'
import { ORGANIZATION_FROZEN, type Violation } from '../../domain/outcomes/violation.js'
import type { GatheredFacts } from './facts.js'
import type { FundingSource } from './fundingSource.js'
import { policiesOn } from './policySet.js'
import type { Services } from '../ports.js'
import { measuring, ruleFacts, type Numbers, type Proposal } from './ruleFacts.js'
import { statusOfCounterparty, agentStatus } from '../status.js'

/** A route with the policies that apply to it and the numbers that they limit. */
export interface Considered {
  route: FundingSource
  policies: readonly PolicySnapshot[]
  numbers: Numbers
}

export interface PolicyEvaluation {
  outcome: Outcome
  violations: Violation[]
  /** With those of rules that are not listed. */
  violationsTotal: number
  /** The delegation itself requires a person. */
  preapproval: boolean
  /** The result of the rules, with the facts that they used. */
  rules: RulesEvaluation
}

/** Violations by the status of organization, agent, wallet and recipient. */
export function statusViolations(
  facts: GatheredFacts,
  route: FundingSource,
  executionContext: string | null,
): Violation[] {
  const found = facts.organization.frozenFor === null ? [] : [ORGANIZATION_FROZEN]
  found.push(...agentViolations(facts, executionContext))
  found.push(...route.statusViolations())
  if (facts.sanction) found.push(facts.sanction)
  if (statusOfCounterparty(facts.counterparty) === 'BLOCKED') found.push(RECIPIENT_BLOCKED)
  return found
}

function agentViolations(facts: GatheredFacts, executionContext: string | null): Violation[] {
  const { fields } = facts.agent.context
  const status = agentStatus(facts.agent)
  const found: Violation[] = []
  if (status !== 'ACTIVE') found.push(agentNotActive(status))
  const { allowedContexts } = fields
  if (allowedContexts.length > 0 && !allowedContexts.includes(executionContext ?? '')) {
    const message = `executionContext must be one of ${shownList(allowedContexts)}`
    found.push({ type: 'CONTEXT_NOT_ALLOWED', message })
  }
  return found
}

/** Reads what the policies of the routes need; routes under the same policies share their numbers. */
export function considerAll(services: Services, facts: GatheredFacts, routes: readonly FundingSource[]): Considered[] {
  const organization = facts.organization.id
  const numbersOf = measuring(services, facts)
  return routes.map((route) => {
    const payer = { organization, agentId: facts.agent.context.id, ...route.place }
    const set = policiesOn(services, (ref) => services.host.peek(ref), payer)
    return { route, policies: set.deciding, numbers: numbersOf(set) }
  })
}

/** The result of the rules alone. It keeps all known facts, so that other policies can be evaluated on them. */
export function evaluateRules(
  services: Services,
  facts: GatheredFacts,
  { policies, numbers }: Considered,
  proposal: Proposal,
): Promise<RulesEvaluation> {
  return services.rules.evaluate(policies, facts.organization.fields.timezone, ruleFacts(facts, numbers, proposal))
}

export function consider(services: Services, facts: GatheredFacts, route: FundingSource): Considered {
  return considerAll(services, facts, [route])[0]!
}

/** Decides on one route by the result of its rules. */
function evaluate(
  facts: GatheredFacts,
  { route }: Considered,
  proposal: Proposal,
  rules: RulesEvaluation,
): PolicyEvaluation {
  const beside = statusViolations(facts, route, proposal.executionContext).concat(
    proposal.refused ?? [],
    violationsOfLeave(facts, route, proposal),
  )
  const funds = route.fundsViolations(proposal.amount, facts)
  const violations = beside.concat(rules.violations, funds)
  const preapproval = isPreapproved(route)
  const outcome = decidedBy(violations, preapproval || rules.outcome === 'REQUIRES_APPROVAL')
  const violationsTotal = beside.length + rules.violationsTotal + funds.length
  return { outcome, violations, violationsTotal, preapproval, rules }
}

/** Those that no policy is the cause of. */
export function violationsBeside(facts: GatheredFacts, route: FundingSource, proposal: Proposal): Violation[] {
  return statusViolations(facts, route, proposal.executionContext).concat(
    proposal.refused ?? [],
    violationsOfLeave(facts, route, proposal),
    route.fundsViolations(proposal.amount, facts),
  )
}

function violationsOfLeave(facts: GatheredFacts, route: FundingSource, { amount, category }: Proposal): Violation[] {
  const { sums, clock } = route.leave
  const now = Math.max(clock, facts.now)
  const listed = isAllowlisted(statusOfCounterparty(facts.counterparty))
  return route.leaveViolations(sums, { amount, now, listed, person: true }, category)
}

export function isPreapproved({ leave }: FundingSource): boolean {
  return leave.terms.delegationType === 'PREAPPROVED'
}

/** DENY over REQUIRE_APPROVAL over ALLOW. */
export function decidedBy(violations: readonly Violation[], needsPerson: boolean): Outcome {
  if (violations.length > 0) return 'DENIED'
  return needsPerson ? 'REQUIRES_APPROVAL' : 'APPROVED'
}

const MILDNESS: Record<Outcome, number> = { APPROVED: 0, REQUIRES_APPROVAL: 1, DENIED: 2 }

export interface Evaluated {
  considered: Considered
  evaluation: PolicyEvaluation
}

/**
 * The routes up to the first that approves, and the first of them with the mildest outcome. Routes under the same
 * policies share one evaluation of them: only what wallet and delegation say differs.
 */
export async function mildest(
  services: Services,
  facts: GatheredFacts,
  routes: readonly Considered[],
  proposal: Proposal,
): Promise<{ best: Evaluated; evaluated: Evaluated[] }> {
  const evaluated: Evaluated[] = []
  const known = new Map<string, RulesEvaluation>()
  for (const considered of routes) {
    const key = considered.policies.map(({ id, version }) => `${id} ${version}`).join()
    const rules = known.get(key) ?? (await evaluateRules(services, facts, considered, proposal))
    known.set(key, rules)
    const evaluation = evaluate(facts, considered, proposal, rules)
    evaluated.push({ considered, evaluation })
    if (evaluation.outcome === 'APPROVED') break
  }
  const mildness = ({ evaluation }: Evaluated): number => MILDNESS[evaluation.outcome]
  return { best: evaluated.reduce((best, one) => (mildness(one) < mildness(best) ? one : best)), evaluated }
}
