// Runs a command in a process group of its own and with a temporary folder of its own. However it ends, and also when
// this process is interrupted, no process that it has started is left, and the folder is removed.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
/** Processes that were asked to end may take this long, and as long again once they are made to. */
const GRACE_MS = 3_000
const LOOK_EVERY_MS = 50
const MEMORY = '/dev/shm'
/** Several times what all tests leave there at once. */
const LEAST_BYTES = 4 * 1024 ** 3

/** Resolves to the exit code of the command; to that of an interruption when there was one. */
export async function runConfined(command, args, { cwd, env, folder }) {
  const child = spawn(command, args, {
    cwd,
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, ...env, TMPDIR: folder },
  })
  let interruption
  let ending
  const interrupt = (signal) => {
    interruption ??= SIGNALS[signal]
    ending ??= endAll(child.pid, folder)
  }
  for (const signal of Object.keys(SIGNALS)) process.on(signal, interrupt)
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (status) => resolve(status ?? 1))
  })
  await (ending ?? endAll(child.pid, folder))
  for (const signal of Object.keys(SIGNALS)) process.off(signal, interrupt)
  return interruption ?? code
}

/**
 * A temporary folder for one run; in memory where Linux has room for it and `isDiskNeeded` is false, because most of a
 * fast test is waiting for the disk.
 */
export function newFolder(isDiskNeeded) {
  const isRoomy = !isDiskNeeded && process.env.TMPDIR === undefined && freeBytes(MEMORY) > LEAST_BYTES
  const folder = mkdtempSync(join(isRoomy ? MEMORY : tmpdir(), 'bursar-tests-'))
  // PostgreSQL runs as another user, and must reach its folder in it.
  chmodSync(folder, 0o711)
  return folder
}

function freeBytes(folder) {
  if (!existsSync(folder)) return 0
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** A process that is just ending may still write: such a folder is not empty when it is to be removed. */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Ends the group and all that descends from it, some of it in groups of its own, or without its parent by now. */
async function endAll(leader, folder) {
  const seen = new Set([leader])
  const look = () => alive(leader, folder, seen)
  for (const name of ['SIGTERM', 'SIGKILL']) {
    signal(look(), name)
    const end = Date.now() + GRACE_MS
    while (look().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

function signal(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}

/** The living processes of the group, with the folder as their temporary one, or below those `seen`; adds to `seen`. */
function alive(leader, folder, seen) {
  const all = processes()
  let before
  do {
    before = seen.size
    for (const { pid, parent, group } of all) {
      if (group === leader || seen.has(parent) || hasTemporary(pid, folder)) seen.add(pid)
    }
  } while (seen.size > before)
  return all.filter(({ pid }) => seen.has(pid)).map(({ pid }) => pid)
}

/** Every process but those that have ended and wait for their parent. */
function processes() {
  if (!existsSync('/proc/self/stat')) return listed()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statusOf)
}

/** Where there is no /proc, as on macOS. */
function listed() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  return rows
    .filter(([pid, , , state]) => pid && !state.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }))
}

function statusOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === '') return []
  // The name, in parentheses, may contain anything.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
}

/** Whether a process began with this temporary folder, or with one below it; false where there is no /proc. */
function hasTemporary(pid, folder) {
  return textOf(`/proc/${pid}/environ`).includes(`TMPDIR=${folder}`)
}

/** Empty for a process that has ended meanwhile, and for somebody else's. */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
