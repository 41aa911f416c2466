// VELOCITY_LIMIT: the most payments that the agent may make within a rolling period.
import * as v from 'valibot'
import { COUNT_MS, COUNT_PERIODS, type Facts } from '../facts.js'
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
    const earlier = (facts: Facts): number => facts[fact]! - 1
    return {
      condition: { fact, operator: 'lessThanInclusive', value: maxCount },
      limits: [
        { of: 'AGENT', measure: 'COUNT', limit: maxCount, periodMs: COUNT_MS[period], violation: 'VELOCITY_LIMIT' },
      ],
      // Payments are counted no further than this: beyond it their number is not known.
      standing: (facts) => ({
        limit: maxCount,
        unit: 'COUNT',
        ...(earlier(facts) <= maxCount && { current: earlier(facts) }),
      }),
      explain(facts) {
        const are = maxCount === 1 ? 'is' : 'are'
        if (earlier(facts) <= maxCount) {
          return `This is payment ${facts[fact]} within ${NAMES[period]}, at most ${maxCount} ${are} allowed`
        }
        const payments = maxCount === 1 ? 'payment' : 'payments'
        return `At most ${maxCount} ${payments} within ${NAMES[period]} ${are} allowed, and there are more already`
      },
    }
  },
})
