// BLACKOUT_PERIOD: periods without payments, each with an optional reason. Dates are days in the zone of the set.
import * as v from 'valibot'
import { cleanText } from '../../src/domain/values/text.js'
import { describeSpan, spanOf } from '../instant.js'
import { quoted } from '../shown.js'
import { ruleType } from './ruleType.js'
import { bound, inOrder, duringAny } from './spans.js'
import { list } from './values.js'

const LONGEST_REASON = 200

const reason = v.pipe(
  v.string(({ input }) => `must be text, not ${quoted(input)}`),
  v.maxLength(LONGEST_REASON * 4, `must have 1 to ${LONGEST_REASON} characters`),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const clean = cleanText(dataset.value, { min: 1, max: LONGEST_REASON })
    if (clean.ok) return clean.value
    addIssue({ message: clean.refusal.message })
    return NEVER
  }),
)

const blackout = v.pipe(v.strictObject({ start: bound, end: bound, reason: v.exactOptional(reason) }), inOrder())

export const blackoutPeriod = ruleType({
  operators: ['BETWEEN'],
  actions: ['DENY', 'REQUIRE_APPROVAL'],
  violation: 'BLACKOUT_PERIOD',
  schema: v.strictObject({ windows: list(blackout) }),
  bind({ value: { windows } }, { timezone }) {
    const spans = windows.map((window) => ({ ...window, ...spanOf(window.start, window.end, timezone) }))
    return {
      condition: duringAny(spans),
      explain(facts) {
        const now = facts.now!
        const time = `It is ${new Date(now).toISOString()}`
        const current = spans.find(({ from, to }) => from <= now && now < to)
        if (current === undefined) return `${time}, outside of every blackout`
        const because = current.reason === undefined ? '' : ` (${current.reason})`
        return `${time}, inside of the blackout from ${describeSpan(current.start, current.end, timezone)}${because}`
      },
    }
  },
})
