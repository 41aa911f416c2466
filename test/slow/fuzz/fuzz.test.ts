// Random sequences of requests to every route. `npm run fuzz` makes 50,000.
import test from 'ava'
import { fuzz } from '../../fuzz/fuzz.js'
import { told } from '../../fuzz/told.js'
import { runs, seedOr } from '../../support/depth.js'
import { newFolder, startService } from '../../support/process.js'
import { OPERATOR_KEY } from '../../support/service.js'

const PATIENCE_MS = 300_000

test('no sequence of requests makes a route fail, answer otherwise than described, or show what is of others', async (t) => {
  t.timeout(PATIENCE_MS)
  const service = await startService(t, newFolder(t), { env: { BURSAR_OPERATOR_KEY: OPERATOR_KEY } })
  const seed = seedOr(20261130)
  const fuzzed = await fuzz(t, { url: service.url, operatorKey: OPERATOR_KEY, requests: runs(4_000, 400), seed })
  t.log(told({ ...fuzzed, problems: [] }, `npm run fuzz -- --requests ${runs(4_000, 400)} --seed ${seed}`))
  t.deepEqual(fuzzed.problems, [])
  t.true(fuzzed.succeeded.size > 80, [...fuzzed.succeeded].join('\n'))
  t.is(service.output().stderr, '')
})
