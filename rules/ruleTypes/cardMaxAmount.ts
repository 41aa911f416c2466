// CARD_MAX_AMOUNT: the largest amount of one payment on a card.
import { money } from '../shown.js'
import { ruleType } from './ruleType.js'
import { amount, microsOf } from './values.js'

export const cardMaxAmount = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'AMOUNT_LIMIT',
  rail: 'CARD',
  schema: amount,
  bind({ value }) {
    const limit = microsOf(value)
    return {
      condition: { fact: 'amount', operator: 'lessThanInclusive', value: limit },
      standing: (facts) => ({ limit, current: facts.amount! }),
      explain: (facts, met) =>
        `The amount ${money(facts.amount!)} is ${met ? '' : 'not '}at most ${money(limit)} on a card`,
    }
  },
})
