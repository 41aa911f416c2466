// The sums that policies limit: every sum is exact.
import test from 'ava'
import { limitViolations } from '../../src/domain/limits/limit.js'
import { NO_TALLY } from '../../src/domain/limits/tally.js'

test('a count above its limit is refused without a number, because payments are counted no further', (t) => {
  const origin = { policyId: 'p', policyVersion: 1, ruleId: 'r', violation: 'VELOCITY_LIMIT' } as const
  const counting = (counted: number) => {
    return limitViolations([{ of: 'AGENT', measure: 'COUNT', limit: 2, periodMs: 1, counted, ...origin }], NO_TALLY, 10)
  }
  t.deepEqual(counting(1), [])
  const [reached] = counting(2)
  t.like(reached, {
    limit: 2,
    current: 2,
    message: "The policy's limit is used up: 2 of 2 payments before this payment",
  })
  const [passed] = counting(3)
  t.false('current' in passed!)
  t.regex(passed!.message, /: more than the 2 payments that it allows before this payment$/)
})

test('even without a limit a sum that would not be exact is refused', (t) => {
  const tally = { ...NO_TALLY, total: Number.MAX_SAFE_INTEGER - 10 }
  t.deepEqual(limitViolations([], tally, 10), [])
  t.deepEqual(
    limitViolations([], tally, 11).map(({ type }) => type),
    ['BUDGET_EXCEEDED'],
  )
})
