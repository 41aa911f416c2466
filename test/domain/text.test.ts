// Text that people enter: NFC, no control characters, length in code points.
import test from 'ava'
import fc from 'fast-check'
import { cleanName, cleanText, comparableName } from '../../src/domain/values/text.js'
import { runs } from '../support/depth.js'

const c0 = Array.from({ length: 0x20 }, (_, code) => code)
const controls = [...c0, ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at)]

function messageOf(value: string, rules = {}): string | undefined {
  const cleaned = cleanText(value, rules)
  return cleaned.ok ? undefined : cleaned.refusal.message
}

test('Valid text is accepted in NFC', (t) => {
  t.deepEqual(cleanText('Zoe\u0308'), { ok: true, value: 'Zo\u00eb' })
  t.deepEqual(cleanText(' a \u00a0\u2028 '), { ok: true, value: ' a \u00a0\u2028 ' })
  t.deepEqual(cleanText(''), { ok: true, value: '' })
})

test('Every control character is refused at any position', (t) => {
  t.is(controls.length, 65)
  for (const code of controls) {
    const character = String.fromCharCode(code)
    for (const text of [character, `a${character}`, `${character}b`, `a${character}b`]) {
      t.regex(messageOf(text) ?? '', /^must have no control characters, has U\+00[0-9A-F]{2} at index [01]$/)
    }
  }
})

test('Lone surrogates are refused and pairs accepted', (t) => {
  for (const text of ['\ud800', 'a\udc00', '\udc00\ud800', '\ud83d\ud83d\ude00']) {
    t.is(messageOf(text), 'must be well-formed Unicode, without lone surrogates')
  }
  t.true(cleanText('\ud83d\ude00').ok)
})

test('Length is counted in code points after NFC', (t) => {
  t.true(cleanText('😀😀😀', { max: 3 }).ok)
  t.is(messageOf('😀😀😀😀', { max: 3 }), 'must have at most 3 characters, has 4')
  t.true(cleanText('e\u0301'.repeat(3), { max: 3 }).ok)
  // Some characters decompose in NFC, the only way for text to grow.
  t.is(messageOf('\u0958', { max: 1 }), 'must have at most 1 characters, has 2')
})

test('The message names the bounds that were violated', (t) => {
  t.is(messageOf('', { min: 1, max: 100 }), 'must have 1 to 100 characters, has 0')
  t.is(messageOf('', { min: 2 }), 'must have at least 2 characters, has 0')
  t.is(messageOf('abcd', { min: 1, max: 3 }), 'must have 1 to 3 characters, has 4')
  t.is(messageOf('abc', { min: 3, max: 3 }), undefined)
})

test('Accepted text is NFC, within bounds, and unchanged when cleaned again', (t) => {
  const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 8 })
  const graphemes = fc.string({ unit: 'grapheme', maxLength: 12 })
  const property = fc.property(fc.oneof(anyText, graphemes), fc.nat({ max: 10 }), (text, max) => {
    const cleaned = cleanText(text, { max })
    if (!cleaned.ok) return true
    const { value } = cleaned
    const again = cleanText(value, { max })
    const sound = value === text.normalize('NFC') && Array.from(value).length <= max && !/[\p{Cc}\p{Cs}]/u.test(value)
    return sound && again.ok && again.value === value
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(2000) }))
})

const BIDIRECTIONAL = [0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]

test('Names are refused for what could make them read as others, and for nothing else', (t) => {
  for (const code of BIDIRECTIONAL) {
    const named = cleanName(`a${String.fromCharCode(code)}b`, 100)
    t.false(named.ok)
    t.regex(
      named.ok ? '' : named.refusal.message,
      /^must have no bidirectional formatting characters, has U\+20.. at index 1$/,
    )
    t.true(cleanText(`a${String.fromCharCode(code)}b`).ok, 'other text may have them')
  }
  for (const blank of [' ', '\u00a0', '\u2003\u3000', '\ufeff']) t.false(cleanName(blank, 100).ok)
  for (const name of ['<b>', ' a ', 'عربي', 'עברית', 'a\u200bb', '\u061c', '👩‍👩‍👧', '../..', '=1+1']) {
    t.deepEqual(cleanName(name, 100), { ok: true, value: name.normalize('NFC') })
  }
  t.false(cleanName('', 100).ok)
  t.false(cleanName('a\n', 100).ok)
  t.is(comparableName(' a b '), 'a b')
})
