// Starts the rivals' servers: on loopback, as an ordinary user, with their own data, which is removed afterwards, and
// with every commit on disk before it is answered.
import { execFileSync, spawn, type ChildProcess, type ExecFileSyncOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { NotRun } from '../target.js'

export interface RivalServer {
  pid: number
  port: number
  end(): Promise<void>
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin'
/** Not the system's temporary folder, which may be in memory, where nothing is durable; tests say where. */
const DISK = process.env['BENCH_DISK'] ?? '/var/tmp'
/** The user that Debian's package creates for PostgreSQL, which refuses to run as root. */
const USER = 'postgres'
const PATIENCE_MS = 60_000

/** No checkpoint occurs within a round, which favours PostgreSQL; autovacuum runs as usual. */
const POSTGRES_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=512MB',
  'max_connections=64',
  'jit=off',
  'checkpoint_timeout=30min',
  'max_wal_size=8GB',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
]
/** The log is never rewritten during a round, which favours Redis. */
const REDIS_SETTINGS = ['--bind', '127.0.0.1', '--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
const REDIS_MORE = ['--auto-aof-rewrite-percentage', '0', '--loglevel', 'warning']

export async function startPostgres(): Promise<RivalServer> {
  const postgres = programIn('postgres', 'PostgreSQL 15')
  const initdb = programIn('initdb', 'PostgreSQL 15')
  const who = ordinaryUser()
  const folder = dataFolder('postgres', who)
  try {
    const options = ['-D', folder, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    execFileSync(initdb, options, { ...who, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    // Only now: another program could take the port while initdb runs.
    const port = await freePort()
    const settings = [...POSTGRES_SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
    // SIGINT is PostgreSQL's fast shutdown.
    const child = spawn(postgres, ['-D', folder, ...settings], { ...who, cwd: folder, stdio: 'ignore' })
    return await started('PostgreSQL', child, { port, folder, signal: 'SIGINT' })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw asNotRun('PostgreSQL', error)
  }
}

export async function startRedis(): Promise<RivalServer> {
  const redis = programIn('redis-server', 'Redis 7')
  const who = ordinaryUser()
  const folder = dataFolder('redis', who)
  const port = await freePort()
  try {
    const settings = ['--port', String(port), '--dir', folder, ...REDIS_SETTINGS, ...REDIS_MORE]
    const child = spawn(redis, settings, { ...who, cwd: folder, stdio: 'ignore' })
    return await started('Redis', child, { port, folder, signal: 'SIGTERM' })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw asNotRun('Redis', error)
  }
}

interface Place {
  port: number
  folder: string
  signal: 'SIGINT' | 'SIGTERM'
}

async function started(name: string, child: ChildProcess, { port, folder, signal }: Place): Promise<RivalServer> {
  const failed = once(child, 'error').then(([error]): never => {
    throw error
  })
  const ended = once(child, 'exit')
  const kill = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.prependOnceListener('exit', kill)
  const early = ended.then((): never => {
    throw new Error(`${name} ended before it listened`)
  })
  for (const promise of [failed, early]) promise.catch(() => {})
  await Promise.race([listening(name, port), failed, early])
  const end = async (): Promise<void> => {
    child.kill(signal)
    await ended
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
  }
  return { pid: child.pid!, port, end }
}

async function listening(name: string, port: number): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    if (await answers(port)) return
    await setTimeout(50)
  }
  throw new Error(`${name} did not listen within ${PATIENCE_MS / 1000} s`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function programIn(program: string, of: string): string {
  const folders = [DEBIAN_POSTGRES, ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
  if (found === undefined) throw new NotRun(`${of} is not installed: bench/rivals/install.sh`)
  return found
}

/** The current user, unless it is root. */
function ordinaryUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  try {
    const quiet = { stdio: ['ignore', 'pipe', 'ignore'] } satisfies ExecFileSyncOptions
    const id = (what: string): number => Number(execFileSync('id', [what, USER], quiet))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    throw new NotRun(`PostgreSQL does not run as root, and there is no user ${USER}: bench/rivals/install.sh`)
  }
}

function dataFolder(name: string, { uid, gid }: { uid?: number; gid?: number }): string {
  const folder = mkdtempSync(join(DISK, `bursar-bench-${name}-`))
  chmodSync(folder, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

function asNotRun(name: string, error: unknown): NotRun {
  if (error instanceof NotRun) return error
  return new NotRun(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`)
}
