// Evaluation matches the oracle and json-rules-engine, also when concurrent, and every error becomes a denial.
import test from 'ava'
import fc from 'fast-check'
import { Engine } from 'json-rules-engine'
import { compilePolicySet, type EngineRule, type PolicySnapshot } from '../../rules/compile.js'
import { pooledRun, type Breathe, type RunEngine } from '../../rules/engines.js'
import { createEvaluator, type Explained as Evaluation } from '../../rules/evaluate.js'
import { wallClockFacts, type Facts } from '../../rules/facts.js'
import { policySetHash } from '../../rules/hash.js'
import { isFull, runs } from '../support/depth.js'
import { allFacts, ruleInput } from './arbitraries.js'
import { objectionOf, type Objection } from './oracle.js'
import { FACTS, micros, policyOf } from './policies.js'

const { explain: evaluate } = createEvaluator({ cacheSize: 50, isChecked: () => true, onDifference: () => {} })
const ZONE = 'America/New_York'

const policies = fc
  .array(fc.tuple(fc.array(ruleInput, { maxLength: 6 }), fc.nat(3)), { maxLength: 4 })
  .map((parts) => parts.map(([rules, priority], at) => policyOf(rules, { id: `p${at}`, priority })))

const situations = policies.chain((set) =>
  fc.record({ set: fc.constant(set), facts: allFacts(set.map(({ id }) => id)) }),
)

function objections(set: readonly PolicySnapshot[], facts: Facts): Objection[] {
  return set.flatMap(({ id, rules }) => rules.map((rule) => objectionOf(rule, facts, id, ZONE)))
}

function outcomeOf(found: readonly Objection[]): Evaluation['outcome'] {
  if (found.includes('DENY')) return 'DENIED'
  return found.includes('REQUIRE_APPROVAL') ? 'REQUIRES_APPROVAL' : 'APPROVED'
}

test('for any rules and facts the objections match the oracle, and a denial is never overridden', async (t) => {
  let denied = 0
  await fc.assert(
    fc.asyncProperty(situations, async ({ set, facts }) => {
      const found = objections(set, facts)
      const { outcome, violations, requiresApprovalBy } = await evaluate(set, ZONE, facts)
      if (found.includes('DENY')) denied += 1
      t.is(outcome, outcomeOf(found))
      t.is(violations.length, found.filter((objection) => objection === 'DENY').length)
      t.is(requiresApprovalBy.length, found.filter((objection) => objection === 'REQUIRE_APPROVAL').length)
    }),
    { numRuns: runs(2_000) },
  )
  t.true(!isFull || denied > 200, `${denied} denials`)
})

test('json-rules-engine alone gives the same outcome for the compiled rules', async (t) => {
  await fc.assert(
    fc.asyncProperty(situations, async ({ set, facts }) => {
      const { rules, needs } = compilePolicySet(set, ZONE)
      const written = JSON.parse(JSON.stringify(rules)) as never[]
      const { events } = await new Engine(written).run({ ...facts, ...wallClockFacts(needs, facts.now!) })
      const { outcome } = await evaluate(set, ZONE, facts)
      t.is(outcome, outcomeOf(events.map(({ type }) => type as Objection)))
    }),
    { numRuns: runs(1_000) },
  )
})

test('concurrent evaluations do not affect each other', async (t) => {
  const amounts = Array.from({ length: 300 }, (_, at) => at + 1)
  const set = [
    policyOf([
      { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 },
      { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 50 },
      { ruleType: 'TRUST_SCORE', value: 10 },
    ]),
  ]
  const evaluations = await Promise.all(
    amounts.map((amount) => evaluate(set, 'UTC', { ...FACTS, amount: micros(amount) })),
  )
  const expected = amounts.map((amount) => (amount > 100 ? 'DENIED' : amount > 50 ? 'REQUIRES_APPROVAL' : 'APPROVED'))
  t.deepEqual(
    evaluations.map(({ outcome }) => outcome),
    expected,
  )
  const seen = evaluations.map(({ trace }) => trace[0]?.rules[0]?.facts.amount)
  t.deepEqual(seen, amounts.map(micros))
})

