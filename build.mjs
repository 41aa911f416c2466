// Compiles what is stale, and copies the pages: nothing when no source is newer than the last build; otherwise from an
// empty dist, because a deleted source must not leave its output behind.
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const stamp = join(root, 'dist', '.built')
const sources = ['src', 'machines', 'rules', 'test', 'bench', 'sdk', 'web', 'package.json', 'package-lock.json', 'tsconfig.json']

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path).filter((name) => name !== 'node_modules').map((name) => newest(join(path, name)))
  return Math.max(stat.mtimeMs, ...inside)
}

const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (sources.some((source) => newest(join(root, source)) > built)) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const started = new Date()
  cpSync(join(root, 'web'), join(root, 'dist', 'web'), { recursive: true })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.json')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, started.toISOString())
}
