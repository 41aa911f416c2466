// The whole service holds whatever its clients do, in whatever order.
import test from 'ava'
import { runs } from '../support/depth.js'
import { simulateService } from './service/run.js'

/** Each takes about a second. */
const SEEDS = runs(60)

/** What is answered, sooner or later, in as many runs. */
const DONE = ['APPROVED', 'EXECUTED', 'REQUIRES_APPROVAL', 'DENIED', 'CANCELLED', 'EXECUTING'].map(
  (one) => `200 ${one}`,
)
const REFUSED = ['401 AUTH_FAILED', '403 SELF_APPROVAL', '403 INSUFFICIENT_SCOPE', '404 NOT_FOUND']
const CONFLICTS = ['ALREADY_DECIDED', 'IDEMPOTENCY_CONFLICT', 'ALREADY_EXECUTED'].map((one) => `409 ${one}`)
const REACHED = [...DONE, '202 PENDING_APPROVAL', ...REFUSED, ...CONFLICTS]
const ENOUGH = 60

test(`${SEEDS} seeds violate no invariant, and reach what is answered`, async (t) => {
  t.timeout(20 * 60_000)
  const answers = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation, trace } = await simulateService(seed)
    t.is(violation?.message, undefined, `npm run simulate -- service --seed ${seed}`)
    for (const line of trace) answers.add(/-> (\d+ [A-Z_]+)/.exec(line)?.[1] ?? '')
  }
  const missing = REACHED.filter((answer) => !answers.has(answer))
  if (SEEDS >= ENOUGH) t.deepEqual(missing, [])
})

test('a run can be repeated, request by request', async (t) => {
  t.deepEqual(await simulateService(1), await simulateService(1))
})

test('a run without some of its steps is the same run otherwise', async (t) => {
  const { trace } = await simulateService(2, { steps: 20 })
  const shorter = await simulateService(2, { only: [1, 2, 3, 4, 5] })
  const lines = shorter.trace.filter((line) => trace.includes(line))
  t.true(lines.length > shorter.trace.length / 2)
})
