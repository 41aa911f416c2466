// A thousand clients that send or read as slowly as they can, in the four modes of slowhttptest: callers of the service do
// not notice.
import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify, stripVTControlCharacters } from 'node:util'
import test from 'ava'
import { startQuietCalls, type Quiet } from '../../fuzz/stalls.js'
import { notRun } from '../../support/notRun.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'

const PATIENCE_MS = 300_000
const LASTING_MS = 12_000
const CLIENTS = 1_000

/** Each at what makes the service wait: a header, a body that it takes before anything else, and a large answer. */
const MODES = [
  ['slow headers', '/api/agents', ['-H']],
  ['slow bodies', '/api/session', ['-B', '-f', 'application/json', '-s', '8192']],
  ['ranges', '/openapi.json', ['-R', '-t', 'HEAD', '-b', '5000']],
  ['slow reading', '/openapi.json', ['-X', '-k', '3', '-w', '1', '-y', '64', '-z', '16']],
] as const

const isThere = spawnSync('slowhttptest', ['-h']).error === undefined

test('a thousand slow clients hold up nobody', async (t) => {
  t.timeout(PATIENCE_MS)
  if (!isThere) return notRun(t, 'slowhttptest: apt-get install slowhttptest')
  const service = await startService(t, newFolder(t))
  const during = async (work: () => Promise<unknown>): Promise<Quiet> => {
    const calls = startQuietCalls(t, service.url, ORGANIZATION_KEY)
    await work()
    return calls()
  }
  const said = ({ calls, p99Ms, longestMs }: Quiet): string =>
    `${calls} calls of others, p99 ${p99Ms.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms`
  t.log(`without them: ${said(await during(() => pause(LASTING_MS / 2)))}`)
  for (const [mode, path, args] of MODES) {
    const often = ['-c', String(CLIENTS), '-r', '500', '-i', '2', '-l', String(LASTING_MS / 1_000), '-p', '3']
    let output = ''
    const quiet = await during(async () => {
      const all = [...args, ...often, '-u', `${service.url}${path}`]
      output = stripVTControlCharacters((await promisify(execFile)('slowhttptest', all)).stdout)
    })
    const made = Math.max(...Array.from(output.matchAll(/(?:connected|closed|error): +(\d+)/g), ([, n]) => Number(n)))
    t.log(`${mode}: ${made} clients; ${said(quiet)}`)
    // Those who wait for answers one after the other still get them.
    t.true(quiet.calls > LASTING_MS / 1_000, mode)
    // Where all were answered at once, none is left to count.
    t.true(made > CLIENTS / 2 || output.includes('No open connections left'), output)
  }
  t.is(service.output().stderr, '')
})
