// DAY_OF_WEEK: weekdays in the policy's zone.
import { WEEKDAYS } from '../../src/domain/time/timezone.js'
import { ruleType } from './ruleType.js'
import { oneOf, setOf } from './values.js'

export const dayOfWeek = ruleType({
  operators: ['IN_LIST', 'NOT_IN_LIST'],
  actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  violation: 'TIME_WINDOW',
  schema: setOf(oneOf(WEEKDAYS)),
  bind({ operator, value }, { timezone }) {
    const fact = `weekday@${timezone}` as const
    const isIn = operator === 'IN_LIST'
    const listed = { fact, operator: 'in', value } as const
    return {
      condition: isIn ? listed : { not: listed },
      explain: (facts, met) =>
        `It is ${facts[fact]} in ${timezone}, which is ${met === isIn ? '' : 'not '}one of ${value.join(', ')}`,
    }
  },
})
