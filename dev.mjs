// Builds and starts the service, and does both again when a source changes. A build that fails leaves the service that
// runs alone. Ctrl-C ends everything.
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const QUIET_MS = 200
const root = dirname(fileURLToPath(import.meta.url))
const folders = ['src', 'machines', 'rules', 'sdk', 'web', 'assets']
  .map((name) => join(root, name))
  .filter((folder) => existsSync(folder))
const children = new Set()
let stopping = false
let service
let timer
let work = Promise.resolve()

function run(script) {
  const child = spawn(process.execPath, [join(root, script)], { stdio: 'inherit' })
  children.add(child)
  const closed = new Promise((resolve) => child.once('close', resolve)).finally(() => children.delete(child))
  return { child, closed }
}

async function restart() {
  const isBuilt = !stopping && (await run('build.mjs').closed) === 0
  if (stopping || !isBuilt) return
  service?.child.kill('SIGTERM')
  await service?.closed
  if (!stopping) service = run('dist/src/main.js')
}

function restartSoon() {
  clearTimeout(timer)
  timer = setTimeout(() => (work = work.then(restart)), QUIET_MS)
}

const watchers = folders.map((folder) => watch(folder, { recursive: true }, restartSoon))
restartSoon()

function stop() {
  stopping = true
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
