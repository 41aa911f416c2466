// Runs `bursar` on a pseudo-terminal that `script` of util-linux opens, and answers each question once it is shown.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { screenOf } from './screen.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))
/** Without `always` the terminal would never echo piped input, and no test could see that secrets are not echoed. */
const SCRIPT = ['--quiet', '--return', '--echo', 'always', '--command']

/** What to wait for, on the screen or elsewhere, and what to type then. */
export type Turn = readonly [question: string | Promise<unknown>, typed: string]

export interface Seen {
  /** Everything that reached the terminal, including what was erased. */
  written: string
  screen: string[]
  /** The exit code; 128 and more for a signal. */
  exit: number
}

export const KEYS = { enter: '\r', interrupt: '\u0003', end: '\u0004', up: '\u001b[A' } as const

export function hasTerminals(): boolean {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  return /util-linux/.test(stdout ?? '')
}

/** Runs `bursar` in a shell on a terminal; the shell finally prints its exit code and that echo is on again. */
export async function converse(
  t: ExecutionContext,
  words: string,
  env: NodeJS.ProcessEnv,
  turns: Turn[],
): Promise<Seen> {
  const command = `trap : INT; '${process.execPath}' '${MAIN}' ${words}; printf '\\nexit %s\\n' $?; stty -a | grep -ow -e -echo -e echo`
  const child = spawn('script', [...SCRIPT, command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  let written = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (written += text))
  let read = 0
  for (const [question, typed] of turns) {
    if (typeof question !== 'string') await Promise.race([question, closed])
    else
      await until(
        child,
        () => written.includes(question, read),
        () => `${question} did not come: ${written}`,
      )
    read = written.length
    child.stdin!.write(typed)
  }
  await closed
  const lines = screenOf(written)
  t.deepEqual(lines.slice(-2), ['echo', ''])
  const screen = lines.slice(0, -3)
  while (screen.at(-1) === '') screen.pop()
  return { written, screen, exit: Number(/^exit (\d+)$/.exec(lines.at(-3)!)?.[1]) }
}

function until(child: ChildProcess, holds: () => boolean, complaint: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (!holds()) return
      child.stdout!.off('data', check)
      child.off('close', ended)
      resolve()
    }
    const ended = (): void => reject(new Error(complaint()))
    child.stdout!.on('data', check)
    child.once('close', ended)
    check()
  })
}
