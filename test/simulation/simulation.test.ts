// The kernel holds whatever commands come, in any order; and the simulation can find errors: if any one protection is
// removed, it finds an invariant violated.
import test from 'ava'
import { isFull, runs } from '../support/depth.js'
import { MUTATIONS } from './mutations.js'
import { simulate, type Options, type Outcome } from './run.js'

/** Below full depth a third of its share: each takes as long as a file of other tests. */
const SEEDS = isFull ? runs(300) : runs(100)
/** Some protections matter only once in dozens of runs. */
const MAX_SEEDS = 300

/** What a payment is answered to be, sooner or later, in as many runs. */
const PLAIN = ['awaitingApproval', 'permitted', 'executed', 'denied', 'cancelled', 'expired', 'failed', 'conflict']
const LIVE = ['transferring.signing', 'transferring.submitting', 'transferring.unknown', 'transferred.submitted']
const REACHED = [...PLAIN, ...LIVE, 'transferred.confirmed']
const ENOUGH = 30

/** The outcome of the first seed, of those from `from`, whose run violates an invariant. */
async function firstFailure(options: Options, from = 1): Promise<Outcome | undefined> {
  for (let seed = from; seed <= MAX_SEEDS; seed += 1) {
    const outcome = await simulate(seed, options)
    if (outcome.violation) return outcome
  }
  return undefined
}

test(`${SEEDS} seeds violate no invariant, and reach every state of a payment`, async (t) => {
  t.timeout(10 * 60_000)
  const answers = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation, trace } = await simulate(seed)
    t.is(violation?.message, undefined, `npm run simulate -- --seed ${seed}`)
    for (const line of trace) answers.add(line.slice(line.lastIndexOf(': ') + 2))
  }
  const missing = REACHED.filter((answer) => !answers.has(answer))
  if (SEEDS >= ENOUGH) t.deepEqual(missing, [])
})

test('a run can be repeated command by command, up to its violation', async (t) => {
  const { book } = MUTATIONS[0]!
  const failure = await firstFailure({ book })
  const again = await simulate(failure!.seed, { book })
  t.deepEqual(again, failure)
})

test(`${SEEDS} seeds with a journal of several owners lose no answer and write none twice`, async (t) => {
  t.timeout(10 * 60_000)
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

test('runs of different seeds differ', async (t) => {
  const [one, other] = [await simulate(1), await simulate(2)]
  t.notDeepEqual(one.trace, other.trace)
})

for (const { without, book, breaks, seed } of MUTATIONS) {
  test(`without ${without}, a run violates an invariant`, async (t) => {
    t.timeout(5 * 60_000)
    const failure = await firstFailure({ book }, isFull ? 1 : seed)
    t.log(`seed ${failure?.seed}: ${failure?.violation?.message}`)
    t.true(failure !== undefined && breaks.includes(failure.violation!.invariant))
  })
}
