// The kernel holds whatever commands come, in any order; and the simulation can find errors: if any one protection is
// removed, it finds an invariant violated.
import test from 'ava'
import { seeds } from './depth.js'
import { MUTATIONS } from './mutations.js'
import { simulate, type Options, type Outcome } from './run.js'

const SEEDS = seeds(300)
/** Some protections matter only once in hundreds of runs. */
const MAX_SEEDS = 1_000

/** The outcome of the first seed whose run violates an invariant. */
async function firstFailure(most: number, options: Options): Promise<Outcome | undefined> {
  for (let seed = 1; seed <= most; seed += 1) {
    const outcome = await simulate(seed, options)
    if (outcome.violation) return outcome
  }
  return undefined
}

test(`${SEEDS} seeds violate no invariant`, async (t) => {
  t.timeout(10 * 60_000)
  const failure = await firstFailure(SEEDS, {})
  if (failure) t.log(`npm run simulate -- --seed ${failure.seed}`)
  t.is(failure?.violation?.message, undefined)
})

test('a run can be repeated command by command, up to its violation', async (t) => {
  const { book } = MUTATIONS[0]!
  const failure = await firstFailure(MAX_SEEDS, { book })
  const again = await simulate(failure!.seed, { book })
  t.deepEqual(again, failure)
})

test('runs of different seeds differ, and each reaches most of what a payment can become', async (t) => {
  const runs = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => simulate(seed)))
  t.notDeepEqual(runs[0]!.trace, runs[1]!.trace)
  const answers = new Set(runs.flatMap(({ trace }) => trace.map((line) => line.slice(line.lastIndexOf(': ') + 2))))
  for (const answer of ['awaitingApproval', 'permitted', 'executed', 'denied', 'cancelled', 'expired', 'conflict']) {
    t.true(answers.has(answer), answer)
  }
  for (const answer of ['transferring.unknown', 'transferred.submitted', 'transferred.confirmed', 'failed']) {
    t.true(answers.has(answer), answer)
  }
})

for (const { without, book, breaks } of MUTATIONS) {
  test(`without ${without}, a run violates an invariant`, async (t) => {
    t.timeout(5 * 60_000)
    const failure = await firstFailure(MAX_SEEDS, { book })
    t.log(`seed ${failure?.seed}: ${failure?.violation?.message}`)
    t.true(failure !== undefined && breaks.includes(failure.violation!.invariant))
  })
}
