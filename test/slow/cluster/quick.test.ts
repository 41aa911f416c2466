// Two nodes under load while everything fails that may: what was answered is kept, once, and all folders are equal. It is
// the plan of `npm run test:cluster`, with each fault once.
import test from 'ava'
import { startByHand } from '../../cluster/failingDatabase.js'
import { runPlan } from '../../cluster/plan.js'
import { again, runs, seedOr } from '../../support/depth.js'
import { notRun } from '../../support/notRun.js'
import { lent } from '../../support/postgres/lent.js'

const TIMES = runs(1)
const SEED = seedOr(47)

test.serial(`no answer is lost, whatever fails (seed ${SEED})`, async (t) => {
  t.timeout(180_000 * TIMES)
  t.log(again(SEED))
  const database = await lent(t, startByHand)
  if (database === undefined) return
  const outcome = await runPlan(t, database, { timesOf: () => TIMES, seed: SEED, say: (line) => t.log(line) })
  for (const { lacks } of outcome.notRun) notRun(t, lacks)
  t.deepEqual(outcome.findings, { lost: [], double: [], over: [], broken: [] })
  t.true(outcome.acknowledged > 0)
})
