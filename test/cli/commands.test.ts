// The commands of `bursar`, as somebody types them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

function bursar(...args: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  return { status, out: stdout, error: stderr }
}

for (const word of ['help', '--help']) {
  test(`bursar ${word} names every command`, (t) => {
    const { status, out } = bursar(word)
    t.is(status, 0)
    t.regex(out, /bursar serve/)
  })
}

test('a command that does not exist is named and answered with those that do', (t) => {
  const { status, out, error } = bursar('fly', 'away')
  t.is(status, 2)
  t.is(out, '')
  t.regex(error, /^There is no command fly away\nUsage:/)
})
