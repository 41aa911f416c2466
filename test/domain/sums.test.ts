import fc from 'fast-check'
import test from 'ava'
import {
  counted,
  PERIODS,
  sumsAt,
  sumsMoved,
  withCapture,
  withHold,
  withoutCapture,
  type Sums,
} from '../../src/domain/limits/sums.js'
import { windowsAt } from '../../src/domain/time/windows.js'
import { runs } from '../depth.js'

const NONE = { start: 0, spent: 0 }
const EMPTY: Sums = { held: 0, day: NONE, week: NONE, month: NONE, movedAt: 0 }
const at = (text: string): number => Date.parse(text)

/** Holds and captures 5 at `time`. */
function paid(sums: Sums, time: string, zone: string): Sums {
  return withCapture(withHold(sumsAt(sums, at(time), zone), 5), 5, at(time))
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
  t.is(counted(moved, 'day'), 10)
  t.is(counted(withoutCapture(moved, 5, at('2026-03-03T23:00:00Z')), 'day'), 10)
})

test('a zone behind, where the day, week and month before have not ended, counts what was spent in them', (t) => {
  const sums = paid(EMPTY, '2026-11-30T23:30:00Z', 'UTC')
  const moved = sumsMoved(sums, at('2026-12-01T00:30:00Z'), 'UTC', 'America/New_York')
  t.deepEqual([counted(moved, 'day'), counted(moved, 'week'), counted(moved, 'month')], [5, 5, 5])
})

test('a zone ahead, where the day, week and month began earlier, counts what was spent since then', (t) => {
  // Monday, 1 June: in Berlin it began at 22:00 UTC the day before.
  const before = paid(EMPTY, '2026-05-31T21:30:00Z', 'UTC')
  const edge = paid(before, '2026-05-31T22:30:00Z', 'UTC')
  const sums = paid(edge, '2026-06-01T08:00:00Z', 'UTC')
  const moved = sumsMoved(sums, at('2026-06-01T09:00:00Z'), 'UTC', 'Europe/Berlin')
  t.deepEqual([counted(moved, 'day'), counted(moved, 'week'), counted(moved, 'month')], [10, 10, 10])
  const later = sumsMoved(sums, at('2026-06-04T09:00:00Z'), 'UTC', 'Europe/Berlin')
  t.is(counted(later, 'day'), 0)
  t.true(counted(later, 'week') >= 10 && counted(later, 'month') >= 10)
})

test('a zone that is changed and changed back counts nothing twice', (t) => {
  const early = paid(EMPTY, '2026-06-01T20:00:00Z', 'UTC')
  const sums = paid(early, '2026-06-02T08:00:00Z', 'UTC')
  const there = sumsMoved(sums, at('2026-06-02T09:00:00Z'), 'UTC', 'America/New_York')
  t.is(counted(there, 'day'), 5)
  const back = sumsMoved(there, at('2026-06-02T09:01:00Z'), 'America/New_York', 'UTC')
  t.is(counted(back, 'day'), 5)
  const again = sumsMoved(back, at('2026-06-02T09:02:00Z'), 'UTC', 'Asia/Kolkata')
  t.is(counted(again, 'day'), 10)
  const twice = sumsMoved(again, at('2026-06-02T09:03:00Z'), 'Asia/Kolkata', 'UTC')
  t.is(counted(sumsMoved(twice, at('2026-06-02T09:04:00Z'), 'UTC', 'Asia/Kolkata'), 'day'), 10)
})

test('a zone that is changed twice in one direction counts nothing twice', (t) => {
  const sums = paid(EMPTY, '2026-05-31T22:30:00Z', 'UTC')
  const berlin = sumsMoved(sums, at('2026-06-01T05:00:00Z'), 'UTC', 'Europe/Berlin')
  t.is(counted(berlin, 'week'), 5)
  const kolkata = sumsMoved(berlin, at('2026-06-03T05:00:00Z'), 'Europe/Berlin', 'Asia/Kolkata')
  t.is(counted(kolkata, 'week'), 5)
})

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin']
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ hours: fc.integer({ min: 0, max: 40 }), pays: fc.constant(true) }) },
    fc.record({ hours: fc.integer({ min: 0, max: 40 }), zone: fc.constantFrom(...ZONES) }),
  ),
  { minLength: 2, maxLength: 25 },
)

test('no window of any zone ever counts less than was spent in it, and only a change of zone makes it count more', (t) => {
  const property = fc.property(fc.constantFrom(...ZONES), steps, (first, all) => {
    let [sums, now, zone, hasMoved] = [EMPTY, at('2026-10-20T12:00:00Z'), first, false]
    const captures: number[] = []
    for (const step of all) {
      now += step.hours * 3_600_000
      if ('zone' in step) {
        sums = sumsMoved(sums, now, zone, step.zone)
        hasMoved ||= zone !== step.zone
        zone = step.zone
      } else {
        sums = withCapture(withHold(sumsAt(sums, now, zone), 5), 5, now)
        captures.push(now)
      }
      const current = sumsAt(sums, now, zone)
      for (const period of PERIODS) {
        const { start } = windowsAt(now, zone)[period]
        const spent = 5 * captures.filter((time) => time >= start).length
        if (counted(current, period) < spent) return false
        if (!hasMoved && counted(current, period) !== spent) return false
      }
    }
    return true
  })
  fc.assert(property, { numRuns: runs(1_000) })
  t.pass()
})
