// One PostgreSQL server of a test: on loopback, with data of its own, which it may have copied from another server.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../chain.js'
import { lastingPort } from '../programs.js'
import { asSuperuser, databaseUrl, SUPERUSER } from './admin.js'
import { databaseProgram, ServerFolder, type StartedProgram } from './serverFolder.js'

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

/** The path of one of PostgreSQL's programs; throws NotRun where it is missing. */
export function postgresProgram(name: string): string {
  return databaseProgram(name, 'PostgreSQL 15')
}

export class PostgresServer {
  readonly url: string
  readonly #folder: ServerFolder
  readonly #data: string
  readonly #settings: readonly string[]
  #running: StartedProgram | undefined

  /** A server without data, not started; with settings such as `fsync=off`. Throws NotRun where PostgreSQL is missing. */
  static async place(name: string, settings: readonly string[] = []): Promise<PostgresServer> {
    postgresProgram('postgres')
    return new PostgresServer(name, await lastingPort(), settings)
  }

  private constructor(
    readonly name: string,
    readonly port: number,
    settings: readonly string[],
  ) {
    this.url = databaseUrl(port)
    this.#folder = new ServerFolder(`postgres-${name}`)
    this.#data = join(this.#folder.path, 'data')
    this.#settings = [...SETTINGS, `cluster_name=${name}`, `port=${port}`, ...settings]
  }

  get isStarted(): boolean {
    return this.#running?.isRunning() === true
  }

  /** New data, of a primary. */
  async initialize(): Promise<void> {
    const options = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    await this.#folder.run(postgresProgram('initdb'), [...options, '-D', this.#data])
  }

  /** The data of a running server, as its standby. */
  async copy(primary: PostgresServer): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true })
    const from = ['-d', `host=127.0.0.1 port=${primary.port} user=${SUPERUSER}`, '--write-recovery-conf']
    const fast = ['--checkpoint=fast', '--no-sync', '--no-manifest']
    await this.#folder.run(postgresProgram('pg_basebackup'), [...from, ...fast, '-D', this.#data])
  }

  /** Resolves when it answers; a standby does as soon as its data are consistent. */
  async start(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['-c', setting])
    const running = this.#folder.start(postgresProgram('postgres'), ['-D', this.#data, ...settings])
    this.#running = running
    await until(() => this.#answers(running), `${this.name} does not answer`)
  }

  async #answers({ isRunning, written }: StartedProgram): Promise<true | undefined> {
    if (!isRunning()) throw new Error(`${this.name} ended before it answered: ${written()}`)
    return asSuperuser(this.port, 'select 1').then(
      () => true,
      () => undefined,
    )
  }

  /** In order: connections end, and what was committed is sent to a standby. */
  async stop(): Promise<void> {
    await this.#running?.end('SIGINT')
  }

  async kill(): Promise<void> {
    await this.#folder.kill()
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await asSuperuser(this.port, 'select pg_promote()')
  }

  async end(): Promise<void> {
    await this.#folder.end()
  }
}
