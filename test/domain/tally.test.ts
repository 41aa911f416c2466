// The sums that policies limit: every sum is exact.
import test from 'ava'
import { limitViolations } from '../../src/domain/limits/limit.js'
import { NO_TALLY } from '../../src/domain/limits/tally.js'

test('even without a limit a sum that would not be exact is refused', (t) => {
  const tally = { ...NO_TALLY, total: Number.MAX_SAFE_INTEGER - 10 }
  t.deepEqual(limitViolations([], tally, 10), [])
  t.deepEqual(
    limitViolations([], tally, 11).map(({ type }) => type),
    ['BUDGET_EXCEEDED'],
  )
})
