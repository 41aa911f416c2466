// An engine serves one run at a time, and a result that lacks a rule is an error.
import test from 'ava'
import fc from 'fast-check'
import { Engine } from 'json-rules-engine'
import { compilePolicySet } from '../../rules/compile.js'
import { objectionsOf, pooledRun } from '../../rules/engines.js'
import { createPool } from '../../rules/pool.js'
import '../support/depth.js'
import { FACTS, micros, policyOf } from './policies.js'

const { rules, needs } = compilePolicySet(
  [
    policyOf([
      { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1 },
      { ruleType: 'NEW_COUNTERPARTY', value: false, action: 'DENY' },
    ]),
  ],
  'UTC',
)

/** Resolves when all promises that can settle by now have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a result for fewer rules than there are is an error', async (t) => {
  const facts = FACTS
  t.deepEqual([...(await objectionsOf(new Engine(rules), rules, facts, needs))].sort(), ['p1/r0', 'p1/r1'])
  for (const some of [[], rules.slice(0, 1), rules.slice(1)]) {
    await t.throwsAsync(objectionsOf(new Engine(some), rules, facts, needs), {
      message: /did not answer for all rules/,
    })
  }
})

test('a failed run does not block the following ones', async (t) => {
  const run = pooledRun(rules, async () => {})
  const runs = Array.from({ length: 40 }, (_, at) => run(FACTS, at % 2 === 0 ? needs : []))
  const outcomes = await Promise.allSettled(runs)
  t.deepEqual(
    outcomes.map(({ status }) => status),
    runs.map((_, at) => (at % 2 === 0 ? 'fulfilled' : 'rejected')),
  )
  t.is((await run({ ...FACTS, amount: micros(1) }, needs)).size, 1)
})

test('a pool lends each item to one taker at a time, up to its size, in the order of the requests', async (t) => {
  const steps = fc.array(fc.record({ take: fc.boolean(), isSound: fc.boolean() }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (moves, most) => {
      const pool = createPool<object>(most)
      const lent: object[] = []
      const served: number[] = []
      let asked = 0
      for (const { take, isSound } of moves) {
        if (take) {
          const turn = asked++
          void pool.take().then((item) => {
            served.push(turn)
            lent.push(item ?? {})
          })
        } else if (lent.length > 0) {
          const item = lent.shift()
          pool.giveBack(isSound ? item : undefined)
        }
        await settled()
        t.is(new Set(lent).size, lent.length)
        t.true(lent.length <= most)
      }
      t.deepEqual(served, Array.from(served.keys()))
    }),
  )
})
