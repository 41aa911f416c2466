// TRUST_SCORE: the lowest score that a recipient may have. A recipient that was never met has 20.
import { ruleType } from './ruleType.js'
import { integerValue } from './values.js'

export const trustScore = ruleType({
  operators: ['GTE'],
  actions: ['ALLOW'],
  violation: 'TRUST_SCORE',
  byRecipient: true,
  schema: integerValue(0, 100),
  bind: ({ value }) => ({
    condition: { fact: 'trustScore', operator: 'greaterThanInclusive', value },
    explain: (facts, met) => `The trust score ${facts.trustScore} is ${met ? 'at least' : 'below'} ${value}`,
  }),
})
