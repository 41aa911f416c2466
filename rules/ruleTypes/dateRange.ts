// DATE_RANGE: a permission with a beginning and an end. Dates are days in the zone of the set.
import * as v from 'valibot'
import { describeSpan, spanOf } from '../instant.js'
import { ruleType } from './ruleType.js'
import { bound, during, inOrder } from './spans.js'

export const dateRange = ruleType({
  operators: ['BETWEEN'],
  actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  violation: 'EXPIRED_PERMISSION',
  schema: v.pipe(v.strictObject({ start: bound, end: bound }), inOrder()),
  bind: ({ value: { start, end } }, { timezone }) => ({
    condition: during(spanOf(start, end, timezone)),
    explain(facts, met) {
      const side = met ? 'inside of' : 'outside of'
      return `It is ${new Date(facts.now!).toISOString()}, ${side} ${describeSpan(start, end, timezone)}`
    },
  }),
})
