// Starts the rivals' servers: on loopback, as an ordinary user, with their own data, which is removed afterwards, and
// with every commit on disk before it is answered.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { dataFolder, freePort, ordinaryUser, programIn } from '../../test/support/programs.js'
import { NotRun } from '../target.js'

export interface RivalServer {
  pid: number
  port: number
  end(): Promise<void>
}

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
  const folder = dataFolder('bench-postgres', who)
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
  const folder = dataFolder('bench-redis', who)
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

function asNotRun(name: string, error: unknown): NotRun {
  if (error instanceof NotRun) return error
  return new NotRun(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`)
}
