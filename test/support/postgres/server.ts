// One PostgreSQL server of a test: on loopback, as an ordinary user, with data of its own, which it may have copied from
// another server. However this process exits, no server and no data are left.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../chain.js'
import { dataFolder, lastingPort, ordinaryUser, programIn, type OrdinaryUser } from '../programs.js'
import { asSuperuser, databaseUrl, SUPERUSER } from './admin.js'
import { isRunning, killTree } from './processes.js'

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'max_connections=60',
  'jit=off',
  'fsync=on',
  'synchronous_commit=on',
  // A standby looks for its primary again after this time.
  'wal_retrieve_retry_interval=100ms',
]

const run = promisify(execFile)
const servers = new Set<PostgresServer>()
process.on('exit', () => servers.forEach((server) => server.leaveNothing()))

/** Settings of this server, such as `fsync=off`. */
export type PostgresSettings = readonly string[]

export class PostgresServer {
  readonly url: string
  readonly #folder: string
  #child: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()
  #written = ''

  /** A server without data, not started. Throws NotRun where PostgreSQL is missing. */
  static async place(name: string, settings: PostgresSettings = []): Promise<PostgresServer> {
    programIn('postgres', 'PostgreSQL 15')
    const user = ordinaryUser()
    const port = await lastingPort()
    return new PostgresServer(name, port, user, [...SETTINGS, `cluster_name=${name}`, `port=${port}`, ...settings])
  }

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly user: OrdinaryUser,
    private readonly settings: PostgresSettings,
  ) {
    this.url = databaseUrl(port)
    this.#folder = dataFolder(`postgres-${name}`, user)
    servers.add(this)
  }

  get isStarted(): boolean {
    return this.#child !== undefined
  }

  /** New data, of a primary. */
  async initialize(): Promise<void> {
    const options = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    await this.#run('initdb', [...options, '-D', this.#data])
  }

  /** The data of a running server, as its standby. */
  async copy(primary: PostgresServer): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER}`
    const fast = ['--checkpoint=fast', '--no-sync', '--no-manifest']
    await this.#run('pg_basebackup', ['-d', from, '-D', this.#data, '--write-recovery-conf', ...fast])
  }

  /** Resolves when it answers; a standby does as soon as its data are consistent. */
  async start(): Promise<void> {
    const settings = this.settings.flatMap((setting) => ['-c', setting])
    const child = spawn(programIn('postgres', 'PostgreSQL 15'), ['-D', this.#data, ...settings], {
      ...this.user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#written = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#written += text))
    this.#child = child
    this.#exited = once(child, 'exit').then(() => (this.#child = undefined))
    await until(() => this.#answers(), `${this.name} does not answer`)
  }

  async #answers(): Promise<true | undefined> {
    if (this.#child === undefined) throw new Error(`${this.name} ended before it answered: ${this.#written}`)
    return asSuperuser(this.port, 'select 1').then(
      () => true,
      () => undefined,
    )
  }

  /** In order: connections end, and what was committed is sent to a standby. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGINT')
    await this.#exited
  }

  /** As a power cut of its machine, but for the caches of the disk. */
  async kill(): Promise<void> {
    if (this.#child === undefined) return
    const killed = killTree(this.#child.pid!)
    await this.#exited
    // A new server refuses to start while a process of the old one holds its memory.
    await until(async () => !killed.some(isRunning) || undefined, `a process of ${this.name} does not end`)
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await asSuperuser(this.port, 'select pg_promote()')
  }

  async end(): Promise<void> {
    await this.kill()
    this.leaveNothing()
  }

  /** For the last moments of this process, in which nothing can be waited for. */
  leaveNothing(): void {
    if (this.#child !== undefined) killTree(this.#child.pid!)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
    servers.delete(this)
  }

  /** Not the folder itself, in which PostgreSQL's user may create and the programs may not find anything. */
  get #data(): string {
    return join(this.#folder, 'data')
  }

  #run(program: string, args: string[]): Promise<unknown> {
    return run(programIn(program, 'PostgreSQL 15'), args, { ...this.user, cwd: this.#folder })
  }
}
