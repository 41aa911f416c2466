import test from 'ava'
import { counted, sumsAt, sumsMoved, withCapture, withHold, withoutCapture, type Sums } from '../../src/domain/sums.js'

const NONE = { start: 0, spent: 0 }
const EMPTY: Sums = { held: 0, day: NONE, week: NONE, month: NONE, movedAt: 0 }
const at = (text: string): number => Date.parse(text)

/** Holds and captures 5 at `time`. */
function paid(sums: Sums, time: string, zone: string): Sums {
  return withCapture(withHold(sumsAt(sums, at(time), zone), 5), 5)
}

test("undoing a capture after its day does not change the new day's sum", (t) => {
  const sums = sumsAt(paid(EMPTY, '2026-03-03T23:00:00Z', 'UTC'), at('2026-03-04T01:00:00Z'), 'UTC')
  t.is(counted(withoutCapture(sums, 5, at('2026-03-03T23:00:00Z')), 'day'), 0)
  t.is(counted(withoutCapture(sums, 5, at('2026-03-03T23:00:00Z')), 'week'), 0)
})

test("a change of the zone keeps the day's sum", (t) => {
  const sums = paid(EMPTY, '2026-03-04T01:00:00Z', 'UTC')
  t.is(counted(sumsMoved(sums, at('2026-03-04T02:00:00Z'), 'UTC', 'America/New_York'), 'day'), 5)
})

test('undoing a capture from before a zone change never reduces a window that did not count it', (t) => {
  const early = paid(EMPTY, '2026-03-03T23:00:00Z', 'UTC')
  const both = paid(early, '2026-03-04T01:00:00Z', 'UTC')
  const moved = sumsMoved(both, at('2026-03-04T02:00:00Z'), 'UTC', 'America/New_York')
  t.is(counted(moved, 'day'), 5)
  t.is(counted(withoutCapture(moved, 5, at('2026-03-03T23:00:00Z')), 'day'), 5)
})
