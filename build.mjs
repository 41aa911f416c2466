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

/** Runs `make` when a source is newer than the stamp, and says so; the stamp then says when that began. */
async function whenStale(what, stamp, sources, make) {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if ([...always, ...sources].every((source) => newest(join(root, source)) <= built)) return
  process.stderr.write(`Building ${what}\n`)
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

/** What makes a package of the compiled SDK, whose types have the comments. */
function completeSdk() {
  compile('sdk/tsconfig.json')
  for (const name of ['package.json', 'README.md', 'commonjs/package.json', 'commonjs/index.d.ts']) {
    const to = join(dist, 'sdk', name)
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(root, 'sdk', name), to)
  }
  copyFileSync(join(root, 'LICENSE'), join(dist, 'sdk', 'LICENSE'))
}

await whenStale(
  'the service',
  join(dist, '.built'),
  ['src', 'machines', 'rules', 'test', 'bench', 'sdk', 'tsconfig.json'],
  () => {
    empty()
    compile('tsconfig.json')
    completeSdk()
  },
)
await whenStale(
  'the pictures of the state machines',
  join(dist, '.charts-drawn'),
  ['machines', 'src/inspect'],
  async () => {
    const { drawings } = await import('./dist/src/inspect/draw.js')
    const pictures = await drawings()
    rmSync(join(dist, 'charts'), { recursive: true, force: true })
    mkdirSync(join(dist, 'charts'))
    for (const [name, svg] of pictures) writeFileSync(join(dist, 'charts', `${name}.svg`), svg)
  },
)
await whenStale('the dashboard', join(dist, '.web-built'), ['web', 'sdk'], async () => {
  compile('web/tsconfig.json')
  // Vite keeps the value of whoever builds; under another one, the dashboard names the folder that it was built in.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({ configFile: join(root, 'web', 'vite.config.js') })
})
