// The building blocks of the routes' schemas: what each accepts, its output, and what it refuses.
import test from 'ava'
import fc from 'fast-check'
import * as v from 'valibot'
import { booleanQuery, cursorQuery, limitQuery, offsetQuery } from '../../src/http/input/querySchemas.js'
import type { Schema } from '../../src/http/server/route.js'
import * as s from '../../src/http/input/schemas.js'
import '../support/depth.js'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA = 'So11111111111111111111111111111111111111112'
const evm = { chainType: 'EVM', canonical: USDC.toLowerCase(), display: USDC }
const TAKEN: [name: string, schema: Schema, given: unknown, made: unknown][] = [
  ['amount', s.amountSchema(), 1, 1_000_000],
  ['amount', s.amountSchema(), '0.000001', 1],
  ['amount with zero', s.amountSchema({ zero: true }), 0, 0],
  ['address', s.addressSchema(), USDC.toLowerCase(), evm],
  ['address', s.addressSchema(), SOLANA, { chainType: 'SOLANA', canonical: SOLANA, display: SOLANA }],
  ['address of any case', s.addressSchema({ checksum: 'ignored' }), USDC.replace('f', 'F'), evm],
  ['text', s.text(1, 2), 'e\u0301', '\u00e9'],
  ['id', s.id(), 'c123', 'c123'],
  ['chainId', s.chainId(), 8453, '8453'],
  ['chainId', s.chainId(), 'solana-devnet', 'solana-devnet'],
  ['enumOf', s.enumOf(['A', 'B']), 'B', 'B'],
  ['list', s.listSchema(s.text(1, 5), { max: 2 }), ['a', 'b'], ['a', 'b']],
  ['setOf', s.setSchema(s.text(1, 5), { max: 4 }), ['b', 'a', 'b', 'a'], ['b', 'a']],
  ['jsonObject', s.jsonObject({ maxBytes: 20 }), { a: [1, null] }, { a: [1, null] }],
  ['jsonValue', s.jsonValue({ maxBytes: 20 }), [1], [1]],
  ['timestamp', s.timestamp(), '2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
  ['timestamp', s.timestamp(), '2024-02-29T12:00:00.5+01:00', Date.UTC(2024, 1, 29, 11, 0, 0, 500)],
  ['idempotencyKey', s.idempotencyKey(), '!~', '!~'],
  ['booleanQuery', booleanQuery, 'true', true],
  ['booleanQuery', booleanQuery, 'false', false],
  ['limitQuery', limitQuery, '100', 100],
  ['limitQuery', limitQuery, undefined, 50],
  ['offsetQuery', offsetQuery, undefined, 0],
  ['offsetQuery', offsetQuery, '123456789012345', 123456789012345],
  ['offsetQuery', offsetQuery, '9007199254740991', Number.MAX_SAFE_INTEGER],
  ['cursorQuery', cursorQuery, 'x'.repeat(1024), 'x'.repeat(1024)],
]

for (const [name, schema, given, made] of TAKEN) {
  test(`${name} accepts ${JSON.stringify(given)?.slice(0, 50)}`, (t) => {
    t.deepEqual(v.parse(schema, given), made)
  })
}

const REFUSED: [name: string, schema: Schema, given: unknown[]][] = [
  ['address for EVM', s.addressSchema({ chainType: 'EVM' }), [SOLANA]],
  ['address for Solana', s.addressSchema({ chainType: 'SOLANA' }), [USDC]],
  ['address', s.addressSchema(), [null, 1, '', 'x', USDC.replace('f', 'F'), {}]],
  ['text', s.text(1, 2), ['', 'abc', 'a\n', '\ud800', 1, null, ['a']]],
  ['id', s.id(), ['', ' ', 'a b', 'é', 1, null, 'x'.repeat(129)]],
  ['chainId', s.chainId(), ['', 'a b', 1.5, -1, 1e300, null, {}, 'x'.repeat(65)]],
  ['enumOf', s.enumOf(['A']), ['a', '', null, ['A'], 'constructor']],
  ['list', s.listSchema(s.text(1, 5), { min: 1, max: 2 }), [[], ['a', 'b', 'c'], ['a', 1], {}, null, 'ab']],
  ['setOf', s.setSchema(s.text(1, 5), { max: 2 }), [['a', 'a', 'a'], ['a', 1], 'ab']],
  [
    'jsonObject',
    s.jsonObject({ maxBytes: 9 }),
    [[], null, 'a', { a: '\ud800' }, { '\ud800': 1 }, { a: Infinity }, { a: 12345 }, JSON.parse('{"__proto__":1}')],
  ],
  ['jsonValue', s.jsonValue({ maxBytes: 9 }), ['\ud800', [NaN], 'x'.repeat(8)]],
  [
    'timestamp',
    s.timestamp(),
    [
      '2026-01-31',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-31T25:00:00Z',
      '2026-01-31T12:00:00',
      'now',
      0,
      null,
    ],
  ],
  ['idempotencyKey', s.idempotencyKey(), ['', ' ', 'é', 'x'.repeat(256), 1, null]],
  ['booleanQuery', booleanQuery, ['', '1', 'TRUE', true]],
  ['limitQuery', limitQuery, ['', '0', '101', '-1', '1.0', '0x1', ' 1', '1e1']],
  ['offsetQuery', offsetQuery, ['', '-1', '1.5', '9007199254740992', '9'.repeat(400)]],
  ['cursorQuery', cursorQuery, ['', 'a b', 'x'.repeat(1025)]],
]

for (const [name, schema, given] of REFUSED) {
  test(`${name} refuses invalid values`, (t) => {
    for (const value of given) t.false(v.is(schema, value), JSON.stringify(value))
  })
}

test('Invalid amounts and addresses are distinguished from other mistakes', (t) => {
  const expected = (schema: Schema, given: unknown) => v.safeParse(schema, given).issues?.[0].expected
  t.is(expected(s.amountSchema(), null), 'INVALID_AMOUNT')
  t.is(expected(v.nullable(s.amountSchema({ zero: true })), -1), 'INVALID_AMOUNT')
  t.is(expected(s.addressSchema(), 1), 'INVALID_ADDRESS')
  t.not(expected(s.text(1, 2), 1), 'INVALID_AMOUNT')
})

test('No JSON value makes a schema throw', (t) => {
  const blocks = [...TAKEN, ...REFUSED].map(([, schema]) => schema)
  const property = fc.property(fc.jsonValue(), fc.constantFrom(...blocks), (value, schema) => {
    v.safeParse(schema, value)
  })
  t.notThrows(() => fc.assert(property))
})

test('A list that is far too long is refused without checking its items', (t) => {
  const { issues = [] } = v.safeParse(s.listSchema(s.amountSchema(), { max: 3 }), Array(100_000).fill('x'))
  t.is(issues.length, 1)
})
