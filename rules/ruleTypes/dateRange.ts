// DATE_RANGE: a permission that begins and expires.
import * as v from 'valibot'
import { spanOf } from '../instant.js'
import { ruleType } from './ruleType.js'
import { bound, during, inOrder } from './spans.js'

export const dateRange = ruleType({
  operators: ['BETWEEN'],
  actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  violation: 'EXPIRED_PERMISSION',
  schema: v.pipe(v.strictObject({ start: bound, end: bound }), inOrder()),
  bind: ({ value: { start, end } }) => ({
    condition: during(spanOf(start, end)),
    explain: (facts, met) =>
      `It is ${new Date(facts.now!).toISOString()}, ${met ? 'inside of' : 'outside of'} ${start} to ${end}`,
  }),
})
