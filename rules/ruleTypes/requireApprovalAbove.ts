// REQUIRE_APPROVAL_ABOVE: payments above an amount need a person's approval.
import { money } from '../shown.js'
import { ruleType } from './ruleType.js'
import { amount, microsOf } from './values.js'

export const requireApprovalAbove = ruleType({
  operators: ['GREATER_THAN'],
  actions: ['REQUIRE_APPROVAL'],
  violation: 'AMOUNT_LIMIT',
  schema: amount,
  bind({ value }) {
    const limit = microsOf(value)
    return {
      condition: { fact: 'amount', operator: 'greaterThan', value: limit },
      explain: (facts, met) => `The amount ${money(facts.amount!)} is ${met ? '' : 'not '}above ${money(limit)}`,
    }
  },
})
