// VELOCITY_LIMIT: the most payments that the agent may make within a rolling period.
import * as v from 'valibot'
import { COUNT_MS, COUNT_PERIODS } from '../facts.js'
import { ruleType } from './ruleType.js'
import { oneOf, integerValue } from './values.js'

/** So many rows are read for a decision. */
const MAX_COUNT = 1000

const NAMES = { MINUTE: 'a minute', HOUR: 'an hour', DAY: 'a day', WEEK: 'a week' } as const

export const velocityLimit = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'VELOCITY_LIMIT',
  isSum: true,
  counting: ({ maxCount, period }) => ({ periodMs: COUNT_MS[period], limit: maxCount }),
  schema: v.strictObject({ maxCount: integerValue(0, MAX_COUNT), period: oneOf(COUNT_PERIODS) }),
  bind({ value: { maxCount, period } }) {
    const fact = `count:${period}` as const
    return {
      condition: { fact, operator: 'lessThanInclusive', value: maxCount },
      limits: [
        { of: 'AGENT', measure: 'COUNT', limit: maxCount, periodMs: COUNT_MS[period], violation: 'VELOCITY_LIMIT' },
      ],
      standing: (facts) => ({ limit: maxCount, current: facts[fact]! - 1, unit: 'COUNT' }),
      explain(facts) {
        return `This is payment ${facts[fact]} within ${NAMES[period]}, at most ${maxCount} are allowed`
      },
    }
  },
})
