// VELOCITY_LIMIT: the most payments that the agent may make within a rolling period.
import * as v from 'valibot'
import { COUNT_PERIODS } from '../facts.js'
import { ruleType } from './ruleType.js'
import { oneOf, whole } from './values.js'

/** Gates remember no more payments than this. */
const MOST = 1_000
const SECOND_MS = 1_000
const PERIOD_MS = {
  MINUTE: 60 * SECOND_MS,
  HOUR: 60 * 60 * SECOND_MS,
  DAY: 24 * 60 * 60 * SECOND_MS,
  WEEK: 7 * 24 * 60 * 60 * SECOND_MS,
} as const
const NAMES = { MINUTE: 'a minute', HOUR: 'an hour', DAY: 'a day', WEEK: 'a week' } as const

export const velocityLimit = ruleType({
  operators: ['LTE'],
  actions: ['ALLOW'],
  violation: 'VELOCITY_LIMIT',
  isSum: true,
  schema: v.strictObject({ maxCount: whole(0, MOST), period: oneOf(COUNT_PERIODS) }),
  bind({ value: { maxCount, period } }) {
    const fact = `count:${period}` as const
    const periodMs = PERIOD_MS[period]
    return {
      condition: { fact, operator: 'lessThanInclusive', value: maxCount },
      limits: [{ of: 'AGENT', measure: 'COUNT', limit: maxCount, periodMs, violation: 'VELOCITY_LIMIT' }],
      standing: (facts) => ({ limit: maxCount, current: facts[fact]! - 1, unit: 'COUNT' }),
      explain(facts) {
        return `This is payment ${facts[fact]} within ${NAMES[period]}, at most ${maxCount} are allowed`
      },
    }
  },
})
