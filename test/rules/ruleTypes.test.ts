// Every rule type: what it allows, what it objects to, the exact boundary, the violation and the explanation.
import test from 'ava'
import { createEvaluator } from '../../rules/evaluate.js'
import { RULE_TYPES, type RuleTypeName } from '../../rules/ruleTypes/index.js'
import { FACTS, policyOf } from './policies.js'
import { AMOUNTS } from './tables/amounts.js'
import { CARDS } from './tables/cards.js'
import { COMPOSITES } from './tables/composites.js'
import { PARTIES } from './tables/parties.js'
import { SUMS } from './tables/sums.js'
import { TIMES } from './tables/times.js'
import { X402 } from './tables/x402.js'

const { explain: evaluate } = createEvaluator({ cacheSize: 10, isChecked: () => true, onDifference: () => {} })
const TABLES = [...AMOUNTS, ...SUMS, ...TIMES, ...PARTIES, ...CARDS, ...X402, ...COMPOSITES]

for (const { rule, timezone = 'UTC', standing, cases } of TABLES) {
  test(`in ${timezone} payments are decided and explained as expected by ${JSON.stringify(rule)}`, async (t) => {
    const policy = policyOf([rule])
    for (const [facts, outcome, said] of cases) {
      const evaluation = await evaluate([policy], timezone, { ...FACTS, ...facts })
      const [violation] = evaluation.violations
      t.is(violation?.type ?? evaluation.outcome, outcome, said)
      t.is(evaluation.trace[0]?.rules[0]?.explanation, said)
      if (violation === undefined) continue
      const origin = { policyId: 'p1', policyVersion: 1, ruleId: 'r0' }
      t.like(violation, { ...origin, message: said })
    }
    if (standing === undefined) return
    const last = await evaluate([policy], timezone, { ...FACTS, ...cases.at(-1)![0] })
    t.like(last.violations[0], standing)
  })
}

test('every rule type has a table', (t) => {
  const tested = new Set(TABLES.map(({ rule }) => rule.ruleType))
  t.deepEqual(
    Object.keys(RULE_TYPES).filter((name) => !tested.has(name as RuleTypeName)),
    [],
  )
})
