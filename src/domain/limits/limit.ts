// Limits that policies set on sums and counts. Rules propose them; the gate that owns the number enforces them, so that
// parallel requests cannot exceed them together.
import { toNumber, type Micros } from '../values/money.js'
import { counted } from './sums.js'
import type { Tally } from './tally.js'
import type { Violation, ViolationType } from '../outcomes/violation.js'

export type LimitMeasure = 'DAY' | 'WEEK' | 'MONTH' | 'TOTAL' | 'COUNT'

export interface LimitTerm {
  /** The owner of the number: this agent, all agents under the policy together, or this agent at one service. */
  of: 'AGENT' | 'POLICY' | 'SERVICE'
  measure: LimitMeasure
  /** Micro-units; a plain count for COUNT. */
  limit: number
  /** Length of the rolling period of a COUNT (ms). */
  periodMs?: number
  /** In an ask, what a COUNT counts without the payment, no further than above `limit`: gates keep no list of payments. */
  counted?: number
  policyId: string
  policyVersion: number
  ruleId: string
  violation: ViolationType
}

/** The smallest limit on each number, the first of equals: what is within it is within the others. */
export function tightest(terms: readonly LimitTerm[]): LimitTerm[] {
  const byNumber = new Map<string, LimitTerm>()
  for (const term of terms) {
    const owner = term.of === 'POLICY' ? term.policyId : term.of
    const number = `${owner} ${term.measure} ${term.periodMs ?? ''}`
    const known = byNumber.get(number)
    if (known === undefined || term.limit < known.limit) byNumber.set(number, term)
  }
  return [...byNumber.values()]
}

const PERIODS = { DAY: 'day', WEEK: 'week', MONTH: 'month' } as const

/** The measured value, without this payment. What nobody has counted is used up. */
export function measured({ measure, limit, counted: count = limit }: LimitTerm, { sums, total }: Tally): number {
  if (measure === 'TOTAL') return total + sums.held
  if (measure === 'COUNT') return count
  return counted(sums, PERIODS[measure])
}

/** The start of the window that the limit is on (epoch ms); 0 where it has none. */
export function windowStart({ measure }: LimitTerm, { sums }: Tally): number {
  return measure === 'TOTAL' || measure === 'COUNT' ? 0 : sums[PERIODS[measure]].start
}

/** Without limits, sums must still be exact integers. */
function overflow({ sums, total }: Tally, amount: Micros): Violation[] {
  const { held, day, week, month } = sums
  const current = held + Math.max(total, day.spent, week.spent, month.spent)
  const limit = Number.MAX_SAFE_INTEGER
  if (current + amount <= limit) return []
  return [{ type: 'BUDGET_EXCEEDED', limit, current, message: 'The sum of all payments would be too large to store' }]
}

/** Payments are counted no further than above the limit. */
function countShown(current: number, limit: number): string {
  return current > limit ? `more than the ${limit} payments that it allows` : `${current} of ${limit} payments`
}

/** Limits that a payment of `amount` exceeds. `tally` is that of the ask, without this payment. */
export function limitViolations(terms: readonly LimitTerm[], tally: Tally, amount: Micros): Violation[] {
  const passed = terms.flatMap((term): Violation[] => {
    const { limit, measure, policyId, policyVersion, ruleId, violation: type } = term
    const current = measured(term, tally)
    const isCount = measure === 'COUNT'
    if (current + (isCount ? 1 : amount) <= limit) return []
    const position = isCount ? { unit: 'COUNT' as const, ...(current <= limit && { current }) } : { current }
    const shown = isCount ? countShown(current, limit) : `${toNumber(current)} of ${toNumber(limit)}`
    const message = `The policy's limit is used up: ${shown} before this payment`
    return [{ type, limit, ...position, message, policyId, policyVersion, ruleId }]
  })
  return [...passed, ...overflow(tally, amount)]
}
