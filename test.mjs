// npm test: runs ava with the arguments it is given, then names what the tests left out for lack of something on this
// machine. It says nothing when nothing was left out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ava = fileURLToPath(new URL('cli.mjs', import.meta.resolve('ava')))
const folder = mkdtempSync(join(tmpdir(), 'bursar-not-run-'))
const list = join(folder, 'not-run')
try {
  const env = { ...process.env, NOT_RUN_LIST: list }
  const { status } = spawnSync(process.execPath, [ava, ...process.argv.slice(2)], { stdio: 'inherit', env })
  process.exitCode = status ?? 1
  const titles = existsSync(list) ? readFileSync(list, 'utf8').trimEnd().split('\n') : []
  for (const title of titles) process.stdout.write(`NOT RUN  ${title}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
