// CARD_ALLOWED_MCCS and CARD_BLOCKED_MCCS: payments on cards by the merchant's category code. It is the payment's category.
import { shownList } from '../shown.js'
import { ruleType, type RuleType } from './ruleType.js'
import { merchantCategory, setOf } from './values.js'

export const cardAllowedMccs = mccs('ALLOW')
export const cardBlockedMccs = mccs('DENY')

function mccs(action: 'ALLOW' | 'DENY'): RuleType {
  return ruleType({
    operators: ['IN_LIST'],
    actions: [action],
    violation: 'CATEGORY_RESTRICTION',
    rail: 'CARD',
    schema: setOf(merchantCategory),
    bind: ({ value }) => ({
      condition: { fact: 'category', operator: 'in', value },
      explain: (facts, met) =>
        `The merchant category ${facts.category} is ${met ? '' : 'not '}one of ${shownList(value)}`,
    }),
  })
}
