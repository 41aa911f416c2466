// A thousand clients that send or read as slowly as they can, in the four modes of slowhttptest: callers of the service do
// not notice.
import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { startQuietCalls, type Quiet } from '../../fuzz/stalls.js'
import { notRun } from '../../support/notRun.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'

const PATIENCE_MS = 300_000
const LASTING_MS = 12_000
/** Below it a p99 is noise. */
const UNNOTICED_MS = 100

const MODES = [
  ['slow headers', ['-H']],
  ['slow bodies', ['-B', '-s', '65536']],
  ['ranges', ['-R', '-t', 'HEAD', '-b', '5000']],
  ['slow reading', ['-X', '-k', '3', '-w', '1', '-y', '64', '-z', '16']],
] as const

const isThere = spawnSync('slowhttptest', ['-h']).error === undefined

async function during(url: string, work: Promise<unknown>): Promise<Quiet> {
  const calls = startQuietCalls(url, ORGANIZATION_KEY)
  await work
  return calls()
}

test('a thousand slow clients hold up nobody', async (t) => {
  t.timeout(PATIENCE_MS)
  if (!isThere) return notRun(t, 'slowhttptest: apt-get install slowhttptest')
  const service = await startService(t, newFolder(t))
  const quiet = await during(service.url, pause(LASTING_MS / 2))
  t.log(`without them: p99 ${quiet.p99Ms.toFixed(1)} ms, longest ${quiet.longestMs.toFixed(1)} ms`)
  for (const [mode, args] of MODES) {
    const often = ['-c', '1000', '-r', '500', '-i', '2', '-l', String(LASTING_MS / 1_000), '-p', '3']
    const attack = promisify(execFile)('slowhttptest', [...args, ...often, '-u', `${service.url}/api/agents`])
    const { calls, p99Ms, longestMs } = await during(service.url, attack)
    t.log(`${mode}: ${calls} calls, p99 ${p99Ms.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms`)
    t.true(p99Ms < Math.max(2 * quiet.p99Ms, UNNOTICED_MS), mode)
  }
  t.is(service.output().stderr, '')
})
