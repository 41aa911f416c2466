// The RFC 8785 form against the examples of the RFC, and its properties on any JSON.
import test from 'ava'
import fc from 'fast-check'
import { canonicalJson, isSameJson, type Json } from '../../src/domain/values/canonical.js'
import { runs } from '../support/depth.js'

const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }) as fc.Arbitrary<Json>

function doubleOf(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE()
}

/** The same value with the members of every object in reverse order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member ?? null)]),
  )
}

test('The example of section 3.2.2 has the form of section 3.2.3', (t) => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`
  const numbers = '[333333333.3333333,1e+30,4.5,0.002,1e-27]'
  const expected = String.raw`{"literals":[null,true,false],"numbers":${numbers},"string":"€$\u000f\nA'B\"\\\\\"/"}`
  t.is(canonicalJson(JSON.parse(input) as Json), expected)
})

test('Members are sorted by UTF-16 code units as in section 3.2.3', (t) => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const text = canonicalJson(value)
  const places = ['Carriage', 'One', 'Control', 'Latin', 'Euro', 'Emoji', 'Hebrew'].map((word) => text.indexOf(word))
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.true(text.startsWith(String.raw`{"\r":"Carriage Return","1":"One","${'\u0080'}":`))
})

test('Members that look like numbers are sorted as text, at every depth', (t) => {
  const value = { b: [{ 10: 1, 9: 2, 1: 3 }], a: { Z: 1, a: 2, '': 3 } }
  t.is(canonicalJson(value), '{"a":{"":3,"Z":1,"a":2},"b":[{"1":3,"10":1,"9":2}]}')
})

// Appendix B: IEEE 754 bits and their text.
const NUMBERS: [string, string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

test('Numbers have the form of appendix B', (t) => {
  for (const [bits, text] of NUMBERS) t.is(canonicalJson(doubleOf(bits)), text, bits)
})

test('Numbers that JSON cannot represent throw', (t) => {
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    t.throws(() => canonicalJson({ a: [doubleOf(bits)] }), { instanceOf: TypeError }, bits)
  }
})

test('Text is escaped as little as JSON allows', (t) => {
  t.is(canonicalJson('\b\t\n\f\r\u000b\u001f"\\/'), String.raw`"\b\t\n\f\r\u000b\u001f\"\\/"`)
  t.is(canonicalJson('\u007f\u2028\u2029é😀</script>'), '"\u007f\u2028\u2029é😀</script>"')
})

test('Lone surrogates throw, in values and in member names', (t) => {
  for (const value of ['\ud800', 'a\udfff', ['\udc00\ud800'], { '\ud800': 1 }, { a: { b: '\ud83d' } }] as Json[]) {
    t.throws(() => canonicalJson(value), { instanceOf: TypeError })
  }
})

test('Undefined members are omitted, and everything else that is not JSON throws', (t) => {
  t.is(canonicalJson({ b: undefined, a: 1, c: undefined }), '{"a":1}')
  t.is(canonicalJson({ a: undefined }), '{}')
  const foreign = [undefined, () => 1, Symbol('a'), 1n, new Date(0), new Map(), new Uint8Array(1), new Number(1)]
  const hole = Object.assign([], { length: 1 })
  for (const value of [...foreign, [undefined], hole, ...foreign.slice(1).map((inner) => ({ inner }))]) {
    t.throws(() => canonicalJson(value as Json), { instanceOf: TypeError })
  }
})

test('Empty containers, literals and objects without a prototype have their plain form', (t) => {
  t.is(canonicalJson([{}, [], '', null, true, false]), '[{},[],"",null,true,false]')
  t.is(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }) as Json), '{"a":2,"b":1}')
  t.is(canonicalJson(JSON.parse('{"__proto__":1,"constructor":2}') as Json), '{"__proto__":1,"constructor":2}')
})

test('The canonical form parses to the same value and is its own canonical form', (t) => {
  const property = fc.property(json, (value) => {
    const text = canonicalJson(value)
    t.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    return canonicalJson(JSON.parse(text) as Json) === text
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(1000) }))
})

test('The order of members makes no difference', (t) => {
  const property = fc.property(json, (value) => canonicalJson(reversed(value)) === canonicalJson(value))
  t.notThrows(() => fc.assert(property, { numRuns: runs(1000) }))
})

test('An absent first member leaves no comma, in any order that was written before', (t) => {
  for (const value of [
    { a: 1, b: 2, c: 3 },
    { a: undefined, b: 2, c: 3 },
    { a: undefined, b: undefined, c: 3 },
    { a: 1, b: undefined, c: 3 },
  ])
    t.is(canonicalJson(value), JSON.stringify(value))
})

test('Values are the same whatever the order of their members, and absent is null', (t) => {
  t.true(isSameJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }))
  t.true(isSameJson(undefined, null))
  t.false(isSameJson({ a: 1, b: 2 }, { a: 2, b: 1 }))
  t.false(isSameJson([1, 2], [2, 1]))
  t.false(isSameJson(null, {}))
})
