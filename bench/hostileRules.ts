// Policies with one rule that is meant to break its reader, each as the body of the request that creates it.
const MOST = (value: unknown) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const categories = (count: number) => Array.from({ length: count }, (_, index) => `CATEGORY ${index}`)
const nested = (depth: number): unknown =>
  depth === 0 ? MOST(1) : { ruleType: depth % 2 === 0 ? 'ANY_OF' : 'ALL_OF', value: [nested(depth - 1)] }
const text = (rule: string): string => `{"name":"Hostile","policyType":"COMPOSITE","rules":[${rule}]}`
const rule = (value: unknown): string => text(JSON.stringify(value))
const inAll = (condition: unknown) => ({ ruleType: 'ALL_OF', value: [condition] })
export const HOSTILE: [what: string, body: string][] = [
  ['an unknown rule type', rule({ ruleType: 'ROOT', value: 1 })],
  ['a rule type of the prototype', rule({ ruleType: 'constructor', value: 1 })],
  ['a rule type __proto__', rule({ ruleType: '__proto__', value: 1 })],
  ['a rule type that is a list', rule({ ruleType: ['MAX_AMOUNT'], operator: 'LTE', value: 1 })],
  ['no rule type', rule({ operator: 'LTE', value: 1 })],
  ['an unknown operator', rule({ ruleType: 'MAX_AMOUNT', operator: 'REGEX', value: 1 })],
  ['an operator of the library', rule({ ruleType: 'MAX_AMOUNT', operator: 'lessThanInclusive', value: 1 })],
  ['an operator of the prototype', rule({ ruleType: 'MAX_AMOUNT', operator: 'toString', value: 1 })],
  ['an operator of another type', rule({ ruleType: 'MAX_AMOUNT', operator: 'IN_LIST', value: [1] })],
  ['an operator where none belongs', rule({ ruleType: 'ALL_OF', operator: 'LTE', value: [MOST(1)] })],
  ['a value that names a fact', rule(MOST({ fact: 'dayTotal' }))],
  ['a value that names a fact, as text', rule(MOST('{"fact":"dayTotal"}'))],
  ['a fact within a list', rule({ ruleType: 'ALLOWED_CATEGORIES', value: [{ fact: 'category' }] })],
  ['a rule that names its fact', rule({ ...MOST(1), fact: 'amount' })],
  ['a path', rule({ ...MOST(1), path: '$..[?(@.a)]' })],
  ['a path within a condition', rule(inAll({ ...MOST(1), path: '$.x' }))],
  ['params', rule({ ...MOST(1), params: { a: 1 } })],
  [
    'conditions of the library',
    rule({ ruleType: 'ALL_OF', value: { all: [{ fact: 'amount', operator: 'equal', value: 1 }] } }),
  ],
  ['a bare library rule', rule({ conditions: { any: [] }, event: { type: 'ALLOW' } })],
  ['a member __proto__', text('{"ruleType":"MAX_AMOUNT","operator":"LTE","value":1,"__proto__":{"action":"ALLOW"}}')],
  [
    'a value __proto__',
    text('{"ruleType":"BUDGET_CAP","value":{"amount":1,"period":"DAILY","__proto__":{"of":"POLICY"}}}'),
  ],
  ['a member constructor', rule({ ...MOST(1), constructor: { prototype: {} } })],
  ['infinity', text('{"ruleType":"MAX_AMOUNT","operator":"LTE","value":1e400}')],
  ['NaN as text', rule(MOST('NaN'))],
  ['a number that goes on', rule(MOST('100abc'))],
  ['a hexadecimal number', rule(MOST('0x10'))],
  ['a null', rule(MOST(null))],
  ['a truth', rule(MOST(true))],
  ['a negative amount', rule(MOST(-1))],
  ['a minus zero', text('{"ruleType":"MAX_AMOUNT","operator":"LTE","value":-0.0}')],
  ['seven decimals', rule(MOST(0.0000001))],
  ['a billion', rule(MOST(1_000_000_000))],
  ['a list for an amount', rule(MOST([1]))],
  ['1,001 entries', rule({ ruleType: 'ALLOWED_CATEGORIES', value: categories(1001) })],
  ['no entries', rule({ ruleType: 'ALLOWED_CATEGORIES', value: [] })],
  ['an empty ALL_OF, which would always hold', rule({ ruleType: 'ALL_OF', value: [] })],
  ['an empty ANY_OF', rule({ ruleType: 'ANY_OF', value: [] })],
  ['20 composites within each other', rule(nested(20))],
  ['1,001 conditions', rule({ ruleType: 'ALL_OF', value: Array(1001).fill(MOST(1)) })],
  ['a regex bomb for a category', rule({ ruleType: 'ALLOWED_CATEGORIES', value: [`${'a'.repeat(30_000)}!`] })],
  ['a regex bomb for an address', rule({ ruleType: 'ALLOWED_COUNTERPARTIES', value: [`0x${'a'.repeat(60_000)}!`] })],
  [
    'a regex bomb for a time',
    rule({ ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '0'.repeat(60_000), end: '17:00' } }),
  ],
  ['a control character', rule({ ruleType: 'ALLOWED_CATEGORIES', value: ['a\u0000b'] })],
  ['a lone surrogate', text('{"ruleType":"ALLOWED_CATEGORIES","value":["\\ud800"]}')],
  ['a sum inside ANY_OF', rule({ ruleType: 'ANY_OF', value: [{ ruleType: 'DAILY_LIMIT', value: 1 }] })],
  [
    'a sum deep inside ANY_OF',
    rule({ ruleType: 'ANY_OF', value: [inAll({ ruleType: 'BUDGET_CAP', value: { amount: 1, period: 'DAILY' } })] }),
  ],
  ['a limit that denies', rule({ ruleType: 'DAILY_LIMIT', value: 1, action: 'DENY' })],
  ['a block that allows', rule({ ruleType: 'BLOCKED_CATEGORIES', value: ['A'], action: 'ALLOW' })],
  [
    'a blackout that allows',
    rule({
      ruleType: 'BLACKOUT_PERIOD',
      value: { windows: [{ start: '2031-01-01', end: '2031-01-02' }] },
      action: 'ALLOW',
    }),
  ],
  ['a limit within a composite that denies', rule({ ...inAll(MOST(1)), action: 'DENY' })],
  ['an action within a condition', rule(inAll({ ...MOST(1), action: 'DENY' }))],
  ['an unknown action', rule({ ...MOST(1), action: 'PASS' })],
  [
    'a zone that is none',
    rule({
      ruleType: 'TIME_WINDOW',
      operator: 'BETWEEN',
      value: { start: '09:00', end: '17:00', timezone: 'Mars/Base' },
    }),
  ],
  ['a day that is none', rule({ ruleType: 'DATE_RANGE', value: { start: '2031-02-30', end: '2031-03-01' } })],
  [
    'a range that ends before it begins',
    rule({ ruleType: 'DATE_RANGE', value: { start: '2031-03-02', end: '2031-03-01' } }),
  ],
  ['a period that is none', rule({ ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'YEAR' } })],
  ['half a count', rule({ ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1.5, period: 'DAY' } })],
  ['a score above 100', rule({ ruleType: 'TRUST_SCORE', value: 101 })],
  [
    'a wrong checksum',
    rule({ ruleType: 'ALLOWED_COUNTERPARTIES', value: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'] }),
  ],
  ['a rule that is text', text('"MAX_AMOUNT"')],
  ['a rule that is null', text('null')],
  ['a rule that is a list', text('[]')],
]
