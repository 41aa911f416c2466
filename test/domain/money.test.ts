// Amounts: parsed exactly or refused, and converted back to the same number.
import test from 'ava'
import fc from 'fast-check'
import { addMicros, parseAmount, toNumber } from '../../src/domain/values/money.js'
import { runs } from '../support/depth.js'

const LARGEST = 999_999_999_999_999
const amounts = fc.oneof(fc.integer({ min: 1, max: LARGEST }), fc.integer({ min: 1, max: 2_000_000 }))

/** The decimal text of micro-units, made without any division. */
function decimalText(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

const TAKEN: [unknown, number][] = [
  [1, 1_000_000],
  ['1', 1_000_000],
  [0.1, 100_000],
  ['0.7', 700_000],
  [1.1, 1_100_000],
  [4.35, 4_350_000],
  [0.000001, 1],
  ['0.000001', 1],
  ['1.500000', 1_500_000],
  [999_999_999.999999, LARGEST],
  ['999999999.999999', LARGEST],
]

test('Amounts are parsed exactly', (t) => {
  for (const [value, micros] of TAKEN) t.is(parseAmount(value), micros, String(value))
})

const REFUSED: unknown[] = [
  1e-7,
  1e21,
  1e9,
  1_000_000_000.5,
  -1,
  -0,
  0,
  0.1234567,
  0.1 + 0.2,
  NaN,
  Infinity,
  -Infinity,
  '',
  ' ',
  '1.',
  '.5',
  '.',
  '+1',
  '-1',
  '-0',
  '0',
  '0.0',
  '0.000000',
  '01',
  '00.5',
  '0x10',
  '0b1',
  '1e3',
  '1E3',
  ' 1',
  '1 ',
  '1\n',
  '\t1',
  '1_000',
  '1,5',
  '1.2.3',
  '0.1234567',
  '1.0000000',
  '1000000000',
  '1000000000.0',
  'NaN',
  'Infinity',
  '\u0661',
  '\uff11',
  '100abc',
  '1'.repeat(100_000),
  null,
  undefined,
  true,
  false,
  1n,
  {},
  [],
  [1],
  ['1'],
  { valueOf: () => 1 },
  new Number(1),
  new String('1'),
]

test('Everything but an exact amount above zero is refused', (t) => {
  REFUSED.forEach((value, index) => t.is(parseAmount(value), undefined, `entry ${index}`))
})

test('Zero is accepted only with the option for it, and never with a sign', (t) => {
  for (const value of [0, '0', '0.0', '0.000000']) t.is(parseAmount(value, { zero: true }), 0, String(value))
  for (const value of [-0, '-0', '00', '0.', '0.0000000', '', null]) {
    t.is(parseAmount(value, { zero: true }), undefined, String(value))
  }
  t.is(parseAmount(1, { zero: true }), 1_000_000)
})

test('Every amount survives a round trip, as number and as text', (t) => {
  const property = fc.property(amounts, (micros) => {
    const sent: unknown = JSON.parse(JSON.stringify(toNumber(micros)))
    return parseAmount(sent) === micros && parseAmount(decimalText(micros)) === micros
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(2000) }))
})

test('An amount converts to the double that its decimal text denotes', (t) => {
  t.is(toNumber(700_000), 0.7)
  t.is(toNumber(-1), -0.000001)
  t.is(toNumber(0), 0)
  const property = fc.property(fc.maxSafeInteger(), (micros) => {
    const named = Number(`${micros < 0 ? '-' : ''}${decimalText(Math.abs(micros))}`)
    return toNumber(micros) === named
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(2000) }))
})

test('No number is ever rounded into an amount', (t) => {
  const property = fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
    const micros = parseAmount(value)
    return micros === undefined || toNumber(micros) === value
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(5000) }))
})

test('A seventh decimal is refused whatever it is', (t) => {
  const property = fc.property(amounts, fc.integer({ min: 0, max: 9 }), (micros, digit) => {
    return parseAmount(`${decimalText(micros)}${digit}`) === undefined
  })
  t.notThrows(() => fc.assert(property))
})

test('Sums are exact up to the largest safe integer and throw beyond it', (t) => {
  const largest = Number.MAX_SAFE_INTEGER
  t.is(addMicros(100_000, 200_000), 300_000)
  t.is(addMicros(largest - 1, 1), largest)
  t.is(addMicros(-largest, 0), -largest)
  t.throws(() => addMicros(largest, 1), { instanceOf: RangeError })
  t.throws(() => addMicros(largest, largest), { instanceOf: RangeError })
  t.throws(() => addMicros(-largest, -1), { instanceOf: RangeError })
  t.throws(() => addMicros(0.5, 1), { instanceOf: RangeError })
})

test('Sums agree with BigInt arithmetic', (t) => {
  const property = fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
    const exact = BigInt(a) + BigInt(b)
    const fits = exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)
    if (!fits) return t.throws(() => addMicros(a, b), { instanceOf: RangeError }) !== undefined
    return BigInt(addMicros(a, b)) === exact
  })
  t.notThrows(() => fc.assert(property))
})
