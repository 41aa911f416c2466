// Objects without what is implied: what is read back is what was written.
import test from 'ava'
import { expanded, reduced } from '../../src/store/records/fields.js'

const IMPLIED = { name: null, count: 0, list: [], zone: 'UTC', isOpen: false }

const CASES: [title: string, value: object, kept: object][] = [
  ['everything as implied', { ...IMPLIED }, {}],
  ['other values', { ...IMPLIED, name: 'Ada', count: 1, list: [1] }, { name: 'Ada', count: 1, list: [1] }],
  ['values of another type', { ...IMPLIED, name: 0, count: null, list: {} }, { name: 0, count: null, list: {} }],
  ['further fields', { ...IMPLIED, more: { a: null } }, { more: { a: null } }],
  ['without a field', { name: null, count: 0, list: [], zone: 'UTC' }, { '-': ['isOpen'] }],
  ['empty', {}, { '-': ['name', 'count', 'list', 'zone', 'isOpen'] }],
]

for (const [title, value, kept] of CASES) {
  test(`an object ${title} is stored without what is implied, and read back`, (t) => {
    const stored = JSON.parse(JSON.stringify(reduced(value, IMPLIED)))
    t.deepEqual(stored, kept)
    t.deepEqual(expanded(stored, IMPLIED), value)
  })
}
