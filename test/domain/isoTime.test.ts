// Times are formatted as by toISOString, in whatever order they come.
import test from 'ava'
import fc from 'fast-check'
import { isoWriter } from '../../src/domain/values/isoTime.js'
import '../support/depth.js'

const MOST = 8.64e15
const times = fc.oneof(fc.integer({ min: -MOST, max: MOST }), fc.integer({ min: -2100, max: 2100 }))

test('a time is formatted as by toISOString, whatever times came before it', (t) => {
  const property = fc.property(fc.array(times, { minLength: 1, maxLength: 20 }), (all) => {
    const iso = isoWriter()
    for (const ms of all) t.is(iso(ms), new Date(ms).toISOString())
  })
  t.notThrows(() => fc.assert(property))
})

test('an invalid time throws, and the next valid one is still formatted', (t) => {
  const iso = isoWriter()
  for (const ms of [NaN, Infinity, MOST + 1]) t.throws(() => iso(ms), { instanceOf: RangeError })
  t.is(iso(0), '1970-01-01T00:00:00.000Z')
})
