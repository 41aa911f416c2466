// Rules that are written to break their reader: each is refused quickly and leaves nothing behind.
import test from 'ava'
import { checkRule } from '../../rules/rule.js'
import { CAP, dates, hours, nested, NIGHT, pick, repeat, WINDOWS } from './inputs.js'
import { RECIPIENT } from './policies.js'

const AMOUNTS = { amount: 1, period: 'DAILY' }
const deepList = (levels: number): unknown => (levels === 0 ? 1 : [deepList(levels - 1)])
const hidden = (name: string): unknown => JSON.parse(`{"amount":1,"period":"DAILY","${name}":{"polluted":true}}`)
const BOMB = 'a'.repeat(200_000)

const HOSTILE: [what: string, written: unknown][] = [
  ['an unknown operator', { ...CAP, operator: 'MATCHES' }],
  ['an operator of the library', { ...CAP, operator: 'lessThanInclusive' }],
  ['a decorated operator', { ...CAP, operator: 'not:lessThan' }],
  ['an operator that every object has', { ...CAP, operator: 'toString' }],
  ['a list for an operator', { ...CAP, operator: ['LTE'] }],
  ['a rule type that every object has', { ...CAP, ruleType: 'constructor' }],
  ['a rule type __proto__', { ...CAP, ruleType: '__proto__' }],
  ['a list for a rule type', { ...CAP, ruleType: ['MAX_AMOUNT'] }],
  ['a value that names a fact', { ...CAP, value: { fact: 'amount' } }],
  ['a value in a list that names a fact', pick('ALLOWED_COUNTERPARTIES', [{ fact: 'recipient' }])],
  ['an amount that names a fact', pick('BUDGET_CAP', { amount: { fact: 'amount' }, period: 'DAILY' })],
  ['a fact in JSON text', { ...CAP, value: '{"fact":"amount"}' }],
  ['a path beside', { ...CAP, path: '$..*' }],
  ['a path in the value', pick('BUDGET_CAP', { ...AMOUNTS, path: '$..*' })],
  ['a path in a condition', pick('ALL_OF', [{ ...CAP, path: '$..*' }])],
  ['params', { ...CAP, params: {} }],
  ['a priority', { ...CAP, priority: 1 }],
  ['conditions of the library', { conditions: { all: [] }, event: { type: 'ALLOW' } }],
  [
    'a __proto__ beside',
    JSON.parse('{"ruleType":"MAX_AMOUNT","operator":"LTE","value":1,"__proto__":{"action":"DENY"}}'),
  ],
  ['a __proto__ in the value', pick('BUDGET_CAP', hidden('__proto__'))],
  ['a __proto__ in JSON text', pick('BUDGET_CAP', JSON.stringify(hidden('__proto__')))],
  ['a constructor in the value', pick('BUDGET_CAP', hidden('constructor'))],
  ['NaN', { ...CAP, value: Number.NaN }],
  ['Infinity', { ...CAP, value: JSON.parse('1e400') }],
  ['"NaN"', { ...CAP, value: 'NaN' }],
  ['"100abc"', { ...CAP, value: '100abc' }],
  ['"1e400"', { ...CAP, value: '1e400' }],
  ['"0x10"', { ...CAP, value: '0x10' }],
  ['null', { ...CAP, value: null }],
  ['an empty string', { ...CAP, value: '' }],
  ['true for a number', pick('TRUST_SCORE', true)],
  [
    '1,001 addresses',
    pick(
      'ALLOWED_COUNTERPARTIES',
      repeat(1_001, () => RECIPIENT),
    ),
  ],
  [
    '100,000 entries',
    pick(
      'ALLOWED_CATEGORIES',
      repeat(100_000, () => ({})),
    ),
  ],
  [
    '1,000 wrong entries',
    pick(
      'ALLOWED_COUNTERPARTIES',
      repeat(1_000, () => '1'.repeat(44)),
    ),
  ],
  ['1,001 windows', pick('BLACKOUT_PERIOD', { windows: repeat(1_001, () => WINDOWS.windows[0]) })],
  [
    '1,001 conditions',
    pick(
      'ANY_OF',
      repeat(1_001, () => CAP),
    ),
  ],
  ['an empty list', pick('BLOCKED_CATEGORIES', [])],
  ['an empty ALL_OF', pick('ALL_OF', [])],
  ['an empty ANY_OF in ALL_OF', pick('ALL_OF', [pick('ANY_OF', [])])],
  ['20 composites in each other', nested(20)],
  ['lists nested 5,000 deep', { ...CAP, value: deepList(5_000) }],
  ['lists nested 100,000 deep in JSON text', { ...CAP, value: '['.repeat(100_000) + ']'.repeat(100_000) }],
  [
    'conditions that grow with each level',
    pick(
      'ALL_OF',
      repeat(100, () =>
        pick(
          'ALL_OF',
          repeat(100, () => CAP),
        ),
      ),
    ),
  ],
  ['a zone that never ends', hours({ ...NIGHT, timezone: `${BOMB}!` })],
  ['a time that never ends', hours({ start: '0'.repeat(200_000), end: '17:00' })],
  ['a date that never ends', dates(`2026-01-01T00:00:00.${'0'.repeat(200_000)}Z`, '2026-01-02')],
  ['a category that never ends', pick('BLOCKED_CATEGORIES', [BOMB])],
  [
    'a reason that never ends',
    pick('BLACKOUT_PERIOD', { windows: [{ ...WINDOWS.windows[0], reason: `${BOMB}\u0000` }] }),
  ],
  ['an address that never ends', pick('ALLOWED_COUNTERPARTIES', ['1'.repeat(200_000)])],
  ['a field that never ends', { ...CAP, [BOMB]: 1 }],
  ['a cron expression for a time', hours({ start: '(a+)+$', end: '17:00' })],
]

/** CPU milliseconds, the least of three runs, because a busy machine adds time that the rule does not cause. */
function fastest(run: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

test('hostile rules are refused, and none of them blocks the event loop', (t) => {
  t.true(HOSTILE.length >= 40)
  let longest = 0
  for (const [what, written] of HOSTILE) {
    const checked = checkRule(written, 'rules.0')
    const took = fastest(() => checkRule(written, 'rules.0'))
    longest = Math.max(longest, took)
    t.false(checked.ok, what)
    t.true(took < 50, `${what} took ${took} ms`)
    const said = checked.ok ? '' : JSON.stringify(checked.refusal.details)
    t.true(said.length < 10_000, `${what} says ${said.length} characters`)
  }
  t.log(`${HOSTILE.length} rules, the longest took ${longest} ms`)
  t.is(({} as { polluted?: boolean }).polluted, undefined)
})
