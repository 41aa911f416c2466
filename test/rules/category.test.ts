// Categories have one form, and what has it keeps it.
import test from 'ava'
import fc from 'fast-check'
import { categoryOf } from '../../rules/category.js'

test('letter case, composition and outer spaces do not matter', (t) => {
  const cases = [
    ['cloud', 'CLOUD'],
    [' Cloud\u00a0', 'CLOUD'],
    ['Cafe\u0301', 'CAF\u00c9'],
    ['straße', 'STRASSE'],
    // Its upper case is no NFC.
    ['\u0390', '\u03aa\u0301'],
    [null, ''],
    [' \t', ''],
  ] as const
  for (const [text, expected] of cases) t.is(categoryOf(text), expected)
})

test('the form of a category is its own form', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => t.is(categoryOf(categoryOf(text)), categoryOf(text))),
    { numRuns: 5_000 },
  )
})
