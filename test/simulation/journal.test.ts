// The kernel holds where owners of one journal follow each other, and lose it between any two steps.
import test from 'ava'
import { isFull, runs } from '../support/depth.js'
import { simulateKernel as simulate } from './kernel/run.js'

/** Below full depth a third of its share: each takes as long as a file of other tests. */
const SEEDS = isFull ? runs(300) : runs(100)

test(`${SEEDS} seeds with a journal of several owners lose no answer and write none twice`, async (t) => {
  t.timeout(20 * 60_000)
  let stops = 0
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation, trace } = await simulate(seed, { isShared: true })
    t.is(violation?.message, undefined, `seed ${seed}`)
    if (trace.at(-1) === 'stop') stops += 1
  }
  t.log(`${stops} owners were stopped`)
  t.true(stops > 0)
})

test('a run with the journal of several owners can be repeated', async (t) => {
  t.deepEqual(await simulate(2, { isShared: true }), await simulate(2, { isShared: true }))
})
