// BUDGET_CAP: the most that may be spent in a period or in total, by the agent or by all agents under the policy
// together.
import * as v from 'valibot'
import { BUDGET_PERIODS } from '../facts.js'
import { ruleType } from './ruleType.js'
import { boundSum } from './sum.js'
import { amount, microsOf, oneOf } from './values.js'

const NAMES = {
  DAILY: "the day's budget",
  WEEKLY: "the week's budget",
  MONTHLY: "the month's budget",
  TOTAL: 'the total budget',
} as const

export const budgetCap = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'BUDGET_EXCEEDED',
  isSum: true,
  sharesBudget: ({ of }) => of === 'POLICY',
  schema: v.strictObject({
    amount,
    period: oneOf(BUDGET_PERIODS),
    of: v.exactOptional(oneOf(['AGENT', 'POLICY'])),
  }),
  bind({ value: { amount: cap, period, of = 'AGENT' } }, { policyId }) {
    const name = of === 'POLICY' ? `${NAMES[period]}, shared under the policy,` : NAMES[period]
    return boundSum({ of, period, limit: microsOf(cap), policyId, violation: 'BUDGET_EXCEEDED', name })
  },
})
