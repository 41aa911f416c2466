// The sagas hold in any order of things, and the simulation that says so bites: without any one protection it finds
// the books broken.
import test from 'ava'
import { MUTATIONS } from './mutations.js'
import { simulate, type Options, type Outcome } from './run.js'

const SEEDS = 300
/** Some protections are needed once in hundreds of runs. */
const MAX_SEEDS = 3_000

/** The first seed whose run breaks an invariant. */
async function firstFailure(seeds: number, options: Options): Promise<Outcome | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcome = await simulate(seed, options)
    if (outcome.violation) return outcome
  }
  return undefined
}

test(`${SEEDS} seeds break nothing`, async (t) => {
  const failure = await firstFailure(SEEDS, {})
  if (failure) t.log(`npm run simulate -- --seed ${failure.seed}`)
  t.is(failure?.violation?.message, undefined)
})

test('a run is the same every time, step by step, up to what breaks it', async (t) => {
  const { book } = MUTATIONS[0]!
  const failure = await firstFailure(SEEDS, { book })
  const again = await simulate(failure!.seed, { book })
  t.deepEqual(again.violation, failure!.violation)
  t.deepEqual(again.trace(), failure!.trace())
})

test('runs of two seeds differ', async (t) => {
  const [one, other] = [await simulate(1), await simulate(2)]
  t.notDeepEqual(one.trace(), other.trace())
})

for (const { without, book, breaks } of MUTATIONS) {
  test(`without ${without}, a run breaks the books`, async (t) => {
    const failure = await firstFailure(MAX_SEEDS, { book })
    t.log(`seed ${failure?.seed}: ${failure?.violation?.message}`)
    t.true(failure !== undefined && breaks.includes(failure.violation!.invariant))
  })
}
