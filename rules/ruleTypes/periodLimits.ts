// DAILY_LIMIT, WEEKLY_LIMIT and MONTHLY_LIMIT: the most that the agent may spend in a calendar day, week or month.
import type { BudgetPeriod } from '../facts.js'
import { ruleType, type RuleType } from './ruleType.js'
import { boundSum } from './sum.js'
import { amount, microsOf } from './values.js'

type Name = 'DAILY_LIMIT' | 'WEEKLY_LIMIT' | 'MONTHLY_LIMIT'

function periodLimit(violation: Name, period: BudgetPeriod, name: string): RuleType {
  return ruleType({
    operators: ['LTE'],
    actions: ['ALLOW'],
    violation,
    isSum: true,
    schema: amount,
    bind: ({ value }, { policyId }) =>
      boundSum({ of: 'AGENT', period, limit: microsOf(value), policyId, violation, name }),
  })
}

export const dailyLimit = periodLimit('DAILY_LIMIT', 'DAILY', "the day's limit")
export const weeklyLimit = periodLimit('WEEKLY_LIMIT', 'WEEKLY', "the week's limit")
export const monthlyLimit = periodLimit('MONTHLY_LIMIT', 'MONTHLY', "the month's limit")
