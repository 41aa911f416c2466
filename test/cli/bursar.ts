// Runs `bursar` as from a shell, in a separate process.
import { spawn } from 'node:child_process'
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

export async function bursar(args: string[], { env = {}, input = '' }: Surrounded = {}): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BURSAR_'))
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...Object.fromEntries(inherited), ...env } })
  const ran: Ran = { status: null, out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.error += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [status] = (await once(child, 'close')) as [number | null]
  return { ...ran, status }
}
