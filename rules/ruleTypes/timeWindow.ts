// TIME_WINDOW: hours of the day on the wall clock of a zone, from `start` until just before `end`; a start after the
// end wraps midnight. An `end` of 24:00 is the end of the day.
import * as v from 'valibot'
import { isTimezone } from '../../src/domain/time/windows.js'
import type { Condition } from '../condition.js'
import { quoted } from '../shown.js'
import { ruleType } from './ruleType.js'

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const LAST = '24:00'

const start = v.custom<string>(
  (written) => typeof written === 'string' && TIME.test(written),
  ({ input }) => `must be a time from "00:00" to "23:59", not ${quoted(input)}`,
)
const end = v.custom<string>(
  (written) => typeof written === 'string' && (TIME.test(written) || written === LAST),
  ({ input }) => `must be a time from "00:00" to "24:00", not ${quoted(input)}`,
)
const timezone = v.custom<string>(
  isTimezone,
  ({ input }) => `must be the IANA name of a time zone, not ${quoted(input)}`,
)

export const timeWindow = ruleType({
  operators: ['BETWEEN', 'NOT_BETWEEN'],
  actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  violation: 'TIME_WINDOW',
  schema: v.pipe(
    v.strictObject({ start, end, timezone: v.exactOptional(timezone) }),
    v.check((value) => value.start !== value.end, 'must have a start and an end that differ'),
  ),
  bind({ operator, value }, setting) {
    const zone = value.timezone ?? setting.timezone
    const fact = `minute@${zone}` as const
    const isBetween = operator === 'BETWEEN'
    const between = betweenMinutes(fact, minuteOf(value.start), minuteOf(value.end))
    return {
      condition: isBetween ? between : { not: between },
      explain(facts, met) {
        const side = met === isBetween ? 'inside of' : 'outside of'
        return `It is ${timeOf(facts[fact]!)} in ${zone}, ${side} ${value.start} to ${value.end}`
      },
    }
  },
})

function betweenMinutes(fact: `minute@${string}`, first: number, last: number): Condition {
  const parts: Condition[] = [
    { fact, operator: 'greaterThanInclusive', value: first },
    { fact, operator: 'lessThan', value: last },
  ]
  return first < last ? { all: parts } : { any: parts }
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function timeOf(minute: number): string {
  const digits = (count: number): string => String(count).padStart(2, '0')
  return `${digits(Math.floor(minute / 60))}:${digits(minute % 60)}`
}
