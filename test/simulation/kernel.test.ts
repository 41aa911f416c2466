// The kernel holds whatever commands come, in any order.
import test from 'ava'
import { isFull, runs } from '../support/depth.js'
import { simulateKernel as simulate } from './kernel/run.js'

/** Below full depth a third of its share: each takes as long as a file of other tests. */
const SEEDS = isFull ? runs(300) : runs(100)

/** What a payment is answered to be, sooner or later, in as many runs. */
const PLAIN = ['awaitingApproval', 'permitted', 'executed', 'denied', 'cancelled', 'expired', 'failed', 'conflict']
const LIVE = ['transferring.signing', 'transferring.submitting', 'transferring.unknown', 'transferred.submitted']
const REACHED = [...PLAIN, ...LIVE, 'transferred.confirmed']
const ENOUGH = 30

test(`${SEEDS} seeds violate no invariant, and reach every state of a payment`, async (t) => {
  t.timeout(20 * 60_000)
  const answers = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation, trace } = await simulate(seed)
    t.is(violation?.message, undefined, `npm run simulate -- kernel --seed ${seed}`)
    for (const line of trace) answers.add(line.slice(line.lastIndexOf(': ') + 2))
  }
  const missing = REACHED.filter((answer) => !answers.has(answer))
  if (SEEDS >= ENOUGH) t.deepEqual(missing, [])
})

test('runs of different seeds differ', async (t) => {
  const [one, other] = [await simulate(1), await simulate(2)]
  t.notDeepEqual(one.trace, other.trace)
})
