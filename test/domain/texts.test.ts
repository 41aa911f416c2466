// Texts of the audit log: every form leads to the others, whatever JSON people write.
import test from 'ava'
import fc from 'fast-check'
import { digested, ERASED, readable, withTexts, writtenTwice } from '../../src/domain/audit/texts.js'
import { salted } from '../support/salted.js'
import { canonicalJson, type Json } from '../../src/domain/values/canonical.js'
import { runs } from '../support/depth.js'

const member = fc.oneof(
  fc.constantFrom('name', 'context', 'rules', 'facts', 'salt', 'text', 'sha256', 'a/b', '~1', 'from', 'to'),
  fc.string({ maxLength: 3 }).filter((name) => name !== '__proto__'),
)
const written = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(member, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).json

let salts = 0
const random = (bytes: number): Uint8Array => new Uint8Array(new Uint32Array(bytes / 4).fill((salts += 1)).buffer)

function* stringsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* stringsIn(part!)
}

test('what people write reads the same from stored and from raw data', (t) => {
  fc.assert(
    fc.property(written, written, (context, rules) => {
      const data = { state: 'approved', terms: { context: { from: context } }, rules }
      const stored = salted(data, random)
      t.deepEqual(readable(stored), data)
      const raw = digested(stored)
      t.deepEqual(withTexts(raw.data, raw.texts), stored)
      const [other, first] = [salts, salts - raw.texts.length]
      salts = first
      t.is(writtenTwice(data, random).raw, canonicalJson(raw.data))
      t.is(salts, other)
      t.deepEqual(raw.texts.map(({ text }) => text).sort(), [...stringsIn(context)].sort())
    }),
    { numRuns: runs(300) },
  )
})

test('whichever texts are left, the others read as erased', (t) => {
  fc.assert(
    fc.property(written, fc.func(fc.boolean()), (context, isKept) => {
      const { data, texts } = digested(salted({ context }, random))
      const erased = texts.filter(({ path }) => !isKept(path))
      const read = readable(
        withTexts(
          data,
          texts.filter(({ path }) => isKept(path)),
        )!,
      )
      const marked = digested(salted({ read: { context: (read as { context: Json }).context } }, random))
      t.is(marked.texts.filter(({ text }) => text === ERASED).length, erased.length)
    }),
    { numRuns: runs(300) },
  )
})

test('a text at another path, changed or given twice is refused', (t) => {
  const { data, texts } = digested(salted({ name: 'Ada', note: 'Buys' }, random))
  const [name, note] = texts
  t.is(withTexts(data, [{ ...name!, path: '/note' }, note!]), undefined)
  t.is(withTexts(data, [{ ...name!, text: 'Eva' }]), undefined)
  t.is(withTexts(data, [name!, name!]), undefined)
  t.is(withTexts(data, [{ ...name!, path: '/__proto__' }]), undefined)
  t.deepEqual(readable(withTexts(data, [note!])!), { name: ERASED, note: 'Buys' })
})
