// The simulation can find errors: if any one protection is removed, it finds an invariant violated.
import test from 'ava'
import { isFull } from '../support/depth.js'
import { MUTATIONS } from './mutations.js'
import { simulate, type Options, type Outcome } from './kernel/run.js'

/** Some protections matter only once in dozens of runs. */
const MAX_SEEDS = 300

/** The outcome of the first seed, of those from `from`, whose run violates an invariant. */
async function firstFailure(options: Options, from = 1): Promise<Outcome | undefined> {
  for (let seed = from; seed <= MAX_SEEDS; seed += 1) {
    const outcome = await simulate(seed, options)
    if (outcome.violation) return outcome
  }
  return undefined
}

test('a run can be repeated command by command, up to its violation', async (t) => {
  const { book } = MUTATIONS[0]!
  const failure = await firstFailure({ book })
  const again = await simulate(failure!.seed, { book })
  t.deepEqual(again, failure)
})

for (const { without, book, breaks, seed } of MUTATIONS) {
  test(`without ${without}, a run violates an invariant`, async (t) => {
    t.timeout(15 * 60_000)
    const failure = await firstFailure({ book }, isFull ? 1 : seed)
    t.log(`seed ${failure?.seed}: ${failure?.violation?.message}`)
    t.true(failure !== undefined && breaks.includes(failure.violation!.invariant))
  })
}
