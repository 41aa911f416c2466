// Makes what is stale: the service with its tests by the compiler, the charts' pictures by the layout, the dashboard by
// Vite, each only when a source of its own is newer than its last build. Each starts empty, because a deleted source
// must not leave its output behind.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const always = ['package.json', 'package-lock.json', 'build.mjs']

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .map((name) => newest(join(path, name)))
  return Math.max(stat.mtimeMs, ...inside)
}

/** Runs `make` when a source is newer than the stamp; the stamp then says when that began. */
async function whenStale(stamp, sources, make) {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if ([...always, ...sources].every((source) => newest(join(root, source)) <= built)) return
  rmSync(stamp, { force: true })
  const started = new Date()
  await make()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, started.toISOString())
}

function compile(project) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, project)], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Everything in dist but the pictures and the dashboard, which have builds of their own. */
function empty() {
  const names = existsSync(dist) ? readdirSync(dist) : []
  const stale = names.filter((name) => !['charts', '.charts-drawn', 'web', '.web-built'].includes(name))
  for (const name of stale) rmSync(join(dist, name), { recursive: true, force: true })
}

/**
 * The SDK's types once more, for compilers that tell CommonJS from modules by the package.json beside a file. The code
 * is the same: Node can require modules.
 */
function writeCommonJsTypes() {
  const [from, to] = ['sdk', 'sdk/commonjs'].map((name) => join(dist, name))
  const types = readdirSync(from, { recursive: true }).filter((name) => name.endsWith('.d.ts'))
  for (const name of types) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    copyFileSync(join(from, name), join(to, name))
  }
  writeFileSync(join(to, 'package.json'), JSON.stringify({ type: 'commonjs' }))
}

await whenStale(join(dist, '.built'), ['src', 'machines', 'rules', 'test', 'bench', 'sdk', 'tsconfig.json'], () => {
  empty()
  compile('tsconfig.json')
  writeCommonJsTypes()
})
await whenStale(join(dist, '.charts-drawn'), ['machines', 'src/inspect'], async () => {
  const { drawings } = await import('./dist/src/inspect/draw.js')
  const pictures = await drawings()
  rmSync(join(dist, 'charts'), { recursive: true, force: true })
  mkdirSync(join(dist, 'charts'))
  for (const [name, svg] of pictures) writeFileSync(join(dist, 'charts', `${name}.svg`), svg)
})
await whenStale(join(dist, '.web-built'), ['web', 'sdk'], async () => {
  compile('web/tsconfig.json')
  const { build } = await import('vite')
  await build({ configFile: join(root, 'web', 'vite.config.js') })
})
