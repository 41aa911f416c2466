// Ids: their form, and that derived ids depend on every part and on nothing else.
import { createHash, randomBytes } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { derivedId, isId, newId } from '../../src/domain/values/ids.js'
import { runs } from '../support/depth.js'

const parts = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 })

/** An independent implementation of the id: Node's SHA-256 and BigInt. */
function expectedId(...named: string[]): string {
  const digest = createHash('sha256')
    .update(named.map((part) => `${part.length}:${part}`).join(''))
    .digest('hex')
  const words = digest.match(/.{8}/g) ?? []
  return `c${words.map((word) => (BigInt(`0x${word}`) % 46656n).toString(36).padStart(3, '0')).join('')}`
}

test('New ids have CUID form and use the randomness they are given', (t) => {
  for (let count = 0; count < 1000; count += 1) t.regex(newId(randomBytes), /^c[a-z0-9]{24}$/)
  t.is(
    newId((n) => new Uint8Array(n)),
    `c${'0'.repeat(24)}`,
  )
  t.is(
    newId((n) => new Uint8Array(n).fill(1)),
    newId((n) => new Uint8Array(n).fill(1)),
  )
  t.not(
    newId((n) => new Uint8Array(n).fill(1)),
    newId((n) => new Uint8Array(n).fill(2)),
  )
})

test('Every byte of randomness changes the new id', (t) => {
  for (let at = 0; at < 32; at += 1) {
    const bytes = new Uint8Array(32)
    bytes[at] = 1
    t.not(
      newId(() => bytes),
      `c${'0'.repeat(24)}`,
      String(at),
    )
  }
})

test('Randomness in a view of a larger buffer is read from that view only', (t) => {
  const pool = randomBytes(128)
  const copy = Uint8Array.from(pool.subarray(7, 39))
  t.is(
    newId(() => pool.subarray(7, 39)),
    newId(() => copy),
  )
  t.throws(() => newId(() => pool.subarray(7, 38)), { instanceOf: RangeError })
})

test('Every position of a new id takes every character about equally often', (t) => {
  const rounds = 36_000
  const counts = Array.from({ length: 24 }, () => new Map<string, number>())
  for (let round = 0; round < rounds; round += 1) {
    const id = newId(() => createHash('sha256').update(String(round)).digest())
    counts.forEach((count, at) => count.set(id.charAt(at + 1), (count.get(id.charAt(at + 1)) ?? 0) + 1))
  }
  for (const count of counts) {
    t.is(count.size, 36)
    t.true([...count.values()].every((times) => times > 800 && times < 1200))
  }
})

test('A derived id is the SHA-256 of its parts with their lengths', (t) => {
  t.is(derivedId('agent', 'route', 'key'), 'csg2g1wgwzgwhm34wc538yqnn')
  const property = fc.property(parts, (named) => derivedId(...named) === expectedId(...named))
  t.notThrows(() => fc.assert(property))
})

test('Different parts give different ids, even if they join to the same text', (t) => {
  const joined = [['ab', 'c'], ['a', 'bc'], ['abc'], ['', 'abc'], ['abc', ''], ['c', 'ab']]
  const cases = [...joined, [], [''], ['1:a', ''], ['1', ':a']]
  t.is(new Set(cases.map((named) => derivedId(...named))).size, cases.length)
  const property = fc.property(parts, parts, (a, b) => {
    return (derivedId(...a) === derivedId(...b)) === (JSON.stringify(a) === JSON.stringify(b))
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(1000) }))
})

test('Deriving an id from text with lone surrogates throws', (t) => {
  t.throws(() => derivedId('a', '\ud800'), { instanceOf: TypeError })
  t.throws(() => derivedId('\udc00'), { instanceOf: TypeError })
})

test('Derived ids have CUID form', (t) => {
  const property = fc.property(parts, (named) => isId(derivedId(...named)))
  t.notThrows(() => fc.assert(property))
})

test('Only text in CUID form is an id', (t) => {
  t.true(isId('cabcdefghijklmnopqrstuvwx'))
  t.true(isId('c000000000000000000000000'))
  const wrong = ['', 'c', `c${'a'.repeat(23)}`, `c${'a'.repeat(25)}`, `d${'a'.repeat(24)}`, `C${'a'.repeat(24)}`]
  const odd = [`c${'A'.repeat(24)}`, `c${'-'.repeat(24)}`, `c${'a'.repeat(24)}\n`, ` c${'a'.repeat(24)}`]
  for (const text of [...wrong, ...odd, `tx_c${'a'.repeat(24)}`]) t.false(isId(text), text)
})
