// The memo of spans: what it caches, what it evicts, and that it never changes an answer.
import test from 'ava'
import fc from 'fast-check'
import { memoizeSpan, type TimeSpan } from '../../src/domain/time/spans.js'
import { seedOr } from '../support/depth.js'

interface Named extends TimeSpan {
  name: string
}

/** Spans of ten units in every zone, counting how often one was measured. */
function counting(): { measure: (now: number, timezone: string) => Named; count: () => number } {
  let measured = 0
  const measure = (now: number, timezone: string): Named => {
    measured += 1
    const from = Math.floor(now / 10) * 10
    return { from, to: from + 10, name: `${timezone} ${from}` }
  }
  return { measure, count: () => measured }
}

test('a span is measured once for all instants in it', (t) => {
  const { measure, count } = counting()
  const spanAt = memoizeSpan(measure)
  for (let now = 10; now < 20; now += 1) t.is(spanAt(now, 'UTC').name, 'UTC 10')
  t.is(count(), 1)
})

test('going back and forth between eight spans measures each once, and the ninth evicts the oldest', (t) => {
  const { measure, count } = counting()
  const spanAt = memoizeSpan(measure)
  for (const now of [19, 20, 39, 45, 50, 69, 70, 80, 10, 29, 30, 41, 59, 60, 77, 88]) spanAt(now, 'UTC')
  t.is(count(), 8)
  for (const now of [90, 20]) spanAt(now, 'UTC')
  t.is(count(), 9)
  spanAt(10, 'UTC')
  t.is(count(), 10)
})

test('zones do not share spans', (t) => {
  const spanAt = memoizeSpan(counting().measure)
  t.is(spanAt(5, 'UTC').name, 'UTC 0')
  t.is(spanAt(5, 'Europe/Berlin').name, 'Europe/Berlin 0')
})

test('the last thousand zones are kept, and one of long ago is evicted', (t) => {
  const { measure, count } = counting()
  const spanAt = memoizeSpan(measure)
  for (let zone = 0; zone <= 2_000; zone += 1) spanAt(5, `zone ${zone}`)
  spanAt(5, 'zone 1001')
  t.is(count(), 2_001)
  spanAt(5, 'zone 0')
  t.is(count(), 2_002)
})

test('a measurement that throws is not cached', (t) => {
  const spanAt = memoizeSpan((): TimeSpan => {
    throw new RangeError('no such zone')
  })
  t.throws(() => spanAt(5, 'Mars/Olympus'), { instanceOf: RangeError })
  t.throws(() => spanAt(5, 'Mars/Olympus'), { instanceOf: RangeError })
})

test('answers with the memo equal those without it', (t) => {
  const { measure } = counting()
  const spanAt = memoizeSpan(measure)
  const question = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.constantFrom('a', 'b'))
  const same = fc.property(fc.array(question), (asked) => {
    return asked.every(([now, timezone]) => spanAt(now, timezone).name === measure(now, timezone).name)
  })
  t.notThrows(() => fc.assert(same, { seed: seedOr(20240229) }))
})
