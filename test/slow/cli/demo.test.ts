// The demo as a user runs it: it plays the whole story, checks every result, and leaves nothing behind.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { startChild } from '../../../src/cli/terminal/child.js'
import { NoChain, LocalChain } from '../../../src/cli/demo/localChain.js'
import { simulatedMoney } from '../../../src/cli/demo/money.js'
import { notRun } from '../../support/notRun.js'
import { createScreen } from '../../../src/cli/demo/screen.js'
import { Stage } from '../../../src/cli/demo/stage.js'
import { tellStory } from '../../../src/cli/demo/story.js'
import { UnexpectedResult } from '../../../src/cli/demo/expect.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))

interface Played {
  demo: ChildProcess
  /** Where the demo puts its throw-away folder. */
  temporary: string
  printed: () => string
  ended: Promise<unknown[]>
}

function newFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function play(t: ExecutionContext, environment: Record<string, string> = {}, options: string[] = []): Played {
  const temporary = newFolder(t)
  // Node from 22 keeps what npx compiled among the temporary files, for the next npx.
  const env = { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1', ...environment }
  const demo = spawn(process.execPath, [MAIN, 'demo', ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  return { demo, temporary, printed: () => printed, ended: once(demo, 'close') }
}

/** Whether a service still answers at an address that the demo printed. */
async function isAnswering(printed: string): Promise<boolean> {
  const urls = printed.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? []
  const answers = await Promise.allSettled(urls.map((url) => fetch(`${url}/healthz`)))
  return answers.some(({ status }) => status === 'fulfilled')
}

const LINES: [what: string, line: RegExp][] = [
  ['a payment is approved', /^ +request 80 +APPROVED/m],
  ['it is executed', /^ +execute +EXECUTED/m],
  ['a second execution is refused', /^ +execute +409 ALREADY_EXECUTED/m],
  ['a denial names its violation', /^ +request 120 +DENIED +PER_TX_LIMIT: limit 100, current 120$/m],
  ['a denial gives its reason', /^ +reason +120 is above the limit of 100 per payment$/m],
  ['a denial gives a hint', /^ +hint +Have the limit per payment raised/m],
  ['a reservation counts', /^ +request 100 +DENIED +DAILY_LIMIT: limit 250, current 170$/m],
  ['the service is killed', /^ +kill -9 +killed +process \d+$/m],
  ['an approval survives the kill', /^ +payment 90 +APPROVED +as before$/m],
  ['sums survive the kill', /^ +delegation +spent 80, reserved 90, 80 left today, as before$/m],
  ['what was approved before is executed after', /^ +execute 90 +EXECUTED +approved before the kill$/m],
  ['what was executed before is not executed after', /^ +execute 80 +409 ALREADY_EXECUTED/m],
  ['it says that all went well', /^Everything happened as described\.$/m],
]

test('The demo plays the whole story, without colours in a pipe, and leaves nothing behind', async (t) => {
  const { temporary, printed, ended } = play(t)
  t.deepEqual(await ended, [0, null], printed())
  for (const [what, line] of LINES) t.regex(printed(), line, what)
  t.false(printed().includes('\u001B'))
  t.deepEqual(readdirSync(temporary), [])
  t.false(await isAnswering(printed()))
})

test('With --live the demo makes real transfers and shows each with its hash', async (t) => {
  try {
    await (await LocalChain.start()).stop()
  } catch (error) {
    if (!(error instanceof NoChain)) throw error
    return notRun(t, `a local chain (${error.message})`)
  }
  const { temporary, printed, ended } = play(t, {}, ['--live'])
  t.deepEqual(await ended, [0, null], printed())
  t.is(printed().match(/^ +transfer +CONFIRMED +0x[0-9a-f]{64}$/gm)?.length, 2, printed())
  t.deepEqual(readdirSync(temporary), [])
})

test('The demo ignores the settings of a configured service', async (t) => {
  const { printed, ended } = play(t, { PORT: '1', BURSAR_RATE_LIMITS: 'payments=1', BURSAR_DATA_DIR: '/nowhere' })
  t.deepEqual(await ended, [0, null], printed())
})

test('An interrupted demo stops its service and removes its folder', async (t) => {
  const { demo, temporary, printed, ended } = play(t)
  demo.stdout!.once('data', () => demo.kill('SIGINT'))
  t.deepEqual(await ended, [130, null], printed())
  t.regex(printed(), /http:/)
  t.deepEqual(readdirSync(temporary), [])
  t.false(await isAnswering(printed()))
})

test('An unexpected answer ends the demo with a message that names the expected one', async (t) => {
  const stage = await Stage.open(newFolder(t), { BURSAR_RATE_LIMITS: 'payments=2' })
  t.teardown(() => stage.close())
  const screen = createScreen({ isTTY: false, hasColors: () => false, write: () => true })
  const error = await t.throwsAsync(tellStory(stage, simulatedMoney, screen), { instanceOf: UnexpectedResult })
  t.regex(error.message, /^Unexpected: the second execution should answer 409, but answers 429: .*RATE_LIMITED/)
})

test('A service that cannot start says why', async (t) => {
  const starting = startChild(newFolder(t), { BURSAR_SETTLEMENT: 'none' })
  await t.throwsAsync(starting, { message: /^The service did not start: BURSAR_SETTLEMENT must be .*, not "none"$/ })
})

const SCREENS: [where: string, isTTY: boolean, hasColors: boolean, coloured: boolean][] = [
  ['a terminal with colours', true, true, true],
  ['a terminal without colours', true, false, false],
  ['a pipe', false, true, false],
]

for (const [where, isTTY, hasColors, coloured] of SCREENS) {
  test(`The demo ${coloured ? 'is' : 'is not'} coloured on ${where}`, (t) => {
    let printed = ''
    const write = (text: string): boolean => (printed += text) !== ''
    createScreen({ isTTY, hasColors: () => hasColors, write }).fact('request 1', 'why', 'DENIED')
    t.is(printed.includes('\u001B'), coloured)
    t.regex(printed, /request 1[^]*DENIED[^]*why\n$/)
  })
}
