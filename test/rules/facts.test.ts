// Facts are those of a closed list, each of its type, and those of the wall clock are computed from the time.
import test from 'ava'
import { checkFacts, wallClockFacts, type FactName, type Facts } from '../../rules/facts.js'
import { FACTS, NOON } from './policies.js'

const ALL = Object.keys(FACTS) as FactName[]

test('valid facts of a payment pass the check', (t) => {
  t.deepEqual(checkFacts(ALL, FACTS), [])
})

test('every missing fact is named', (t) => {
  t.deepEqual(
    checkFacts(ALL, {}),
    ALL.map((path) => ({ path, message: 'is missing' })),
  )
})

test('an inherited fact counts as missing', (t) => {
  t.deepEqual(checkFacts(['amount'], Object.create(FACTS) as Facts), [{ path: 'amount', message: 'is missing' }])
})

test('a name outside the list is not a fact, whatever its value', (t) => {
  const names = [
    'fee',
    'toString',
    '__proto__',
    'count:YEAR',
    'budget:DAILY',
    'budget:p1:YEARLY',
  ] as string[] as FactName[]
  for (const name of names) {
    const facts = Object.fromEntries([[name, 5]]) as object as Facts
    t.deepEqual(checkFacts([name], facts), [{ path: name, message: 'is no fact' }])
  }
})

const NO_SUMS = [-1, 0.5, NaN, Infinity, 2 ** 53, '1', true, null]
const NO_COUNTS = [...NO_SUMS, 0]
const SUMS = ['amount', 'dayTotal', 'weekTotal', 'monthTotal', 'total', 'budget:p1:DAILY', 'budget:p1:TOTAL'] as const
const COUNTS = ['count:MINUTE', 'count:HOUR', 'count:DAY', 'count:WEEK'] as const

const UNFIT: [FactName, unknown[]][] = [
  ...SUMS.map((name): [FactName, unknown[]] => [name, NO_SUMS]),
  ...COUNTS.map((name): [FactName, unknown[]] => [name, NO_COUNTS]),
  ['category', ['cloud', ' CLOUD', 5, null]],
  ['counterpartyCategory', ['', 'cloud', 5, null]],
  ['recipient', [`0x${'A'.repeat(40)}`, `0x${'a'.repeat(39)}`, '0'.repeat(32), '1'.repeat(45), 5, null]],
  ['rail', ['CASH', '', null]],
  ['counterpartyStatus', ['trusted', '', 0, null]],
  ['trustScore', [-2, 100.5, NaN, '20', null]],
  ['newCounterparty', [0, 'true', null]],
  ['now', [0.5, NaN, 2 ** 53, '0', null]],
  ['minute@UTC', [-1, 1440, 0.5, NaN, '5', null]],
  ['weekday@UTC', ['MON', 'Monday', 1, null]],
]

test('a fact of a wrong type or out of its bounds is named', (t) => {
  for (const [name, values] of UNFIT) {
    for (const value of values) {
      const [bad, ...others] = checkFacts([name], { [name]: value } as Facts)
      t.deepEqual(others, [])
      t.is(bad?.path, name, `${name} ${String(value)}`)
      t.regex(bad!.message, /^must not be /)
    }
  }
})

test('the bounds of facts are valid values', (t) => {
  const facts = {
    amount: 0,
    total: 2 ** 53 - 1,
    trustScore: 0,
    'minute@UTC': 1439,
    now: -1,
    'count:DAY': 1,
    category: '',
  }
  t.deepEqual(checkFacts(Object.keys(facts) as FactName[], facts), [])
  t.deepEqual(checkFacts(['trustScore', 'minute@UTC'], { trustScore: 100, 'minute@UTC': 0 }), [])
  t.deepEqual(checkFacts(['trustScore'], { trustScore: 20.5 }), [])
})

test('wall-clock facts are computed from the time, and other facts are not', (t) => {
  const names: FactName[] = [
    'amount',
    'minute@UTC',
    'weekday@Asia/Tokyo',
    'minute@America/New_York',
    'minute@Asia/Tokyo',
  ]
  t.deepEqual(wallClockFacts(names, NOON + 11 * 3_600_000 + 59 * 60_000), {
    'minute@UTC': 23 * 60 + 59,
    'weekday@Asia/Tokyo': 'Wed',
    'minute@America/New_York': 18 * 60 + 59,
    'minute@Asia/Tokyo': 8 * 60 + 59,
  })
  t.throws(() => wallClockFacts(['minute@Moon/Sea'], NOON), { instanceOf: RangeError })
})
