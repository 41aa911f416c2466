// Arbitrary bodies and queries: what a schema accepts, and what nothing should.
import fc from 'fast-check'
import { sample, type JsonSchema } from './routes.js'

export const oddTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '😀'.repeat(200),
  'é'.normalize('NFD'),
  '0x',
  '1e400',
  '-0',
  '__proto__',
  '2026-02-30T00:00:00Z',
  'x'.repeat(9000),
)
export const oddNumbers = fc.constantFrom(0, -0, -1, 0.1, 1e-7, 1e21, 1e308, 2 ** 53, 999_999_999.999999, 1_000_000_000)
export const oddValues = fc.oneof(
  oddTexts,
  oddNumbers,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, [], {}, [[]], { toString: 1 }),
)

/** Objects of valid values, half of them with one odd value. */
export function withOneOdd(
  fields: { [name: string]: fc.Arbitrary<unknown> },
  required: string[],
  odd: fc.Arbitrary<unknown>,
) {
  const { cursor: _opaque, ...known } = fields
  const fitting = fc.record(known, { requiredKeys: required })
  const fault = fc.tuple(fc.constantFrom(...Object.keys(fields)), odd)
  return fc
    .tuple(fitting, fc.option(fault, { freq: 2 }))
    .map(([given, wrong]) => (wrong ? { ...given, [wrong[0]]: wrong[1] } : given))
}

/** Values that the schema mostly accepts. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: words, anyOf, items, examples } = schema
  if (words) return fc.constantFrom(...words)
  if (anyOf) return fc.oneof(...anyOf.map((one) => valuesOf(one)))
  if (type === 'object' && schema.properties) return objectsOf(schema)
  if (type === 'object') return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }))
  if (type === 'array') return fc.array(valuesOf(items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 5 })
  if (type === 'integer')
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER })
  if (type === 'number') return fc.integer({ min: 1, max: 1_000_000_000 }).map((micros) => micros / 1e6)
  if (type === 'boolean') return fc.boolean()
  if (examples) return fc.constantFrom(...examples, '0x00000000000000000000000000000000000000a1')
  return type === 'string' ? textsOf(schema) : fc.oneof(rules, fc.jsonValue())
}

function textsOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format !== undefined) return fc.constant(sample(schema) as string)
  if (schema.pattern !== undefined) return fc.constantFrom('1', '0.5', '84532', '1')
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength: 40 }),
    fc.constantFrom('UTC', 'text'),
  )
}

const RULE_TYPES = [
  'MAX_AMOUNT',
  'DAILY_LIMIT',
  'BUDGET_CAP',
  'VELOCITY_LIMIT',
  'TIME_WINDOW',
  'DAY_OF_WEEK',
  'DATE_RANGE',
  'BLACKOUT_PERIOD',
  'ALLOWED_CATEGORIES',
  'BLOCKED_COUNTERPARTIES',
  'COUNTERPARTY_STATUS',
  'TRUST_SCORE',
  'NEW_COUNTERPARTY',
  'ALL_OF',
  'ANY_OF',
]
const OPERATORS = ['LTE', 'LT', 'BETWEEN', 'IN_LIST', 'EQUALS', 'GTE', 'GREATER_THAN']
const ruleValues = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddValues,
  fc.constantFrom(
    100,
    true,
    ['Mon'],
    ['CLOUD'],
    'TRUSTED',
    { amount: 5, period: 'DAILY' },
    { start: '22:00', end: '06:00' },
  ),
)
const rules = fc.record(
  {
    ruleType: fc.constantFrom(...RULE_TYPES),
    operator: fc.constantFrom(...OPERATORS),
    value: ruleValues,
    action: fc.constantFrom('ALLOW', 'DENY', 'REQUIRE_APPROVAL'),
  },
  { requiredKeys: ['ruleType', 'value'] },
)

export function objectsOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  if (Object.keys(properties).length === 0) return rules
  return withOneOdd(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)])),
    required,
    oddValues,
  )
}

/** Well-formed cursors with invalid content. */
export const CURSORS = fc
  .constantFrom(
    '',
    '1 agent/x',
    '9'.repeat(17),
    `${'9'.repeat(16)} agent/c`,
    '-1 a/b',
    '1 ../..',
    '\u0000 a/b',
    '0 _/_',
  )
  .map((text) => Buffer.from(text).toString('base64url'))
