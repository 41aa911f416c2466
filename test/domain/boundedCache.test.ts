// A cache of bounded size keeps what was used last, and never more than its capacity.
import test from 'ava'
import fc from 'fast-check'
import { BoundedCache } from '../../src/domain/values/boundedCache.js'
import '../support/depth.js'

const USES = fc.array(fc.nat(30), { maxLength: 200 })

test('at most the capacity is kept, and whatever is among the last half of it that was used', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), USES, (capacity, uses) => {
      const cache = new BoundedCache<number, string>(capacity)
      for (const key of uses) t.is(cache.getOrInsertComputed(key, String), String(key))
      t.true(cache.size <= capacity)
      const lately = [...new Set(uses.toReversed())].slice(0, Math.floor(capacity / 2))
      for (const key of lately.toReversed()) t.is(cache.get(key), String(key))
    }),
  )
})

test('what is in use is never dropped, however much else comes and goes', (t) => {
  const cache = new BoundedCache<string, number>(4)
  cache.set('used', 1)
  for (let at = 0; at < 100; at += 1) {
    cache.set(`other ${at}`, at)
    t.is(cache.get('used'), 1)
  }
})

test('a value that is replaced or deleted does not come back', (t) => {
  const cache = new BoundedCache<string, number>(4)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.set('a', 2)
  cache.delete('b')
  for (const key of ['d', 'a', 'e']) cache.getOrInsertComputed(key, () => 3)
  t.deepEqual([cache.get('a'), cache.get('b')], [2, undefined])
})

test('a value is computed once, and undefined is not kept', (t) => {
  const cache = new BoundedCache<string, number>(4)
  let computed = 0
  const compute = (value: number | undefined) => () => ((computed += 1), value)
  t.is(cache.getOrInsertComputed('a', compute(undefined)), undefined)
  t.is(cache.size, 0)
  t.is(cache.getOrInsertComputed('a', compute(7)), 7)
  t.is(cache.getOrInsertComputed('a', compute(8)), 7)
  t.is(computed, 2)
})
