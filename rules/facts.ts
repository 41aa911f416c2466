// The facts of rules: a closed list with types. A missing or mistyped fact is reported here and becomes a denial;
// json-rules-engine would treat it as "no match" and let the payment pass.
import type { Json } from '../src/domain/values/canonical.js'
import { categoryOf, LONGEST_CATEGORY } from '../src/domain/values/category.js'
import { COUNTERPARTY_STATUSES, type CounterpartyStatus } from '../src/domain/parties/counterparty.js'
import { RAILS, type Rail } from '../src/domain/payment/terms.js'
import { toNumber, type Micros } from '../src/domain/values/money.js'
import type { Detail } from '../src/domain/outcomes/result.js'
import { isTooLong } from '../src/domain/values/text.js'
import { localTimeAt, WEEKDAYS, type Weekday } from '../src/domain/time/timezone.js'
import { quoted } from './shown.js'

export const BUDGET_PERIODS = ['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'] as const
export const COUNT_PERIODS = ['MINUTE', 'HOUR', 'DAY', 'WEEK'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]
export type CountPeriod = (typeof COUNT_PERIODS)[number]
export const COUNT_MS: Record<CountPeriod, number> = {
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 604_800_000,
}

/** The trust score where nobody is paid at an address: below every score that a rule can ask for. */
export const NO_SCORE = -1

/** Sums include executed and reserved payments and the one being decided; amounts are micro-units. */
interface KnownFacts {
  amount: Micros
  /** By `categoryOf`; empty when the payment names none. */
  category: string
  /** Set by an administrator, by `categoryOf`; OTHER when unset. */
  counterpartyCategory: string
  /** In canonical form; empty on a card, which has none. Its status is then NONE, and its score NO_SCORE. */
  recipient: string
  /** UNKNOWN for a recipient that was never met. */
  counterpartyStatus: CounterpartyStatus | 'NONE'
  /** 0-100; 20 for a recipient that was never met. */
  trustScore: number
  /** The organization has never paid the recipient. */
  newCounterparty: boolean
  /** What carries the money; absent for a transfer. */
  rail: Rail
  /** By x402: the host that is paid, the entries of lists that cover it, and the path; absent on other rails. */
  resourceHost: string
  resourceScopes: readonly string[]
  resourcePath: string
  /** The recipient is TRUSTED or VERIFIED, or a person has approved a payment to it at this host. */
  recipientApproved: boolean
  /** Epoch ms. */
  now: number
  /** The agent's sums in the calendar day, week and month of `now`, and in total. */
  dayTotal: Micros
  weekTotal: Micros
  monthTotal: Micros
  total: Micros
}

/** The agent's payments in the last minute, hour, day or week, including this one. */
type Counts = { [Period in CountPeriod as `count:${Period}`]: number }

export interface Facts extends Partial<KnownFacts & Counts> {
  /**
   * `budget:<policyId>:<period>`: the sum of all agents under the policy. `budget:service:<period>`: what the agent has
   * paid by x402 to the service; absent on other rails.
   */
  [budget: `budget:${string}:${BudgetPeriod}`]: Micros
  /** Minute of the day on the wall clock of a zone, 0-1439. */
  [minute: `minute@${string}`]: number
  [weekday: `weekday@${string}`]: Weekday
}

export type FactName = keyof Facts
export type FactValue = string | number | boolean | readonly string[]

type IsFit = (value: unknown) => boolean

const isOneOf =
  (choices: readonly unknown[]): IsFit =>
  (value) =>
    choices.includes(value)
const isWithin = (least: number, most: number, value: unknown): boolean => {
  return typeof value === 'number' && value >= least && value <= most
}
const isCount: IsFit = (value) => Number.isSafeInteger(value) && (value as number) >= 1
const isSum: IsFit = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isCategory: IsFit = (value) =>
  typeof value === 'string' && !isTooLong(value, LONGEST_CATEGORY) && value === categoryOf(value)
const isText: IsFit = (value) => typeof value === 'string' && value.isWellFormed()
const RECIPIENT = /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

const FACTS: Record<keyof (KnownFacts & Counts), IsFit> = {
  amount: isSum,
  category: isCategory,
  counterpartyCategory: (value) => value !== '' && isCategory(value),
  recipient: (value) => typeof value === 'string' && (value === '' || RECIPIENT.test(value)),
  counterpartyStatus: isOneOf([...COUNTERPARTY_STATUSES, 'NONE']),
  rail: isOneOf(RAILS),
  resourceHost: isText,
  resourceScopes: (value) => Array.isArray(value) && value.every(isText),
  resourcePath: isText,
  recipientApproved: (value) => typeof value === 'boolean',
  trustScore: (value) => isWithin(NO_SCORE, 100, value),
  newCounterparty: (value) => typeof value === 'boolean',
  now: Number.isSafeInteger,
  dayTotal: isSum,
  weekTotal: isSum,
  monthTotal: isSum,
  total: isSum,
  'count:MINUTE': isCount,
  'count:HOUR': isCount,
  'count:DAY': isCount,
  'count:WEEK': isCount,
}

