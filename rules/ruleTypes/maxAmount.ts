// MAX_AMOUNT: the largest amount of one payment.
import { money } from '../shown.js'
import { ruleType } from './ruleType.js'
import { amount, microsOf } from './values.js'

export const maxAmount = ruleType({
  operators: ['LTE', 'LT'],
  actions: ['ALLOW'],
  violation: 'AMOUNT_LIMIT',
  schema: amount,
  bind({ operator, value }) {
    const limit = microsOf(value)
    const isBelow = operator === 'LT'
    return {
      condition: { fact: 'amount', operator: isBelow ? 'lessThan' : 'lessThanInclusive', value: limit },
      standing: (facts) => ({ limit, current: facts.amount! }),
      explain(facts, met) {
        const most = `${isBelow ? 'below' : 'at most'} ${money(limit)}`
        return `The amount ${money(facts.amount!)} is ${met ? '' : 'not '}${most}`
      },
    }
  },
})
