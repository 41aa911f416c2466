// The way out of a denial, computed from the facts of the decision: the largest amount that passes now, the time at
// which the same amount passes, and whether an approval by a person would allow it. The result is advice; it decides
// nothing, and it never shows a way around a person. What would cost too much work is left out.
import type { Moment } from '../../../rules/changes.js'
import { objectionOf, type CompiledRule } from '../../../rules/compile.js'
import { leftOut, wallClockFacts } from '../../../rules/facts.js'
import type { ReadySet } from '../../../rules/policySetCache.js'
import { askingAt, askingOf, largestAmount, objectingAt, standsUntil } from '../../../rules/ways.js'
import { nextOpening } from '../../domain/time/schedule.js'
import { limitsOf, scheduleOf, windowOf } from '../../domain/parties/delegation.js'
import type { Micros } from '../../domain/values/money.js'
import type { Hint, Nearest, Outcome } from '../../domain/payment/terms.js'
import { counted, PERIODS, sumsAt } from '../../domain/limits/sums.js'
import { hasPolicyError, type Violation } from '../../domain/outcomes/violation.js'
import { windowsAt } from '../../domain/time/windows.js'
import { Effort } from './effort.js'
import { considerAll, isPreapproved, violationsBeside, type Considered, type Evaluated } from './evaluate.js'
import type { GatheredFacts } from './facts.js'
import { WalletSource, type FundingSource } from './fundingSource.js'
import type { Services } from '../ports.js'
import { numbersAt, ruleFacts, type Proposal } from './ruleFacts.js'

/** Just below the bound of amounts, 1,000,000,000. */
const LARGEST: Micros = 999_999_999_999_999

/** More steps than a year of daily windows and closed days needs. */
const MAX_STEPS = 40

/** A denied payment, and the work that may be spent on its way out. */
interface Asked {
  services: Services
  facts: GatheredFacts
  proposal: Proposal
  effort: Effort
}

/** The answer to one hint; undefined where it would cost too much. */
type Answer<Found> = Promise<{ found: Found } | undefined>

const NEVER = { found: null }

/** A route with its rules. */
interface Ruled extends Evaluated {
  set: ReadySet
}

/** `evaluated` are the routes that are open to the same request; a smaller amount may take any of them. */
export async function nearest(
  services: Services,
  facts: GatheredFacts,
  evaluated: readonly Evaluated[],
  proposal: Proposal,
): Promise<Nearest> {
  const asked: Asked = { services, facts, proposal, effort: new Effort(services.breathe) }
  const ruled = await ruledOf(asked, evaluated)
  const amount = await largestOf(asked, ruled)
  const time = await soonestOf(asked, ruled)
  const approval = await approvalWouldAllow(asked, evaluated)
  const omitted: Hint[] = [
    ...(amount ? [] : (['maxAmountNow'] as const)),
    ...(time ? [] : (['earliestAt'] as const)),
    ...(approval ? [] : (['approvalWouldAllow'] as const)),
  ]
  return {
    ...(amount?.found ?? { maxAmountNow: null }),
    earliestAt: time?.found ?? null,
    approvalWouldAllow: approval?.found ?? false,
    ...(omitted.length > 0 && { omitted }),
  }
}

/** The routes whose policies could be evaluated: the others have no way. */
async function ruledOf({ services, facts }: Asked, evaluated: readonly Evaluated[]): Promise<Ruled[]> {
  const sound = evaluated.filter(({ evaluation }) => !hasPolicyError(evaluation.rules.violations))
  const { timezone } = facts.organization.fields
  return Promise.all(
    sound.map(async (one) => ({ ...one, set: await services.rules.ready(one.considered.policies, timezone) })),
  )
}

