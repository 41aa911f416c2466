// What an agent may spend now from each of its wallets: the smaller of what its delegation and its policies leave. It is
// read for agents that plan; the decision on a payment is computed anew.
import { objectionOf, type CompiledRule } from '../../../rules/compile.js'
import { isWallClock, wallClockFacts } from '../../../rules/facts.js'
import type { ReadySet } from '../../../rules/policySetCache.js'
import { microsOf } from '../../../rules/ruleTypes/values.js'
import type { Moment } from '../../../rules/changes.js'
import { standsUntil } from '../../../rules/ways.js'
import { measured, type LimitTerm } from '../../domain/limits/limit.js'
import { counted, PERIODS, sumsAt } from '../../domain/limits/sums.js'
import { limitsOf, scheduleOf } from '../../domain/parties/delegation.js'
import { isOpen, nextOpening } from '../../domain/time/schedule.js'
import { windowsAt, type Period } from '../../domain/time/windows.js'
import type { Micros } from '../../domain/values/money.js'
import { Effort } from './effort.js'
import { considerAll, isPreapproved, statusViolations, type Considered } from './evaluate.js'
import { walletFacts, type TransferSources } from './facts.js'
import type { WalletSource } from './fundingSource.js'
import type { Caller, Services } from '../ports.js'

export interface WalletLimits {
  walletId: string
  currency: string
  balance: Micros
  /** Null where there is no limit, here and below. */
  perPayment: Micros | null
  remaining: Record<Period, Micros | null>
  /** Epoch ms. */
  resetsAt: Record<Period, number>
  openNow: boolean
  /** Epoch ms; absent where it is open, and where no time opens it. */
  opensAt?: number
}

export interface AgentLimits {
  wallets: WalletLimits[]
  /** Above it a person must approve, whichever wallet pays; absent where a wallet pays any amount without. */
  approvalAbove?: Micros
  recipients: 'ANY' | 'LISTED'
  /** Epoch ms. */
  updatedAt: number
}

/** What one wallet says of the whole. */
interface Way {
  limits: WalletLimits
  approvalAbove: Micros
  isListed: boolean
}

export async function remainingLimits(services: Services, { principal }: Caller): Promise<AgentLimits> {
  const facts = await walletFacts(services, principal.organization, principal.agent!)
  const effort = new Effort(services.breathe)
  const ways: Way[] = []
  for (const considered of considerAll(services, facts, facts.routes)) {
    const set = await setOf(services, considered, facts.organization.fields.timezone)
    const route = considered.route as WalletSource
    ways.push({
      limits: await limitsOn(facts, route, considered, set, effort),
      approvalAbove: isPreapproved(route) ? 0 : askedAbove(set.rules),
      isListed: route.leave.terms.delegationType === 'ALLOWLIST' || set.rules.some(isRecipientList),
    })
  }
  const approvalAbove = Math.max(-1, ...ways.map((way) => way.approvalAbove))
  return {
    wallets: ways.map(({ limits }) => limits),
    ...(approvalAbove >= 0 && approvalAbove < Infinity && { approvalAbove }),
    recipients: ways.length > 0 && ways.every(({ isListed }) => isListed) ? 'LISTED' : 'ANY',
    updatedAt: facts.now,
  }
}

/** As far as it takes part in this. */
type OwnSet = Pick<ReadySet, 'rules' | 'clock'> & { compiled: Pick<ReadySet['compiled'], 'limits'>; isSound: boolean }

/** Under policies that cannot be evaluated nothing is paid. */
async function setOf({ rules }: Services, { policies }: Considered, timezone: string): Promise<OwnSet> {
  const set = await rules.ready(policies, timezone).catch(() => undefined)
  return set ? { ...set, isSound: true } : { rules: [], clock: [], compiled: { limits: [] }, isSound: false }
}

