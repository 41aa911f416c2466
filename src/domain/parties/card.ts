// A card and an agent's assignment to it. Both limit as delegations do, and use the same checks.
import type { Micros } from '../values/money.js'
import { WEEKDAYS, type Weekday } from '../time/schedule.js'
import type { Sums } from '../limits/sums.js'
import type { Violation } from '../outcomes/violation.js'
import { delegationViolations, type DelegationTerms } from './delegation.js'

export const CARD_BRANDS = ['VISA', 'MASTERCARD', 'AMEX', 'OTHER'] as const
export type CardBrand = (typeof CARD_BRANDS)[number]

export const CARD_PROVIDERS = ['MANUAL'] as const

export const CARD_STATUSES = ['ACTIVE', 'PAUSED', 'CANCELLED'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** Limits in micro-units; null means none, 0 allows nothing. */
interface CardLimits {
  spendLimitPerTx: Micros | null
  spendLimitDaily: Micros | null
}

export interface CardFields extends CardLimits {
  name: string
  provider: (typeof CARD_PROVIDERS)[number]
  last4: string
  brand: CardBrand
}

/** The terms of an assignment; a limit of null is the card's. */
export interface CardAssignmentTerms extends CardLimits {
  allowedHoursStart: number
  allowedHoursEnd: number
  allowedDays: Weekday[]
  /** Merchant category codes. */
  blockedCategories: string[]
  timezone: string
}

/** A payment on a card, as its gates see it. */
export interface CardSpending {
  amount: Micros
  now: number
}

export const CARD_NOT_ACTIVE: Violation = { type: 'CARD_NOT_ACTIVE', message: 'The card is not active' }
export const CARD_UNASSIGNED: Violation = {
  type: 'DELEGATION_NOT_ALLOWED',
  message: 'The card is not assigned any more',
}

const OF_A_DELEGATION = { delegationType: 'LIMITED', spendLimitWeekly: null, spendLimitMonthly: null } as const
const ALWAYS = { allowedHoursStart: 0, allowedHoursEnd: 24, allowedDays: [...WEEKDAYS] }

/** The terms as those of a delegation with the same limits and times. */
export function assignmentAsDelegation({
  blockedCategories: _blocked,
  ...terms
}: CardAssignmentTerms): DelegationTerms {
  return { ...OF_A_DELEGATION, ...terms }
}

function violationsIn(terms: DelegationTerms, sums: Sums, spending: CardSpending): Violation[] {
  return delegationViolations(terms, sums, { ...spending, listed: true, person: true })
}

/** All violations of the card's limits; `timezone` is that of its days. */
export function cardViolations(
  { spendLimitPerTx, spendLimitDaily }: CardLimits,
  timezone: string,
  sums: Sums,
  spending: CardSpending,
): Violation[] {
  return violationsIn({ ...OF_A_DELEGATION, ...ALWAYS, spendLimitPerTx, spendLimitDaily, timezone }, sums, spending)
}

/** All violations of an assignment's terms by a payment to a merchant of this category. */
export function assignmentViolations(
  terms: CardAssignmentTerms,
  sums: Sums,
  category: string | undefined,
  spending: CardSpending,
): Violation[] {
  const found = violationsIn(assignmentAsDelegation(terms), sums, spending)
  // What nobody has named is not known to be allowed.
  if (category !== undefined && !terms.blockedCategories.includes(category)) return found
  const message = `The merchant category ${category ?? 'is unknown, and some'} is blocked for this agent`
  return terms.blockedCategories.length === 0 ? found : [...found, { type: 'CATEGORY_RESTRICTION', message }]
}

/** Whether a limit of an assignment is above the card's. */
export function isAbove(own: Micros | null | undefined, most: Micros | null): boolean {
  return own !== undefined && own !== null && most !== null && own > most
}

/** The smaller limit; null where there is none. */
export function smallerLimit(one: Micros | null, other: Micros | null): Micros | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
