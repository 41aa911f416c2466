// The commands of `bursar` as a user types them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { ROWS } from '../../../src/cli/bursar.js'
import { projectRoot } from '../../support/root.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))

function bursar(...args: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  return { status, out: stdout, error: stderr }
}

for (const word of ['help', '--help']) {
  test(`bursar ${word} names every command`, (t) => {
    const { status, out } = bursar(word)
    t.is(status, 0)
    for (const { usage } of ROWS) t.true(out.includes(`bursar ${usage}\n`), usage)
    for (const name of ['URL', 'API_KEY', 'AGENT_KEY', 'WEBHOOK_SECRET']) t.regex(out, new RegExp(`BURSAR_${name}\\b`))
    t.regex(out, /^Exit codes: 0 done, 1 .*, 2 .*, 3 /m)
  })
}

test('an unknown command is named in the error, which points to the help', (t) => {
  const { status, out, error } = bursar('fly', 'away')
  t.is(status, 2)
  t.is(out, '')
  t.regex(error, /^Unknown command fly away\nbursar help/)
  t.regex(bursar('agents').error, /^Unknown command agents: bursar agents --help lists/)
})

test('each noun has its own help', (t) => {
  const { status, out } = bursar('wallets', '--help')
  t.is(status, 0)
  const named = out.split('\n').flatMap((line) => line.match(/^ {2}bursar \w+ \w+/)?.[0].trim() ?? [])
  t.deepEqual(named, ['bursar wallets list', 'bursar wallets create', 'bursar wallets prove', 'bursar wallets fund'])
  t.is(bursar('fly', '--help').status, 2)
})

test('--version prints the version of the package', (t) => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
  t.deepEqual(bursar('--version'), { status: 0, out: `${version}\n`, error: '' })
})

test('a key lasts at most 3650 days', (t) => {
  const { status, error } = bursar('keys', 'create', 'long', '--days', '3651')
  t.is(status, 2)
  t.regex(error, /^--days must be a whole number from 1 to 3650/)
})

test('a service address with a path is refused', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'agents', 'list'], {
    encoding: 'utf8',
    env: { ...process.env, BURSAR_URL: 'http://127.0.0.1:1/bursar' },
  })
  t.is(status, 2)
  t.regex(stderr, /without a path/)
})

test('a reader that closes the pipe early causes no failure', async (t) => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let error = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text))
  const [status] = (await once(child, 'close')) as [number]
  t.is(status, 0, error)
  t.is(error, '')
})
