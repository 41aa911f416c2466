// X402_MAX_PER_REQUEST: the largest amount of one payment by x402.
import { money } from '../shown.js'
import { ruleType } from './ruleType.js'
import { amount, microsOf } from './values.js'

export const x402MaxPerRequest = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'AMOUNT_LIMIT',
  rail: 'X402',
  schema: amount,
  bind({ value }) {
    const limit = microsOf(value)
    return {
      condition: { fact: 'amount', operator: 'lessThanInclusive', value: limit },
      standing: (facts) => ({ limit, current: facts.amount! }),
      explain: (facts, met) =>
        `The amount ${money(facts.amount!)} is ${met ? '' : 'not '}at most ${money(limit)} by x402`,
    }
  },
})
