// What commands print is aligned, and text from elsewhere cannot control the terminal.
import test from 'ava'
import fc from 'fast-check'
import { clean, jsonText, recipient, record, table, tree } from '../../src/cli/terminal/show.js'
import '../support/depth.js'

const plain = (_format: string, text: string): string => text

test('columns are as wide as their widest cell', (t) => {
  const rows = [
    { name: 'a', sum: 1 },
    { name: 'longer', sum: null },
  ]
  const lines = table({ NAME: ({ name }) => name, SUM: ({ sum }) => sum }, rows, plain)
  t.deepEqual(lines, ['NAME    SUM', 'a       1', 'longer  -'])
})

test('a record shows its names on the left', (t) => {
  t.deepEqual(record({ id: 'x', status: 'ACTIVE' }, plain), ['id      x', 'status  ACTIVE'])
})

test('branches are drawn below their parent', (t) => {
  const branches = [
    { text: 'b', branches: [{ text: 'c' }, { text: 'd' }] },
    { text: 'e', branches: [{ text: 'f' }] },
  ]
  t.deepEqual(tree({ text: 'a', branches }), ['a', '├─ b', '│  ├─ c', '│  └─ d', '└─ e', '   └─ f'])
})

test('cleaned text cannot move the cursor, break the line or change the writing direction', (t) => {
  for (const text of ['\x1b[2J', 'a\nb', '\u009b1m', '\u202egnp', '\u2028', '\x00', '\x7f']) {
    t.notRegex(clean(text), /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/\p{Cc}/u.test(clean(text))))
})

test('JSON is escaped where it could control the terminal, and says the same', (t) => {
  const value = { purpose: 'a\u202eb\u009bc\u2066', lines: ['x\ny'] }
  for (const indent of [undefined, 2]) {
    const text = jsonText(value, indent)
    t.notRegex(text.replaceAll('\n', ''), /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
    t.deepEqual(JSON.parse(text), value)
  }
  t.is(clean('a\u202eb'), 'a[U+202E]b')
})

test("a recipient is its address before the agent's name for it", (t) => {
  t.is(recipient({ recipientAddress: '0x1', recipientName: 'The tax office' }), '0x1 “The tax office”')
  t.is(recipient({ recipientAddress: '0x1', recipientName: null }), '0x1')
})
