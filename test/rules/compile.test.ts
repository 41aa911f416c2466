// A compiled set is plain JSON for json-rules-engine, names the facts it needs, and lists every sum as a limit.
import test from 'ava'
import fc from 'fast-check'
import { compilePolicySet } from '../../rules/compile.js'
import type { Counting } from '../../src/domain/limits/counting.js'
import { asRoot, predicateOf } from '../../rules/condition.js'
import { shownFacts } from '../../rules/facts.js'
import { countingIn, sharesBudget, type RuleTypeName } from '../../rules/rule.js'
import { RULE_TYPES } from '../../rules/ruleTypes/index.js'
import { isFull, runs } from '../support/depth.js'
import { ruleInput } from './arbitraries.js'
import { micros, NOON, policyOf } from './policies.js'

const BUILT_IN = ['equal', 'in', 'contains', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive']

test('a rule compiles to one that fires when it objects', (t) => {
  const policy = policyOf([
    { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 },
    { ruleType: 'NEW_COUNTERPARTY', value: true },
  ])
  const params = { policyId: 'p1', policyVersion: 1 }
  t.deepEqual(compilePolicySet([policy], 'UTC').rules, [
    {
      name: 'p1/r0',
      conditions: { not: { fact: 'amount', operator: 'lessThanInclusive', value: 200_000_000 } },
      event: { type: 'DENY', params: { ...params, ruleId: 'r0', ruleType: 'MAX_AMOUNT' } },
    },
    {
      name: 'p1/r1',
      conditions: { all: [{ fact: 'newCounterparty', operator: 'equal', value: true }] },
      event: { type: 'REQUIRE_APPROVAL', params: { ...params, ruleId: 'r1', ruleType: 'NEW_COUNTERPARTY' } },
    },
  ])
})

/** All objects in a value, itself included. */
function within(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(within)]
}

test('compiled rules are plain JSON: built-in operators, no paths, no value that names a fact', (t) => {
  fc.assert(
    fc.property(fc.array(ruleInput, { maxLength: 5 }), (inputs) => {
      const { rules, needs } = compilePolicySet([policyOf(inputs)], 'UTC')
      t.deepEqual(JSON.parse(JSON.stringify(rules)), rules)
      for (const part of within(rules.map(({ conditions }) => conditions))) {
        if (Array.isArray(part)) continue
        const { fact, operator, value, priority, ...rest } = part as { [field: string]: unknown }
        if (fact === undefined) {
          t.is(Object.keys(rest).filter((name) => ['all', 'any', 'not'].includes(name)).length, 1)
          continue
        }
        t.true(BUILT_IN.includes(String(operator)), String(operator))
        t.true(needs.includes(fact as 'amount'))
        t.true(Array.isArray(value) || typeof value !== 'object')
        t.true(priority === undefined || priority === 2)
        t.deepEqual(rest, {})
      }
    }),
  )
})

test('the facts that a set needs are named once, those of the wall clock with their time zone', (t) => {
  const set = compilePolicySet(
    [
      policyOf([
        { ruleType: 'DAILY_LIMIT', value: 1 },
        { ruleType: 'WEEKLY_LIMIT', value: 1 },
        { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '01:00', end: '02:00' } },
        { ruleType: 'BUDGET_CAP', value: { amount: 1, period: 'TOTAL', of: 'POLICY' } },
      ]),
      policyOf([{ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon'] }], { id: 'p2' }),
    ],
    'Europe/Paris',
  )
  t.deepEqual(set.needs, [
    'amount',
    'budget:p1:TOTAL',
    'dayTotal',
    'minute@Europe/Paris',
    'weekTotal',
    'weekday@Europe/Paris',
  ])
})

test('every sum and count is a limit for a gate, also inside ALL_OF', (t) => {
  const budget = (period: string, of?: string): object => ({
    ruleType: 'BUDGET_CAP',
    value: of === undefined ? { amount: 5, period } : { amount: 5, period, of },
  })
  const policy = policyOf([
    { ruleType: 'DAILY_LIMIT', value: 1.5 },
    { ruleType: 'WEEKLY_LIMIT', value: 2 },
    { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 9 },
    {
      ruleType: 'ALL_OF',
      value: [
        { ruleType: 'MONTHLY_LIMIT', value: 3 },
        { ruleType: 'ALL_OF', value: [{ ruleType: 'VELOCITY_LIMIT', value: { maxCount: 4, period: 'MINUTE' } }] },
      ],
    },
    budget('TOTAL'),
    budget('MONTHLY', 'POLICY'),
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 0, period: 'WEEK' } },
  ])
  const origin = (ruleId: string): object => ({ policyId: 'p1', policyVersion: 1, ruleId })
  const agent = { of: 'AGENT' }
  t.deepEqual(compilePolicySet([policy], 'UTC').limits as object[], [
    { ...agent, measure: 'DAY', limit: 1_500_000, violation: 'DAILY_LIMIT', ...origin('r0') },
    { ...agent, measure: 'WEEK', limit: 2_000_000, violation: 'WEEKLY_LIMIT', ...origin('r1') },
    { ...agent, measure: 'MONTH', limit: 3_000_000, violation: 'MONTHLY_LIMIT', ...origin('r3') },
    { ...agent, measure: 'COUNT', limit: 4, periodMs: 60_000, violation: 'VELOCITY_LIMIT', ...origin('r3') },
    { ...agent, measure: 'TOTAL', limit: 5_000_000, violation: 'BUDGET_EXCEEDED', ...origin('r4') },
    { of: 'POLICY', measure: 'MONTH', limit: 5_000_000, violation: 'BUDGET_EXCEEDED', ...origin('r5') },
    { ...agent, measure: 'COUNT', limit: 0, periodMs: 604_800_000, violation: 'VELOCITY_LIMIT', ...origin('r6') },
  ])
})

