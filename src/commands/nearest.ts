// The way out of a denial, computed from the facts of the decision: the largest amount that passes now, the time at
// which the same amount passes, and whether an approval by a person would allow it. The result is advice; it decides
// nothing, and it never shows a way around a person.
import { nextOpening } from '../domain/schedule.js'
import { limitsOf, scheduleOf, windowOf } from '../domain/delegation.js'
import type { Micros } from '../domain/money.js'
import type { Nearest } from '../domain/payment.js'
import { counted, PERIODS, sumsAt } from '../domain/sums.js'
import { windowsAt } from '../domain/windows.js'
import { agentContext, delegationContext, walletContext } from './contexts.js'
import { consider, evaluate, evaluateEach, mildest, type Considered, type Evaluation } from './evaluate.js'
import type { Facts, Route } from './facts.js'
import { available } from './funds.js'
import type { Services } from './ports.js'
import { numbersAt, ruleFacts, type Proposal } from './ruleFacts.js'

/** Just below the bound of amounts, 1,000,000,000. */
const LARGEST: Micros = 999_999_999_999_999

/** More steps than a year of daily windows and closed days needs. */
const MAX_STEPS = 40

/** The amounts at which the outcome may change on this route, none above what the delegation and the funds allow. */
async function thresholds(
  services: Services,
  facts: Facts,
  { route, numbers, policies }: Considered,
  proposal: Proposal,
): Promise<Micros[]> {
  const { terms, sums, clock } = delegationContext(route.delegation)
  const current = sumsAt(sums, Math.max(clock, facts.now), terms.timezone)
  const limits = limitsOf(terms)
  const rooms = PERIODS.map((period) => (limits[period] ?? Infinity) - counted(current, period))
  const most = Math.min(LARGEST, terms.spendLimitPerTx ?? Infinity, available(services, route.wallet), ...rooms)
  const values = ruleFacts(facts, numbers, { ...proposal, amount: 0 })
  const named = await services.rules.amountThresholds(policies, facts.organization.fields.timezone, values)
  const within = [most, ...named].filter((amount) => amount > 0 && amount <= most)
  return [...new Set(within)].sort((a, b) => a - b)
}

/** Who asks for a person: none where it is empty. */
function needOf({ preapproval, rules }: Evaluation): string {
  const asking = rules.requiresApprovalBy.map(({ policyId, ruleId }) => `${policyId} ${ruleId}`)
  return [...(preapproval ? ['delegation'] : []), ...asking.sort()].join()
}

/**
 * The largest amount that this route does not deny now, and that needs a person exactly as the need says; 0 when there
 * is none. A binary search is enough: the outcome is constant between two thresholds, no larger amount passes where a
 * smaller one fails, and none needs fewer people.
 */
async function largest(
  services: Services,
  facts: Facts,
  considered: Considered,
  proposal: Proposal,
  need: string,
): Promise<Micros> {
  const amounts = await thresholds(services, facts, considered, proposal)
  let passing = -1
  let failing = amounts.length
  let needed = ''
  while (failing - passing > 1) {
    await services.breathe()
    const middle = (passing + failing) >> 1
    const evaluation = await evaluate(services, facts, considered, { ...proposal, amount: amounts[middle]! })
    const isPassing = evaluation.outcome === 'APPROVED' || (need !== '' && evaluation.outcome === 'REQUIRES_APPROVAL')
    if (isPassing) [passing, needed] = [middle, needOf(evaluation)]
    else failing = middle
  }
  return needed === need ? (amounts[passing] ?? 0) : 0
}

/** The amount for a denial to name, and whether a person decides on it as on the denied one; null where there is none. */
async function largestOf(
  services: Services,
  facts: Facts,
  routes: readonly Considered[],
  proposal: Proposal,
): Promise<Pick<Nearest, 'maxAmountNow' | 'asksPerson'>> {
  const needs = (await Promise.all(routes.map((route) => evaluate(services, facts, route, proposal)))).map(needOf)
  const asksPerson = needs.every((need) => need !== '')
  const amounts = await Promise.all(
    routes.map((route, index) => largest(services, facts, route, proposal, asksPerson ? needs[index]! : '')),
  )
  const amount = Math.max(...amounts)
  if (amount === 0) return { maxAmountNow: null }
  if (!asksPerson) return { maxAmountNow: amount }
  // Another route might pay it without a person.
  const { evaluation } = mildest(await evaluateEach(services, facts, routes, { ...proposal, amount }))
  return evaluation.outcome === 'APPROVED' ? { maxAmountNow: null } : { maxAmountNow: amount, asksPerson: true }
}

