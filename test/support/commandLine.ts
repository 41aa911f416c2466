// Runs `bursar` as from a shell, in a separate process.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Ran {
  status: number | null
  out: string
  error: string
}

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface Surrounded {
  env?: { [name: string]: string }
  input?: string
}

export function bursar(args: string[], surrounded?: Surrounded): Promise<Ran> {
  return launch(args, surrounded).ended
}

/** The same, for tests that signal the process. */
export function launch(
  args: string[],
  { env = {}, input = '' }: Surrounded = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BURSAR_'))
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...Object.fromEntries(inherited), ...env } })
  const ran: Ran = { status: null, out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.error += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = once(child, 'close').then(([status]) => ({ ...ran, status: status as number | null }))
  return { child, ended }
}