test('a set has one limit for each number, the smallest: of an agent over all policies, of a policy for itself', (t) => {
  const cap = (amount: number, of: string): object => ({
    ruleType: 'BUDGET_CAP',
    value: { amount, period: 'DAILY', of },
  })
  const policies = [10, 20].map((amount) => {
    const rules = [cap(amount + 1, 'AGENT'), cap(amount, 'AGENT'), cap(amount + 1, 'POLICY'), cap(amount, 'POLICY')]
    return { ...policyOf(rules), id: `p${amount}` }
  })
  const limits = compilePolicySet(policies, 'UTC').limits.map(({ of, limit, policyId }) => [of, limit, policyId])
  t.deepEqual(limits, [
    ['AGENT', 10_000_000, 'p10'],
    ['POLICY', 10_000_000, 'p10'],
    ['POLICY', 20_000_000, 'p20'],
  ])
})

test('a thousand blackout windows are evaluated correctly', (t) => {
  const HOUR = 3_600_000
  const windows = Array.from({ length: 1_000 }, (_, at) => ({
    start: new Date(NOON + 2 * at * HOUR).toISOString(),
    end: new Date(NOON + (2 * at + 1) * HOUR).toISOString(),
  }))
  const { rules } = compilePolicySet(
    [policyOf([{ ruleType: 'BLACKOUT_PERIOD', value: { windows: windows.reverse() } }])],
    'UTC',
  )
  for (let hour = -2; hour < 2_002; hour += 1) {
    const isOut = hour >= 0 && hour < 2_000 && hour % 2 === 0
    for (const now of [NOON + hour * HOUR, NOON + (hour + 1) * HOUR - 1]) {
      t.is(predicateOf(rules[0]!.conditions)({ now }), isOut, `hour ${hour}`)
    }
  }
})

test('a single condition is wrapped to become the root of a rule', (t) => {
  const leaf = { fact: 'amount', operator: 'equal', value: 1 } as const
  t.deepEqual(asRoot(leaf), { all: [leaf] })
  t.deepEqual(asRoot({ any: [leaf] }), { any: [leaf] })
})

test('amounts are shown as decimal numbers, other facts as they are', (t) => {
  const facts = {
    amount: micros(5.5),
    'budget:p1:DAILY': 1,
    'count:DAY': 3,
    'minute@UTC': 720,
    category: 'CLOUD',
    trustScore: 20,
    newCounterparty: true,
    now: NOON,
  }
  t.deepEqual(shownFacts(facts), {
    ...facts,
    amount: 5.5,
    'budget:p1:DAILY': 0.000001,
  })
})

const PER_MINUTE = { ruleType: 'VELOCITY_LIMIT', operator: 'LTE' }
/** Two limits over the same time, which random rules seldom have. */
const TWICE_A_MINUTE = {
  ruleType: 'ALL_OF',
  value: [0, 4].map((maxCount) => ({ ...PER_MINUTE, value: { maxCount, period: 'MINUTE' } })),
  action: 'ALLOW',
}

/** Of limits over the same time, the compiled rules ask the gate for the lowest alone. */
function lowestByPeriod(counting: readonly Counting[]): Map<number, number> {
  const lowest = new Map<number, number>()
  for (const { periodMs, limit } of counting) lowest.set(periodMs, Math.min(limit, lowest.get(periodMs) ?? Infinity))
  return lowest
}

test('what a rule counts and whether it shares a budget agree with the compiled rules, also for composites', (t) => {
  const seen = new Set<RuleTypeName>()
  fc.assert(
    fc.property(ruleInput, (input) => {
      const policy = policyOf([input])
      const { limits, needs } = compilePolicySet([policy], 'UTC')
      const text = JSON.stringify(input)
      const counting = limits.flatMap(({ measure, periodMs, limit }) =>
        measure === 'COUNT' ? [{ periodMs, limit }] : [],
      )
      const counts = counting.length > 0
      t.deepEqual(lowestByPeriod(countingIn(policy.rules)), lowestByPeriod(counting as never), text)
      t.is(
        needs.some((fact) => fact.startsWith('count:')),
        counts,
        text,
      )
      const shares = limits.some(({ of }) => of === 'POLICY')
      t.is(sharesBudget(policy.rules), shares, text)
      t.is(
        needs.some((fact) => /^budget:(?!service:)/.test(fact)),
        shares,
        text,
      )
      t.is(
        needs.some((fact) => fact.startsWith('budget:service:')),
        limits.some(({ of }) => of === 'SERVICE'),
        text,
      )
      seen.add(policy.rules[0]!.ruleType)
    }),
    { numRuns: runs(1_000), examples: [[TWICE_A_MINUTE]] },
  )
  if (isFull) t.deepEqual([...seen].sort(), (Object.keys(RULE_TYPES) as RuleTypeName[]).sort())
})