/** The amount for a denial to name, and whether a person decides on it as on the denied one; null where there is none. */
async function largestOf(asked: Asked, routes: readonly Ruled[]): Answer<Pick<Nearest, 'maxAmountNow' | 'asksPerson'>> {
  const { facts, proposal, effort } = asked
  const asksPerson = routes.every(({ evaluation }) => evaluation.preapproval || askingOf(evaluation.rules).length > 0)
  let most = 0
  for (const route of routes) {
    const largest = await largestOn(asked, route, asksPerson)
    if (!largest) return undefined
    most = Math.max(most, largest.found)
  }
  if (most === 0) return { found: { maxAmountNow: null } }
  if (!asksPerson) return { found: { maxAmountNow: most } }
  // Another route might pay it without a person.
  const smaller = { ...proposal, amount: most }
  for (const { considered, evaluation, set } of routes) {
    if (evaluation.preapproval || violationsBeside(facts, considered.route, smaller).length > 0) continue
    const alone = await effort.spendOn(largestAmount(set.rules, evaluation.rules, { most, mayAsk: false }))
    if (!alone) return undefined
    if (alone.found === most) return { found: { maxAmountNow: null } }
  }
  return { found: { maxAmountNow: most, asksPerson: true } }
}

/**
 * The largest amount that this route does not deny now, and that needs a person exactly as the denied one, or nobody;
 * 0 when there is none.
 */
async function largestOn(
  { facts, proposal, effort }: Asked,
  { considered, evaluation, set }: Ruled,
  asksPerson: boolean,
): Answer<Micros> {
  const none = { found: 0 }
  if (evaluation.preapproval && !asksPerson) return none
  const most = mostOn(facts, considered.route)
  const smallest = { ...proposal, amount: Math.min(most, 1) }
  if (most <= 0 || violationsBeside(facts, considered.route, smallest).length > 0) return none
  const largest = await effort.spendOn(largestAmount(set.rules, evaluation.rules, { most, mayAsk: asksPerson }))
  if (!largest || !asksPerson || largest.found === 0) return largest
  const asking = await effort.spendOn(askingAt(set.rules, evaluation.rules, largest.found))
  if (!asking) return undefined
  return asking.found.join() === askingOf(evaluation.rules).join() ? largest : none
}

/** What the delegation and the funds of a route allow. */
function mostOn(facts: GatheredFacts, route: FundingSource): Micros {
  const { terms, sums, clock } = route.leave
  const current = sumsAt(sums, Math.max(clock, facts.now), terms.timezone)
  const limits = limitsOf(terms)
  const rooms = PERIODS.map((period) => (limits[period] ?? Infinity) - counted(current, period))
  return Math.min(LARGEST, terms.spendLimitPerTx ?? Infinity, route.available(facts), ...rooms)
}

/** The first time at which one of the routes approves the amount, if nothing but time changes; null for never. */
async function soonestOf(asked: Asked, routes: readonly Ruled[]): Answer<number | null> {
  let soonest = Infinity
  for (const route of routes) {
    const time = await earliestOn(asked, route)
    if (!time) return undefined
    soonest = Math.min(soonest, time.found ?? Infinity)
  }
  return { found: Number.isFinite(soonest) ? soonest : null }
}

/** No window will ever have room: holds count in every window, and the amount comes on top. */
function neverFits({ leave: { terms, sums } }: FundingSource, amount: Micros): boolean {
  return Object.values(limitsOf(terms)).some((limit) => limit !== null && sums.held + amount > limit)
}

/** Why a route does not approve the payment at a time. */
interface Obstacles {
  considered: Considered
  facts: GatheredFacts
  beside: readonly Violation[]
  rules: { facts: Moment['facts']; objecting: readonly CompiledRule[] }
}

async function earliestOn(asked: Asked, { considered, evaluation, set }: Ruled): Answer<number | null> {
  const { facts, proposal } = asked
  if (evaluation.preapproval || neverFits(considered.route, proposal.amount)) return NEVER
  const passing = set.rules.filter((rule) => rule.passes)
  const beside = evaluation.violations.filter(({ policyId }) => policyId === undefined)
  let at: Obstacles = { considered, facts, beside, rules: evaluation.rules }
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { now } = at.facts
    if (at.beside.length + at.rules.objecting.length === 0) return { found: now }
    const next = await standUntil(asked, at)
    if (!next) return undefined
    if (!Number.isFinite(next.found) || next.found <= now) return NEVER
    const later = await obstaclesAt(asked, considered, { set, passing }, next.found)
    if (!later) return undefined
    at = later.found
  }
  return NEVER
}

