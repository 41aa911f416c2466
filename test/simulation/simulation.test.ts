// The sagas hold in any order of messages, and the simulation can find errors: if any one protection is removed, it
// finds an invariant violated.
import test from 'ava'
import { runs } from '../depth.js'
import { MUTATIONS } from './mutations.js'
import { simulate, type Options, type Outcome } from './run.js'

const SEEDS = runs(300)
/** Some protections matter only once in hundreds of runs. */
const MAX_SEEDS = 3_000

/** The outcome of the first seed whose run violates an invariant. */
async function firstFailure(seeds: number, options: Options): Promise<Outcome | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcome = await simulate(seed, options)
    if (outcome.violation) return outcome
  }
  return undefined
}

test(`${SEEDS} seeds violate no invariant`, async (t) => {
  const failure = await firstFailure(SEEDS, {})
  if (failure) t.log(`npm run simulate -- --seed ${failure.seed}`)
  t.is(failure?.violation?.message, undefined)
})

test('a run can be repeated step by step, up to its violation', async (t) => {
  const { book } = MUTATIONS[0]!
  const failure = await firstFailure(MAX_SEEDS, { book })
  const again = await simulate(failure!.seed, { book })
  t.deepEqual(again.violation, failure!.violation)
  t.deepEqual(again.trace(), failure!.trace())
})

test('runs of different seeds differ', async (t) => {
  const [one, other] = [await simulate(1), await simulate(2)]
  t.notDeepEqual(one.trace(), other.trace())
})

for (const { without, book, breaks } of MUTATIONS) {
  test(`without ${without}, a run violates an invariant`, async (t) => {
    const failure = await firstFailure(MAX_SEEDS, { book })
    t.log(`seed ${failure?.seed}: ${failure?.violation?.message}`)
    t.true(failure !== undefined && breaks.includes(failure.violation!.invariant))
  })
}
