// The counters of automatic freeze: runs, means of other hours, and what a person's unfreeze begins anew.
import test from 'ava'
import {
  begunAnew,
  factorsCrossed,
  isWeaker,
  NO_ACTIVITY,
  noted,
  type Activity,
  type Note,
  type Thresholds,
} from '../../src/domain/limits/autoFreeze.js'

const HOUR_MS = 3_600_000
const START = Date.parse('2031-07-01T00:00:00Z')

function after(limits: Thresholds, notes: Partial<Note>[], from: Activity = NO_ACTIVITY): Activity {
  return notes.reduce<Activity>((activity, note) => noted(limits, activity, { now: START, amount: 1, ...note }), from)
}

const paid = (hour: number, amount: number): Partial<Note> => ({
  now: START + hour * HOUR_MS,
  amount,
  recipient: 'a',
  isApproved: true,
  isExecuted: true,
  isConfirmed: true,
})

test('denials in a row meet their threshold, and an approval between them ends the run', (t) => {
  const limits = { consecutiveViolations: 3 }
  const denied = { isDenied: true }
  t.deepEqual(after(limits, [denied, denied]).met, [])
  t.deepEqual(after(limits, [denied, denied, denied]).met, ['consecutiveViolations'])
  t.deepEqual(after(limits, [denied, denied, { isApproved: true, recipient: 'a' }, denied]).met, [])
})

test('failures in a row meet their threshold although each was sent before; a confirmation ends the run', (t) => {
  const limits = { consecutiveFailures: 2 }
  const sent = { isExecuted: true, recipient: 'a' }
  const failed = { isFailed: true }
  t.deepEqual(after(limits, [sent, failed, sent, failed]).met, ['consecutiveFailures'])
  t.deepEqual(after(limits, [sent, failed, sent, { isConfirmed: true }, sent, failed]).met, [])
})

test('an hour is compared with the others, never with itself', (t) => {
  const limits = { hourlySpendFactor: 3 }
  const four = after(
    limits,
    [0, 1, 2, 3].map((hour) => paid(hour, 100)),
  )
  t.deepEqual(factorsCrossed(limits, four, 1000, START + 4 * HOUR_MS), [], 'four hours are no pattern')
  const inFifth = after(limits, [paid(4, 100)], four)
  t.deepEqual(factorsCrossed(limits, inFifth, 1000, START + 4 * HOUR_MS), [], 'nor with the fifth under way')
  t.deepEqual(factorsCrossed(limits, inFifth, 300, START + 5 * HOUR_MS), [])
  t.deepEqual(factorsCrossed(limits, inFifth, 301, START + 5 * HOUR_MS), ['hourlySpendFactor'])
  const more = after(limits, [paid(5, 250)], inFifth)
  t.deepEqual(factorsCrossed(limits, more, 51, START + 5 * HOUR_MS), ['hourlySpendFactor'])
  t.deepEqual(factorsCrossed(limits, more, 300, START + 6 * HOUR_MS), [])
  t.deepEqual(factorsCrossed(limits, more, 1, START + 40 * 24 * HOUR_MS), [], 'after 30 days there is no pattern')
})

test('a payment is compared with the mean of ten or more', (t) => {
  const limits = { paymentFactor: 10 }
  const nine = after(
    limits,
    Array.from({ length: 9 }, () => paid(0, 1)),
  )
  t.deepEqual(factorsCrossed(limits, nine, 1000, START), [])
  const ten = after(limits, [paid(0, 1)], nine)
  t.deepEqual(factorsCrossed(limits, ten, 10, START), [])
  t.deepEqual(factorsCrossed(limits, ten, 11, START), ['paymentFactor'])
})

test('each further recipient of an hour meets the threshold; an unfreeze begins anew', (t) => {
  const limits = { recipientsPerHour: 2 }
  const to = (recipient: string) => ({ recipient })
  const two = after(limits, [to('a'), to('a'), to('b')])
  t.deepEqual(two.met, ['recipientsPerHour'])
  t.deepEqual(after(limits, [to('b')], two).met, [])
  t.deepEqual(after(limits, [to('c')], two).met, ['recipientsPerHour'])
  t.deepEqual(after(limits, [to('c')], begunAnew(two)).met, [])
  t.deepEqual(after(limits, [to('c'), to('d')], begunAnew(two)).met, ['recipientsPerHour'])
  t.deepEqual(after(limits, [{ ...to('c'), now: START + HOUR_MS }], two).met, [])
})

test('a change is weaker that raises a threshold, watches fewer, or only alerts', (t) => {
  const set = { action: 'FREEZE', consecutiveViolations: 5, paymentFactor: 10 } as const
  t.false(isWeaker(null, set))
  t.false(isWeaker(set, { ...set, consecutiveViolations: 4, recipientsPerHour: 3 }))
  for (const weaker of [
    null,
    { ...set, action: 'ALERT' },
    { ...set, paymentFactor: 11 },
    { action: 'FREEZE' },
  ] as const) {
    t.true(isWeaker(set, weaker))
  }
})
