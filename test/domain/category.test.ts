// Categories are normalized, and a normalized category stays as it is.
import test from 'ava'
import fc from 'fast-check'
import { categoryOf } from '../../src/domain/values/category.js'
import { runs } from '../support/depth.js'

test('letter case, Unicode composition and outer spaces do not matter', (t) => {
  const cases = [
    ['cloud', 'CLOUD'],
    [' Cloud\u00a0', 'CLOUD'],
    ['Cafe\u0301', 'CAF\u00c9'],
    ['straße', 'STRASSE'],
    ['STRA\u1e9eE', 'STRASSE'],
    // Two capital thetas.
    ['\u03f4', '\u0398'],
    // Its upper case is not in NFC.
    ['\u0390', '\u03aa\u0301'],
    [null, ''],
    [' \t', ''],
  ] as const
  for (const [text, expected] of cases) t.is(categoryOf(text), expected)
})

test('normalizing a category again changes nothing', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => t.is(categoryOf(categoryOf(text)), categoryOf(text))),
    { numRuns: runs(5_000) },
  )
})
