// The orders of members that are kept: always sorted, and never too many.
import test from 'ava'
import fc from 'fast-check'
import { CanonicalKeys } from '../../src/domain/values/canonicalKeys.js'
import { runs } from '../support/depth.js'

const namesOf = (count: number, prefix = 'name'): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

/** Kept orders are returned as the same array again. */
function isKept(orders: CanonicalKeys, keys: string[]): boolean {
  return orders.of(keys) === orders.of([...keys])
}

test('members are sorted by code units, however many other orders were met before', (t) => {
  const orders = new CanonicalKeys(JSON.stringify)
  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.string({ maxLength: 3 }), fc.nat(99).map(String))
  const property = fc.property(fc.uniqueArray(key), (keys) => {
    t.deepEqual(
      orders.of(keys).map((member) => member.key),
      [...keys].sort(),
    )
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(20_000) }))
})

test('each member has its name as text, after a brace and after a comma', (t) => {
  const [member] = new CanonicalKeys(JSON.stringify).of(['a"b'])
  t.deepEqual(member, { key: 'a"b', first: String.raw`{"a\"b":`, next: String.raw`,"a\"b":` })
})

test('an order is kept unless it has many members or a long name', (t) => {
  const orders = new CanonicalKeys(JSON.stringify)
  t.true(isKept(orders, ['b', 'a']))
  t.true(isKept(orders, ['b', 'c']))
  t.true(isKept(orders, namesOf(64)))
  t.false(isKept(orders, namesOf(65)))
  t.true(isKept(orders, ['x', 'y'.repeat(32)]))
  t.false(isKept(orders, ['x', 'y'.repeat(33)]))
})

test('no more than 32 orders with one first name are kept', (t) => {
  const orders = new CanonicalKeys(JSON.stringify)
  const kept = namesOf(100).filter((name) => isKept(orders, ['first', name]))
  t.is(kept.length, 32)
  t.true(isKept(orders, ['second', 'name99']))
})

test('no more than 500 orders are kept, and orders that do not recur make room after a while', (t) => {
  const orders = new CanonicalKeys(JSON.stringify)
  const kept = namesOf(600).filter((name) => isKept(orders, [name]))
  t.is(kept.length, 500)
  t.false(isKept(orders, ['new']))
  for (let at = 0; at < 50_000; at += 1) orders.of([`other${at}`])
  t.true(isKept(orders, ['new']))
})
