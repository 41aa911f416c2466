// JSON numbers are parsed exactly or kept as text: checked against tables, and against decimals compared as BigInt.
import test from 'ava'
import fc from 'fast-check'
import { parseExactly } from '../../src/domain/values/exactJson.js'
import { isFull, runs, seedOr } from '../support/depth.js'

const ROUNDED = [
  '100.000000000000000001',
  '99.9999999999999999',
  '-99.9999999999999999',
  '0.10000000000000001',
  '123456789012345678901',
  '9007199254740993',
  '100000000000000000001e-18',
  '1000000000000000000000000000001E-28',
  `1${'0'.repeat(400)}1e-401`,
  `0.${'0'.repeat(400)}1`,
  '1e-400',
  '-1E-0400',
  '1.2345678e-320',
]

const EXACT = [
  '0',
  '-0',
  '-0.0',
  '0e-400',
  `0.${'0'.repeat(400)}`,
  '1',
  '1e0',
  '1.0000000',
  '100.00000000000000000000',
  '0.1',
  '0.30000000000000004',
  '1e-7',
  '1e21',
  '1E+21',
  '12345678901234567000',
  '1234567890123456700.0e1',
  '5e-324',
  '1.7976931348623157e308',
  '9007199254740992',
  '0.000000000000000000000000000001',
  `1${'0'.repeat(300)}`,
  `10${'0'.repeat(300)}e-301`,
  '123456789012345',
]

test('a number that a double cannot represent as written is kept as text', (t) => {
  for (const written of ROUNDED) {
    t.is(parseExactly(written), written)
    t.deepEqual(parseExactly(`{"a":[${written},1],"b":${written}}`), { a: [written, 1], b: written })
  }
})

test('every other number is parsed as a number, however it is written', (t) => {
  for (const written of EXACT) t.is(parseExactly(written), Number(written), written)
})

test('numbers beyond the range of doubles are infinite', (t) => {
  t.deepEqual(parseExactly(`[1e400,-1e400,${'9'.repeat(400)}]`), [Infinity, -Infinity, Infinity])
})

test('text stays as it is, whatever it looks like', (t) => {
  const texts = [
    '100.000000000000000001',
    '"',
    '\\',
    '\\"1e-400',
    '\n',
    '\u2028',
    `${'\\"'.repeat(9)},1e-400,`,
    'é 1e-400',
  ]
  const members = Object.fromEntries(texts.map((text) => [text, text]))
  t.deepEqual(parseExactly(JSON.stringify([members, texts])), [members, texts])
  t.deepEqual(parseExactly(' {"\\u0022" : "\\\\" ,\t"1e-400":1e-400\r\n}'), { '"': '\\', '1e-400': '1e-400' })
})

test('invalid JSON is a SyntaxError', (t) => {
  for (const text of [
    '',
    '1e-400,',
    '{"a":100.000000000000000001',
    '01.000000000000000001',
    '1e-',
    '"1e-400',
    '-1e-4OO',
  ]) {
    t.throws(() => parseExactly(text), { instanceOf: SyntaxError }, text)
  }
})

test('a mebibyte is parsed in linear time, whatever it contains', (t) => {
  // A pattern that rescanned the text for each of its characters would take longer than any test may.
  const MOST = 1 << 20
  const rows: [text: string, exact: boolean][] = [
    [`1.${'0'.repeat(MOST)}1`, false],
    [`1.${'0'.repeat(MOST)}`, true],
    [`0.${'0'.repeat(MOST)}1e${MOST + 1}`, true],
    [`1e-${'1'.repeat(MOST)}`, false],
  ]
  for (const [written, exact] of rows) t.is(parseExactly(written), exact ? Number(written) : written)
  const texts = ['\\"'.repeat(MOST / 4), 'x'.repeat(MOST), 'e-400']
  t.deepEqual(parseExactly(JSON.stringify(texts)), texts)
  t.is((parseExactly(`[${'"1",1e-400,'.repeat(MOST / 11)}1]`) as unknown[]).length, Math.floor(MOST / 11) * 2 + 1)
})

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  digits: bigint
  exponent: number
}

function decimalOf(written: string): Decimal {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [units = '', decimals = ''] = mantissa.split('.')
  return { digits: BigInt(units + decimals), exponent: Number(exponent) - decimals.length }
}

function isSame(one: Decimal, other: Decimal): boolean {
  const least = Math.min(one.exponent, other.exponent)
  const scaled = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - least)
  return scaled(one) === scaled(other)
}

const digits = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('0', '9'), minLength: 1, maxLength: 30 }),
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
  fc
    .record({
      sign: fc.constantFrom('', '-'),
      units: digits.map((text) => text.replace(/^0+(?=\d)/, '')),
      decimals: fc.option(digits),
      exponent: fc.option(fc.integer({ min: -420, max: 330 })),
    })
    .map(({ sign, units, decimals, exponent }) => {
      return `${sign}${units}${decimals === null ? '' : `.${decimals}`}${exponent === null ? '' : `e${exponent}`}`
    }),
)

/** What a JSON number must be parsed as. */
function expected(written: string): number | string {
  const double = Number(written)
  return !Number.isFinite(double) || isSame(decimalOf(written), decimalOf(String(double))) ? double : written
}

test('in any JSON, numbers are exact or text, and all else is parsed as by JSON.parse', (t) => {
  const leaf = fc.oneof(
    number.map((written) => ({ written, read: expected(written) as unknown })),
    fc.string({ unit: fc.oneof(fc.constantFrom('"', '\\', '1', 'e-400', '.', ','), fc.string()) }).map((text) => ({
      written: JSON.stringify(text),
      read: text as unknown,
    })),
    fc.constantFrom(true, false, null).map((word) => ({ written: String(word), read: word as unknown })),
  )
  const seen = { exact: 0, text: 0 }
  const property = fc.property(fc.array(fc.tuple(fc.string(), leaf), { maxLength: 8 }), (members) => {
    const list = members.map(([, { read }]) => read)
    const named = `{${members.map(([, { written }], at) => `"${at}": ${written}`).join(' ,')}}`
    for (const [, { written, read }] of members) {
      if (/^-?\d/.test(written)) seen[typeof read === 'number' ? 'exact' : 'text'] += 1
    }
    t.deepEqual(parseExactly(`[${members.map(([, { written }]) => written).join(',')}]`), list)
    t.deepEqual(parseExactly(named), { ...list })
  })
  fc.assert(property, { numRuns: runs(3000), seed: seedOr(20270328) })
  t.true(!isFull || (seen.exact > 1000 && seen.text > 300), JSON.stringify(seen))
})
