// Facts are those of a closed list, each of its type, and those of the wall clock follow from the time.
import test from 'ava'
import { checkFacts, wallClockFacts, type FactName, type Facts } from '../../rules/facts.js'
import { FACTS, NOON } from './policies.js'

const ALL = Object.keys(FACTS) as FactName[]

test('all facts of a payment are as they must be', (t) => {
  t.deepEqual(checkFacts(ALL, FACTS), [])
})

test('every fact that is missing is named', (t) => {
  t.deepEqual(
    checkFacts(ALL, {}),
    ALL.map((path) => ({ path, message: 'is missing' })),
  )
})

test('a fact that is inherited is missing', (t) => {
  t.deepEqual(checkFacts(['amount'], Object.create(FACTS) as Facts), [{ path: 'amount', message: 'is missing' }])
})

test('a name that is not on the list is no fact, whatever it holds', (t) => {
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

test('the wall clock follows from the time, and other facts do not', (t) => {
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