async function limitsOn(
  facts: TransferSources,
  route: WalletSource,
  { numbers }: Considered,
  set: OwnSet,
  effort: Effort,
): Promise<WalletLimits> {
  const { terms, sums, clock } = route.leave
  const now = Math.max(clock, facts.now)
  const current = sumsAt(sums, now, terms.timezone)
  const windows = windowsAt(now, terms.timezone)
  const left = (limit: Micros | null, used: Micros): Micros => (limit === null ? Infinity : Math.max(0, limit - used))
  const used = (term: LimitTerm): Micros =>
    measured(term, term.of === 'POLICY' ? numbers.budgets.get(term.policyId)!.tally : numbers.agent)
  const remainingIn = (period: Period): Micros | null => {
    const ofPolicies = set.compiled.limits.filter(({ measure }) => binds(measure, period))
    const rests = ofPolicies.map((term) => left(term.limit, used(term)))
    return bounded(Math.min(left(limitsOf(terms)[period], counted(current, period)), ...rests))
  }
  const { id, balance, fields } = route.wallet.context
  return {
    walletId: id,
    currency: fields.currency,
    balance,
    perPayment: bounded(Math.min(terms.spendLimitPerTx ?? Infinity, largestPayment(set.rules))),
    remaining: eachPeriod(remainingIn),
    resetsAt: eachPeriod((period) => windows[period].end),
    ...(await openingOf(facts, route, set, effort)),
  }
}

const eachPeriod = <Value>(of: (period: Period) => Value): Record<Period, Value> =>
  Object.fromEntries(PERIODS.map((period) => [period, of(period)])) as Record<Period, Value>

const bounded = (amount: Micros): Micros | null => (amount === Infinity ? null : amount)

const MEASURES = { day: 'DAY', week: 'WEEK', month: 'MONTH' } as const

/** What a total budget leaves is all that is left in any window, too. */
function binds(measure: LimitTerm['measure'], period: Period): boolean {
  return measure === MEASURES[period] || measure === 'TOTAL'
}

function largestPayment(rules: readonly CompiledRule[]): Micros {
  const most = rules.map(({ rule: { ruleType, operator, value } }) => {
    if (ruleType !== 'MAX_AMOUNT') return Infinity
    return microsOf(value as number) - (operator === 'LT' ? 1 : 0)
  })
  return Math.min(Infinity, ...most)
}

function askedAbove(rules: readonly CompiledRule[]): Micros {
  const asking = rules.filter(({ rule }) => rule.ruleType === 'REQUIRE_APPROVAL_ABOVE')
  return Math.min(Infinity, ...asking.map(({ rule }) => microsOf(rule.value as number)))
}

const LISTS: ReadonlySet<string> = new Set(['ALLOWED_COUNTERPARTIES', 'COUNTERPARTY_STATUS', 'CONTRACT_ALLOWLIST'])

function isRecipientList({ rule: { ruleType, action } }: CompiledRule): boolean {
  return LISTS.has(ruleType) && action === 'ALLOW'
}

/** More steps than a year of daily windows and closed days needs. */
const MAX_STEPS = 400

/** Whether hours, days and dates of delegation and policies let it pay, and when they next do. */
async function openingOf(
  facts: TransferSources,
  route: WalletSource,
  { rules, clock, isSound }: OwnSet,
  effort: Effort,
): Promise<Pick<WalletLimits, 'openNow' | 'opensAt'>> {
  const { terms } = route.leave
  const isStopped = statusViolations(facts, route, facts.agent.context.fields.allowedContexts[0] ?? null).length > 0
  if (!isSound || isStopped || terms.delegationType === 'VIEW_ONLY') return { openNow: false }
  const closing = rules.filter(closesByTime)
  const { timezone } = facts.organization.fields
  let at = facts.now
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const opening = isOpen(scheduleOf(terms), at) ? at : nextOpening(scheduleOf(terms), at)
    if (opening === undefined) return { openNow: false }
    const values = { now: opening, ...wallClockFacts(clock, opening) }
    const objecting = closing.filter((rule) => rule.objects(values))
    if (objecting.length === 0) return opening === facts.now ? { openNow: true } : { openNow: false, opensAt: opening }
    const moment: Moment = { now: opening, timezone, facts: values, least: () => 0, times: [] }
    const until = await effort.spendOn(standsUntil(objecting, moment))
    if (!until || !Number.isFinite(until.found) || until.found <= opening) return { openNow: false }
    at = until.found
  }
  return { openNow: false }
}

function closesByTime(rule: CompiledRule): boolean {
  return objectionOf(rule) === 'DENY' && rule.leaves.every(({ fact }) => fact === 'now' || isWallClock(fact))
}