test('invalid facts among concurrent evaluations deny only their own payment', async (t) => {
  const set = [policyOf([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }])]
  const amounts = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? Number.NaN : micros(5)))
  const evaluations = await Promise.all(amounts.map((amount) => evaluate(set, 'UTC', { ...FACTS, amount })))
  const types = evaluations.map(({ violations }) => violations[0]?.type)
  t.deepEqual(
    types,
    amounts.map((amount) => (Number.isNaN(amount) ? 'POLICY_ERROR' : undefined)),
  )
})

test('violations are ordered by priority, then by policy id, then by the order of the rules', async (t) => {
  const deny = { ruleType: 'NEW_COUNTERPARTY', value: false, action: 'DENY' }
  const ask = { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 1 }
  const set = [
    policyOf([deny, ask, deny], { id: 'b', priority: 10 }),
    policyOf([deny], { id: 'c', priority: 90 }),
    policyOf([ask, deny], { id: 'a', priority: 10, version: 7 }),
  ]
  const evaluation = await evaluate(set, 'UTC', FACTS)
  const names = (origins: { policyId?: string; ruleId?: string }[]): string[] =>
    origins.map(({ policyId, ruleId }) => `${policyId}/${ruleId}`)
  t.is(evaluation.outcome, 'DENIED')
  t.deepEqual(names(evaluation.violations), ['c/r0', 'a/r1', 'b/r0', 'b/r2'])
  t.like(evaluation.requiresApprovalBy, [
    { policyId: 'a', policyVersion: 7, ruleId: 'r0' },
    { policyId: 'b', policyVersion: 1, ruleId: 'r1' },
  ])
  for (const reason of evaluation.approvalReasons) t.regex(reason, /^The amount/)
  t.deepEqual(
    evaluation.trace.map(({ policyId }) => policyId),
    ['c', 'a', 'b'],
  )
  t.is(evaluation.policySetHash, policySetHash(set))
})

test('without policies the outcome is APPROVED, with the hash of the empty set', async (t) => {
  const evaluation = await evaluate([], 'UTC', FACTS)
  t.like(evaluation, { outcome: 'APPROVED', violations: [], limits: [], trace: [], facts: FACTS })
  t.is(evaluation.policySetHash, '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945')
})

test('evaluating again on the returned facts gives the same evaluation', async (t) => {
  await fc.assert(
    fc.asyncProperty(situations, async ({ set, facts }) => {
      const first = await evaluate(set, ZONE, facts)
      t.deepEqual(await evaluate(set, ZONE, first.facts), first)
    }),
    { numRuns: runs(300) },
  )
})

const EVERY_FACT = policyOf([
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 },
  { ruleType: 'DAILY_LIMIT', value: 100 },
  { ruleType: 'BUDGET_CAP', value: { amount: 100, period: 'TOTAL', of: 'POLICY' } },
  { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 9, period: 'WEEK' } },
  { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '00:00', end: '24:00' } },
  { ruleType: 'BLOCKED_CATEGORIES', value: ['GAMBLING'] },
  { ruleType: 'COUNTERPARTY_STATUS', value: 'BLOCKED', action: 'DENY' },
  { ruleType: 'NEW_COUNTERPARTY', value: true },
  { ruleType: 'BLOCKED_COUNTERPARTIES', value: ['4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'] },
  { ruleType: 'TRUST_SCORE', value: 10 },
])
const WHOLE: Facts = { ...FACTS, 'budget:p1:TOTAL': micros(5) }