/** Of the rules, only those that time changes: the others have no objection, or there would be no such time. */
async function obstaclesAt(
  { facts, proposal, effort }: Asked,
  { route, policies, numbers }: Considered,
  { set, passing }: { set: ReadySet; passing: readonly CompiledRule[] },
  now: number,
): Answer<Obstacles> {
  const { clock } = facts.agent.context
  const then = { ...facts, now }
  const moved = numbersAt(numbers, Math.max(clock, now), facts.organization.fields.timezone)
  const own = ruleFacts(then, moved, proposal)
  const values = { ...leftOut(own), ...own, ...wallClockFacts(set.clock, now) }
  const objecting = await effort.spendOn(objectingAt(passing, values))
  if (!objecting) return undefined
  return {
    found: {
      considered: { route, policies, numbers: moved },
      facts: then,
      beside: violationsBeside(then, route, proposal),
      rules: { facts: values, objecting: objecting.found },
    },
  }
}

/** The time (epoch ms) until which one of the obstacles certainly stands. */
async function standUntil(
  { proposal, effort }: Asked,
  { considered, facts, beside, rules }: Obstacles,
): Answer<number> {
  const { route, numbers } = considered
  const { terms } = route.leave
  const windows = windowsAt(facts.now, terms.timezone)
  const own = beside.map(({ type }) => {
    const period = windowOf(type)
    if (period !== undefined) return windows[period].end
    return type === 'TIME_WINDOW' ? (nextOpening(scheduleOf(terms), facts.now) ?? Infinity) : Infinity
  })
  const until = Math.max(facts.now, ...own)
  if (until === Infinity) return { found: Infinity }
  const moment: Moment = {
    now: facts.now,
    timezone: facts.organization.fields.timezone,
    facts: rules.facts,
    least: (fact: string) =>
      (numbers.budgets.get(fact.split(':')[1] ?? '')?.tally ?? numbers.agent).sums.held + proposal.amount,
    times: numbers.made?.times ?? [],
  }
  const said = await effort.spendOn(standsUntil(rules.objecting, moment))
  return said && { found: Math.max(until, said.found) }
}

/** Whether a person could approve it from another wallet that the same request could name. */
async function approvalWouldAllow(asked: Asked, evaluated: readonly Evaluated[]): Answer<boolean> {
  const { services, facts, proposal } = asked
  const [first] = evaluated
  const known = new Set(evaluated.map(({ considered }) => considered.route.leave.ref))
  const others = alike(facts, first?.considered.route).filter((route) => {
    return !known.has(route.leave.ref) && violationsBeside(facts, route, proposal).length === 0
  })
  for (const considered of considerAll(services, facts, others)) {
    const outcome = await outcomeOn(asked, considered)
    if (!outcome) return undefined
    if (outcome.found === 'REQUIRES_APPROVAL') return { found: true }
  }
  return { found: false }
}

/** By the rules and the delegation's type. */
async function outcomeOn(
  { services, facts, proposal, effort }: Asked,
  { route, policies, numbers }: Considered,
): Answer<Outcome> {
  const values = ruleFacts(facts, numbers, proposal)
  const set = await services.rules.ready(policies, facts.organization.fields.timezone).catch(() => undefined)
  if (!set) return { found: 'DENIED' }
  const search = objectingAt(set.rules, {
    ...leftOut(values),
    ...values,
    ...wallClockFacts(set.clock, facts.now),
  })
  const objecting = await effort.spendOn(search)
  if (!objecting) return undefined
  if (objecting.found.some((rule) => objectionOf(rule) === 'DENY')) return { found: 'DENIED' }
  return { found: objecting.found.length > 0 || isPreapproved(route) ? 'REQUIRES_APPROVAL' : 'APPROVED' }
}

/** The agent's routes on the same type of chain, which the same request could name. */
function alike(facts: GatheredFacts, first: FundingSource | undefined): FundingSource[] {
  const chainTypeOf = (route: FundingSource | undefined): string | undefined =>
    route instanceof WalletSource ? route.fields.chainType : undefined
  return facts.routes.filter((route) => first !== undefined && chainTypeOf(route) === chainTypeOf(first))
}