/** Facts whose names have a variable part. */
const FAMILIES: readonly (readonly [RegExp, IsFit])[] = [
  [/^budget:[^:]+:(DAILY|WEEKLY|MONTHLY|TOTAL)$/, isSum],
  [/^minute@/, (value) => Number.isInteger(value) && isWithin(0, 1439, value)],
  [/^weekday@/, isOneOf(WEEKDAYS)],
]

const SERVICE_SUMS = BUDGET_PERIODS.map((period) => [`budget:service:${period}`, 0] as const)
/** What is said of a payment that is for no resource. */
const OF_NO_RESOURCE: Facts = {
  resourceHost: '',
  resourceScopes: [],
  resourcePath: '',
  recipientApproved: false,
  ...Object.fromEntries(SERVICE_SUMS),
}
const OF_TRANSFER: Facts = { rail: 'TRANSFER', ...OF_NO_RESOURCE }

/** The facts that payments on the rail of these do not keep, because they are the same for all of them. */
export function leftOut({ rail = 'TRANSFER' }: Facts): Facts {
  if (rail === 'X402') return {}
  return rail === 'TRANSFER' ? OF_TRANSFER : OF_NO_RESOURCE
}

/** Undefined for a name that is no fact. */
function fitOf(name: string): IsFit | undefined {
  if (Object.hasOwn(FACTS, name)) return FACTS[name as keyof typeof FACTS]
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1]
}

/** Faults of facts, with the fact's name as path; empty without any. */
export type FactCheck = (facts: Facts) => Detail[]

/** The check of the needed facts, prepared for many calls. */
export function factCheck(needs: readonly FactName[]): FactCheck {
  const checks = needs.map((name) => ({ name, isFit: fitOf(name) }))
  return (facts) => {
    const details: Detail[] = []
    for (const { name, isFit } of checks) {
      const value = Object.hasOwn(facts, name) ? facts[name] : undefined
      if (isFit === undefined || !isFit(value)) details.push({ path: name, message: problemOf(isFit, value) })
    }
    return details
  }
}

export function checkFacts(needs: readonly FactName[], facts: Facts): Detail[] {
  return factCheck(needs)(facts)
}

function problemOf(isFit: IsFit | undefined, value: unknown): string {
  if (isFit === undefined) return 'is no fact'
  return value === undefined ? 'is missing' : `must not be ${quoted(value)}`
}

const WALL_CLOCK = /^(minute|weekday)@/

/** True for facts that follow from `now` alone. */
export function isWallClock(name: string): name is `minute@${string}` | `weekday@${string}` {
  return WALL_CLOCK.test(name)
}

/** Those of the named facts that follow from `now` (epoch ms); throws RangeError for an unknown zone. */
export function wallClockFacts(names: readonly FactName[], now: number): Facts {
  const facts: Facts = {}
  for (const name of names.filter(isWallClock)) {
    const { weekday, hour, minute } = localTimeAt(now, name.slice(name.indexOf('@') + 1))
    if (name.startsWith('weekday@')) facts[name as `weekday@${string}`] = weekday
    else facts[name as `minute@${string}`] = hour * 60 + minute
  }
  return facts
}

/** True for the sum of all agents under a policy. */
export function isBudget(name: string): boolean {
  return name.startsWith('budget:')
}

const GROWS = /^(amount|dayTotal|weekTotal|monthTotal|total|budget:.*)$/

/** True for facts that count the payment's own amount. */
export function growsWithAmount(name: string): boolean {
  return GROWS.test(name)
}

const PASSES = /^(now$|minute@|weekday@|count:|dayTotal$|weekTotal$|monthTotal$|budget:|trustScore$)/

/** True for facts that may change by time alone. */
export function changesWithTime(name: string): boolean {
  return PASSES.test(name)
}

/** True for facts that are amounts: micro-units inside, numbers when shown. */
export function isAmountFact(name: string): boolean {
  return fitOf(name) === isSum
}

/** The facts in the form for plain json-rules-engine: amounts as numbers, times in epoch ms. */
export function shownFacts(facts: Facts): { [name: string]: Json } {
  const shown = Object.entries(facts).map(([name, fact]) => [name, isAmountFact(name) ? toNumber(Number(fact)) : fact])
  return Object.fromEntries(shown) as { [name: string]: Json }
}
