// The sums and counts that policies limit: late reports revive nothing, and every sum is exact.
import test from 'ava'
import { limitViolations } from '../../src/domain/limit.js'
import { NO_TALLY, tallyAt, tallyReleased, tallyWithHold } from '../../src/domain/tally.js'

const NOON = Date.UTC(2024, 1, 28, 12)
const MINUTE = 60_000
const HELD = { state: 'held', amount: 1, attempt: 0 } as const

test('payments from before the counting began are added when they are reported', (t) => {
  const counting = tallyAt(NO_TALLY, NOON, 'UTC', [])
  const told = tallyAt(counting, NOON + MINUTE, 'UTC', [{ id: 'p1', at: NOON - MINUTE }])
  t.deepEqual(told.recent, [{ id: 'p1', at: NOON - MINUTE }])
})

test('a released payment is not counted again when it is reported late', (t) => {
  const counting = tallyAt(NO_TALLY, NOON, 'UTC', [])
  const held = tallyWithHold(counting, 'p1', 1, NOON + MINUTE)
  const released = tallyReleased(held, 'p1', HELD)
  t.deepEqual(tallyAt(released, NOON + 2 * MINUTE, 'UTC', [{ id: 'p1', at: NOON + MINUTE }]).recent, [])
})

test('even without a limit a sum that would not be exact is refused', (t) => {
  const tally = { ...NO_TALLY, total: Number.MAX_SAFE_INTEGER - 10 }
  t.deepEqual(limitViolations([], tally, 10, NOON), [])
  t.deepEqual(
    limitViolations([], tally, 11, NOON).map(({ type }) => type),
    ['BUDGET_EXCEEDED'],
  )
})