const BAD: [name: string, ...values: unknown[]][] = [
  ['amount', undefined, null, Number.NaN, Infinity, '5', 1.5, -1, 2 ** 53, {}, []],
  ['category', undefined, null, 5, 'cloud', ' CLOUD'],
  ['counterpartyCategory', undefined, '', 'other'],
  ['counterpartyStatus', undefined, 'blocked', 'NEW', ''],
  ['newCounterparty', undefined, null, 'true', 0],
  ['recipient', undefined, null, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', { fact: 'amount' }],
  ['trustScore', undefined, Number.NaN, '100', -2, 101],
  ['now', undefined, null, Number.NaN, Infinity, '2026-03-03', 2 ** 53 - 1],
  ['dayTotal', undefined, Number.NaN, '0', -1],
  ['count:WEEK', undefined, Number.NaN, 0, 1.5],
  ['budget:p1:TOTAL', undefined, Number.NaN, null],
  ['minute@UTC', null, Number.NaN, 1440, '0'],
]

for (const [name, ...values] of BAD) {
  test(`a missing or invalid fact ${name} denies with POLICY_ERROR`, async (t) => {
    t.is((await evaluate([EVERY_FACT], 'UTC', WHOLE)).outcome, 'APPROVED')
    for (const value of values) {
      const facts = { ...WHOLE, [name]: value } as Facts
      if (value === undefined) Reflect.deleteProperty(facts, name)
      const evaluation = await evaluate([EVERY_FACT], 'UTC', facts)
      t.is(evaluation.outcome, 'DENIED', String(value))
      t.deepEqual(
        evaluation.violations.map(({ type }) => type),
        ['POLICY_ERROR'],
      )
    }
  })
}

test('inherited facts, or no facts at all, deny with POLICY_ERROR', async (t) => {
  for (const facts of [Object.create(WHOLE), undefined, null, 5] as Facts[]) {
    const { outcome, violations } = await evaluate([EVERY_FACT], 'UTC', facts)
    t.is(outcome, 'DENIED')
    t.is(violations[0]?.type, 'POLICY_ERROR')
  }
})

const rule = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }
const sound = policyOf([rule])
const stored = (over: object): PolicySnapshot => {
  const rules = [{ ...sound.rules[0], ...over }] as PolicySnapshot['rules']
  return policyOf([], { rules })
}