/** No window will ever have room: holds count in every window, and the amount comes on top. */
function neverFits({ delegation }: Route, amount: Micros): boolean {
  const { terms, sums } = delegationContext(delegation)
  return Object.values(limitsOf(terms)).some((limit) => limit !== null && sums.held + amount > limit)
}

/** Epoch ms at which this route approves the amount if nothing but time changes; undefined for never or unknown. */
async function earliest(
  services: Services,
  facts: Facts,
  considered: Considered,
  proposal: Proposal,
): Promise<number | undefined> {
  const { timezone } = facts.organization.fields
  const { clock } = agentContext(facts.agent)
  if (neverFits(considered.route, proposal.amount)) return undefined
  let at = facts.now
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await services.breathe()
    const then = { ...considered, numbers: numbersAt(considered.numbers, Math.max(clock, at), timezone) }
    const said = await evaluate(services, { ...facts, now: at }, then, proposal)
    if (said.outcome === 'APPROVED') return at
    if (said.preapproval) return undefined
    const next = Math.max(...(await standsUntil(services, { ...facts, now: at }, then, proposal, said)))
    if (!Number.isFinite(next) || next <= at) return undefined
    at = next
  }
  return undefined
}

/** Times (epoch ms) until which each violation certainly stands: the delegation's first, then the policies'. */
async function standsUntil(
  services: Services,
  facts: Facts,
  { route, numbers, policies }: Considered,
  { amount }: Proposal,
  { violations, rules }: Evaluation,
): Promise<number[]> {
  const { terms } = delegationContext(route.delegation)
  const windows = windowsAt(facts.now, terms.timezone)
  const causes = violations.filter(({ policyId }) => policyId === undefined)
  const own = causes.map(({ type }) => {
    const period = windowOf(type)
    if (period !== undefined) return windows[period].end
    return type === 'TIME_WINDOW' ? (nextOpening(scheduleOf(terms), facts.now) ?? Infinity) : Infinity
  })
  const moment = {
    now: facts.now,
    timezone: facts.organization.fields.timezone,
    facts: rules.facts,
    least: (fact: string) => (numbers.budgets.get(fact.split(':')[1] ?? '')?.tally ?? numbers.agent).sums.held + amount,
    times: numbers.made?.times ?? [],
  }
  const named = rules.violations.flatMap(({ policyId, ruleId }) => (policyId && ruleId ? [{ policyId, ruleId }] : []))
  return [...own, ...(await services.rules.saysUntil(policies, [...named, ...rules.requiresApprovalBy], moment))]
}

/** `routes` are those open to the same request; a smaller amount may take any of them. */
export async function nearest(
  services: Services,
  facts: Facts,
  routes: readonly Considered[],
  proposal: Proposal,
): Promise<Nearest> {
  const amount = await largestOf(services, facts, routes, proposal)
  const times = await Promise.all(routes.map((route) => earliest(services, facts, route, proposal)))
  const known = times.filter((at) => at !== undefined)
  const others = alike(facts, routes).map((route) => consider(services, facts, route))
  const outcomes = await Promise.all(others.map((route) => evaluate(services, facts, route, proposal)))
  return {
    ...amount,
    earliestAt: known.length > 0 ? Math.min(...known) : null,
    approvalWouldAllow: outcomes.some(({ outcome }) => outcome === 'REQUIRES_APPROVAL'),
  }
}

/** The agent's routes on the same type of chain, which the same request could name. */
function alike(facts: Facts, [first]: readonly Considered[]): Route[] {
  const chainTypeOf = ({ wallet }: Route): string => walletContext(wallet).fields.chainType
  return facts.routes.filter((route) => first !== undefined && chainTypeOf(route) === chainTypeOf(first.route))
}
