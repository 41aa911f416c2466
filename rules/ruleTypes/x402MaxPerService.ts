// X402_MAX_PER_SERVICE: the most that one agent may pay to one service by x402, in a period or in total. A service is the
// widest entry of X402_ALLOWED_SERVICES that covers the host, else all hosts with the same last two labels.
import * as v from 'valibot'
import { BUDGET_PERIODS, type BudgetPeriod } from '../facts.js'
import { ruleType } from './ruleType.js'
import { boundSum } from './sum.js'
import { amount, microsOf, oneOf } from './values.js'

const NAMES = {
  DAILY: "the day's limit for this service",
  WEEKLY: "the week's limit for this service",
  MONTHLY: "the month's limit for this service",
  TOTAL: 'the total limit for this service',
} as const

/** The period of the limit that such a sentence names; undefined for one that has none, or of another rule. */
export function servicePeriodIn(sentence: string): BudgetPeriod | undefined {
  return BUDGET_PERIODS.find((period) => sentence.includes(NAMES[period]))
}

export const x402MaxPerService = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'X402_SERVICE_LIMIT',
  isSum: true,
  rail: 'X402',
  schema: v.strictObject({ amount, period: oneOf(BUDGET_PERIODS) }),
  bind({ value: { amount: most, period } }, { policyId }) {
    const violation = 'X402_SERVICE_LIMIT'
    return boundSum({ of: 'SERVICE', period, limit: microsOf(most), policyId, violation, name: NAMES[period] })
  },
})