const BROKEN: [what: string, policies: unknown, timezone?: string][] = [
  ['the same policy twice', [sound, sound]],
  ['a content hash that does not match the rules', [{ ...sound, contentHash: '00' }]],
  ['two rules with one id', [policyOf([], { rules: [sound.rules[0]!, sound.rules[0]!] })]],
  ['an unknown rule type', [stored({ ruleType: 'toString' })]],
  ['a value that names a fact', [stored({ value: { fact: 'amount' } })]],
  ['an unknown operator', [stored({ operator: 'GTE' })]],
  ['an action that the type does not support', [stored({ action: 'DENY' })]],
  ['an unknown zone', [policyOf([{ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Tue'] }])], 'Moon/Sea'],
  ['null instead of a list of policies', null],
  ['null instead of a policy', [null]],
]

for (const [what, set, timezone = 'UTC'] of BROKEN) {
  test(`${what} denies with POLICY_ERROR`, async (t) => {
    const { outcome, violations } = await evaluate(set as PolicySnapshot[], timezone, WHOLE)
    t.is(outcome, 'DENIED')
    t.deepEqual(
      violations.map(({ type }) => type),
      ['POLICY_ERROR'],
    )
    t.regex(violations[0]!.message, /^The policies could not be evaluated: /)
  })
}

test('sets with one hash are cached separately for each time zone and rule ids', async (t) => {
  const window = { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '07:00', end: '08:00' } }
  const policy = policyOf([window])
  // Noon in UTC is 07:00 there.
  t.is((await evaluate([policy], ZONE, FACTS)).outcome, 'APPROVED')
  t.is((await evaluate([policy], 'UTC', FACTS)).outcome, 'DENIED')
  const renamed = { ...policy, rules: policy.rules.map((one) => ({ ...one, id: 'other' })) }
  t.is((await evaluate([renamed], 'UTC', FACTS)).violations[0]?.ruleId, 'other')
})

test('sets that were evicted from the cache are compiled again', async (t) => {
  const { explain: small } = createEvaluator({ cacheSize: 2, isChecked: () => true, onDifference: () => {} })
  for (const round of [1, 2]) {
    for (const value of [4, 5, 6]) {
      const set = [policyOf([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value }], { id: `p${value}` })]
      const { outcome } = await small(set, 'UTC', FACTS)
      t.is(outcome, value < 5 ? 'DENIED' : 'APPROVED', `round ${round}`)
    }
  }
})

test('if json-rules-engine decides otherwise, the payment is denied and the difference is reported', async (t) => {
  const reported: string[] = []
  const set = [policyOf([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }])]
  const options = { cacheSize: 10, onDifference: (hash: string) => void reported.push(hash) }
  const objectsToAll = (rules: readonly { name: string }[]) => async () => new Set(rules.map(({ name }) => name))
  const held = (isChecked: boolean) =>
    createEvaluator({ ...options, isChecked: () => isChecked, referenceOf: objectsToAll })
  const facts = { ...FACTS, amount: micros(1) }
  t.is((await held(false).evaluate(set, ZONE, facts)).outcome, 'APPROVED')
  t.deepEqual(reported, [])
  for (const denied of [await held(true).evaluate(set, ZONE, facts), await held(false).explain(set, ZONE, facts)]) {
    t.is(denied.outcome, 'DENIED')
    t.deepEqual(
      denied.violations.map(({ type }) => type),
      ['POLICY_ERROR'],
    )
  }
  t.deepEqual(reported, [policySetHash(set), policySetHash(set)])
})

test('a policy has its engines once, however many sets it is in', async (t) => {
  let made = 0
  const counting = (rules: readonly EngineRule[], breathe: Breathe): RunEngine => {
    made += rules.length
    return pooledRun(rules, breathe)
  }
  const all = { cacheSize: 20, isChecked: () => true, onDifference: () => t.fail() }
  const { evaluate: checked } = createEvaluator({ ...all, referenceOf: counting })
  const most = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
  const shared = policyOf([most(5), most(6)], { id: 'shared' })
  for (let wallet = 0; wallet < 10; wallet += 1) {
    const own = policyOf([most(wallet)], { id: `own${wallet}` })
    const { outcome, violationsTotal } = await checked([shared, own], 'UTC', { ...FACTS, amount: micros(5.5) })
    t.deepEqual([outcome, violationsTotal], ['DENIED', wallet < 6 ? 2 : 1])
  }
  t.is(made, 2 + 10)
  for (let other = 0; other < 500; other += 1)
    await checked([policyOf([most(9)], { id: `other${other}` })], 'UTC', FACTS)
  await checked([shared], 'UTC', FACTS)
  t.is(made, 2 + 10 + 500 + 2, 'the engines of the policies that were checked last are kept')
})

test('concurrent callers share one compilation, which yields to other work between rules', async (t) => {
  let breaths = 0
  const breathe = async (): Promise<void> => void (breaths += 1)
  const options = { cacheSize: 2, isChecked: () => true, onDifference: () => {}, breathe }
  const rules = Array.from({ length: 20 }, (_, index) => ({
    ruleType: 'MAX_AMOUNT',
    operator: 'LTE',
    value: 100 + index,
  }))
  const policy = policyOf(rules)
  const { evaluate: decide, ready } = createEvaluator(options)
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => ready([policy], 'UTC')))
  t.true(others.every((one) => one === first))
  t.deepEqual(first!.compiled.rules, compilePolicySet([policy], 'UTC').rules)
  t.is(breaths, 40)
  t.is((await decide([policy], 'UTC', FACTS)).outcome, 'APPROVED')
  t.is(breaths, 40 + 21, 'for the engine that is made now')
})
