// A test run that is interrupted leaves nothing: the runner is stopped in the midst of tests that have services, a chain
// and a browser, and neither a process nor a folder remains.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { notRun } from '../../support/notRun.js'
import { projectRoot } from '../../support/root.js'
import { until } from '../../support/chain.js'

/** They begin together, and the first of their tests take seconds. */
const FILES = ['slow/crash/crash', 'slow/chain/live', 'slow/browser/session']
const MARK = 'INTERRUPTED_TEST_RUN'
const PATIENCE_MS = 120_000

const PRESENT: [what: RegExp, lacking: RegExp][] = [
  [/dist\/src\/main\.js/, /^$/],
  [/anvil/, /for lack of a local chain/],
  [/chromium/, /for lack of Chromium/],
]

interface Interrupted {
  runner: ChildProcess
  /** The temporary folder that it was given. */
  temporary: string
  printed: () => string
  ended: Promise<unknown[]>
}

function begin(t: ExecutionContext): Interrupted {
  const temporary = mkdtempSync(join(tmpdir(), 'bursar-interrupted-'))
  t.teardown(() => rmSync(temporary, { recursive: true, force: true }))
  const env = { ...process.env, TMPDIR: temporary, [MARK]: temporary, NO_COLOR: '1' }
  const args = [join(projectRoot, 'test', 'run', 'main.mjs'), 'all', '--concurrency=3', ...FILES]
  const runner = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let printed = ''
  for (const stream of [runner.stdout!, runner.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const ended = once(runner, 'close')
  t.teardown(async () => {
    runner.kill('SIGTERM')
    await ended
  })
  return { runner, temporary, printed: () => printed, ended }
}

/** The command lines of all processes that have the mark of a run in their environment. */
function processesOf(temporary: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${temporary}`))
    .map((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
    .filter((command) => command !== '')
}

/** Empty for a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function untilAllRun({ temporary, printed }: Interrupted): Promise<void> {
  const isThere = ([what, lacking]: (typeof PRESENT)[number], commands: string[]): boolean =>
    lacking.test(printed()) || commands.some((command) => what.test(command))
  await until(
    async () => {
      const commands = processesOf(temporary)
      return PRESENT.every((one) => isThere(one, commands)) || undefined
    },
    `the tests do not run: ${printed()}`,
    PATIENCE_MS,
  )
}

const INTERRUPTIONS: [how: string, signal: NodeJS.Signals, isGroup: boolean, code: number][] = [
  ['Ctrl-C', 'SIGINT', true, 130],
  ['SIGTERM to its group', 'SIGTERM', true, 143],
  ['SIGTERM to the runner alone', 'SIGTERM', false, 143],
]

for (const [how, signal, isGroup, code] of INTERRUPTIONS) {
  test.serial(`a run that is ended by ${how} leaves no process and no folder`, async (t) => {
    if (!existsSync('/proc/self/environ')) return notRun(t, 'the /proc of Linux')
    t.timeout(2 * PATIENCE_MS)
    const run = begin(t)
    await untilAllRun(run)
    process.kill(isGroup ? -run.runner.pid! : run.runner.pid!, signal)
    t.deepEqual(await run.ended, [code, null], run.printed())
    t.deepEqual(processesOf(run.temporary), [])
    t.deepEqual(readdirSync(run.temporary), [])
  })
}
