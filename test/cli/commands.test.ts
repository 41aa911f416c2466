// The commands of `bursar`, as somebody types them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { ROWS } from '../../src/cli/bursar.js'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

function bursar(...args: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  return { status, out: stdout, error: stderr }
}

for (const word of ['help', '--help']) {
  test(`bursar ${word} names every command`, (t) => {
    const { status, out } = bursar(word)
    t.is(status, 0)
    for (const { usage } of ROWS) t.true(out.includes(`bursar ${usage}\n`), usage)
  })
}

test('a command that does not exist is named and answered with where those are', (t) => {
  const { status, out, error } = bursar('fly', 'away')
  t.is(status, 2)
  t.is(out, '')
  t.regex(error, /^There is no command fly away\nbursar help/)
})

test('a noun has help of its own', (t) => {
  const { status, out } = bursar('wallets', '--help')
  t.is(status, 0)
  t.deepEqual(out.match(/bursar \w+ \w+/g), ['bursar wallets list', 'bursar wallets create', 'bursar wallets fund'])
  t.is(bursar('fly', '--help').status, 2)
})
