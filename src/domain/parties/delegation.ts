// The terms of a delegation and the one check of them, shared by the evaluation of a request and the delegation's gate.
import type { Micros } from '../values/money.js'
import { toNumber } from '../values/money.js'
import { isOpen, type Schedule, type Weekday } from '../time/schedule.js'
import { counted, PERIODS, sumsAt, type Sums } from '../limits/sums.js'
import type { Violation, ViolationType } from '../outcomes/violation.js'
import type { Period } from '../time/windows.js'

export const DELEGATION_TYPES = ['FULL', 'LIMITED', 'VIEW_ONLY', 'PREAPPROVED', 'ALLOWLIST'] as const
export type DelegationType = (typeof DELEGATION_TYPES)[number]

export interface DelegationTerms {
  delegationType: DelegationType
  /** Limits in micro-units; null means none, 0 allows nothing. */
  spendLimitPerTx: Micros | null
  spendLimitDaily: Micros | null
  spendLimitWeekly: Micros | null
  spendLimitMonthly: Micros | null
  allowedHoursStart: number
  allowedHoursEnd: number
  allowedDays: Weekday[]
  timezone: string
}

export const DELEGATION_REVOKED: Violation = { type: 'DELEGATION_NOT_ALLOWED', message: 'The delegation is revoked' }

const VIOLATIONS: Readonly<Record<Period, ViolationType>> = {
  day: 'DAILY_LIMIT',
  week: 'WEEKLY_LIMIT',
  month: 'MONTHLY_LIMIT',
}

/** What may be spent in each window; null means no limit. */
export function limitsOf(terms: DelegationTerms): Record<Period, Micros | null> {
  return { day: terms.spendLimitDaily, week: terms.spendLimitWeekly, month: terms.spendLimitMonthly }
}

/** The window whose limit this violation is of, so that its end takes it away; undefined where there is none. */
export function windowOf(violation: ViolationType): Period | undefined {
  return PERIODS.find((period) => VIOLATIONS[period] === violation)
}

export function scheduleOf(terms: DelegationTerms): Schedule {
  const { timezone, allowedHoursStart: hoursStart, allowedHoursEnd: hoursEnd, allowedDays: days } = terms
  return { timezone, hoursStart, hoursEnd, days }
}

/** Violations of the terms by `amount` at `now`, except those of the sums. */
function termViolations(terms: DelegationTerms, { amount, now, listed, person }: Spending): Violation[] {
  const found: Violation[] = []
  if (terms.delegationType === 'VIEW_ONLY') {
    found.push({ type: 'DELEGATION_NOT_ALLOWED', message: 'A VIEW_ONLY delegation cannot pay' })
  }
  if (terms.delegationType === 'PREAPPROVED' && !person) {
    const message = "A PREAPPROVED delegation pays only with a person's approval"
    found.push({ type: 'DELEGATION_NOT_ALLOWED', message })
  }
  if (terms.delegationType === 'ALLOWLIST' && !listed) {
    const message = 'An ALLOWLIST delegation pays only TRUSTED or VERIFIED counterparties'
    found.push({ type: 'DELEGATION_NOT_ALLOWED', message })
  }
  if (!isOpen(scheduleOf(terms), now)) {
    const hours = `${terms.allowedHoursStart}:00 to ${terms.allowedHoursEnd}:00`
    const days = terms.allowedDays.join(', ') || 'no day'
    found.push({ type: 'TIME_WINDOW', message: `Payments are allowed on ${days} from ${hours} (${terms.timezone})` })
  }
  const limit = terms.spendLimitPerTx
  if (limit !== null && amount > limit) {
    const message = `${toNumber(amount)} is above the limit of ${toNumber(limit)} per payment`
    found.push({ type: 'PER_TX_LIMIT', limit, current: amount, message })
  }
  return found
}

/** Violations of window limits by `amount` on top of what the windows of `now` already count. */
export function windowViolations(terms: DelegationTerms, earlier: Sums, amount: Micros, now: number): Violation[] {
  const sums = sumsAt(earlier, now, terms.timezone)
  const limits = limitsOf(terms)
  const found: Violation[] = []
  for (const period of PERIODS) {
    // No limit still means a sum that can be held exactly.
    const limit = limits[period] ?? Number.MAX_SAFE_INTEGER
    const current = counted(sums, period)
    if (current + amount <= limit) continue
    const message = `${toNumber(amount)} on top of ${toNumber(current)} passes the ${period}'s limit of ${toNumber(limit)}`
    found.push({ type: VIOLATIONS[period], limit, current, message })
  }
  return found
}

export interface Spending {
  amount: Micros
  now: number
  /** The counterparty is TRUSTED or VERIFIED. */
  listed: boolean
  /** A person has approved the payment, or has to before it is executed. */
  person: boolean
}

/** All violations of the delegation by this payment; empty when it is allowed. */
export function delegationViolations(terms: DelegationTerms, sums: Sums, payment: Spending): Violation[] {
  return termViolations(terms, payment).concat(windowViolations(terms, sums, payment.amount, payment.now))
}
