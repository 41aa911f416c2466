// A node of Patroni with the PostgreSQL server that it starts, in one folder, as on a machine of their own.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lastingPort } from '../programs.js'
import { databaseUrl, SUPERUSER } from './admin.js'
import { postgresProgram } from './server.js'
import { databaseProgram, ServerFolder, type StartedProgram } from './serverFolder.js'

/** Strict: without a standby, commits wait. The times, in seconds, are the shortest that Patroni's manual allows. */
const AGREED = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { synchronous_commit: 'on', shared_buffers: '32MB', wal_retrieve_retry_interval: '100ms' },
  },
}

const AUTHENTICATION = {
  superuser: { username: SUPERUSER, password: 'superuser' },
  replication: { username: 'replicator', password: 'replicator' },
  rewind: { username: 'rewinder', password: 'rewinder' },
}

export class PatroniNode {
  readonly url: string
  readonly #folder: ServerFolder
  #running: StartedProgram | undefined

  /** Not started. Throws NotRun where a program is missing. */
  static async place(name: string, etcd: string): Promise<PatroniNode> {
    const program = databaseProgram('patroni', 'Patroni')
    return new PatroniNode(name, program, etcd, await lastingPort(), await lastingPort())
  }

  private constructor(
    readonly name: string,
    private readonly program: string,
    etcd: string,
    readonly port: number,
    private readonly ownPort: number,
  ) {
    this.url = databaseUrl(port)
    this.#folder = new ServerFolder(`patroni-${name}`)
    // JSON is YAML.
    writeFileSync(this.#settingsFile, JSON.stringify(this.#settings(etcd), undefined, 2))
  }

  start(): void {
    this.#running = this.#folder.start(this.program, [this.#settingsFile])
  }

  /** Kills Patroni and its server at once. */
  async kill(): Promise<void> {
    await this.#folder.kill()
  }

  async end(): Promise<void> {
    await this.#folder.end()
  }

  /** Whether it says of itself that it is this; it does not know whether it will be in the next moment. */
  async is(role: 'primary' | 'synchronous'): Promise<boolean> {
    if (this.#running?.isRunning() === false) return false
    return fetch(`http://127.0.0.1:${this.ownPort}/${role}`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  get #settingsFile(): string {
    return join(this.#folder.path, 'patroni.yml')
  }

  #settings(etcd: string): object {
    const own = `127.0.0.1:${this.ownPort}`
    const trusted = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
    const initdb = [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync']
    return {
      scope: 'bursar',
      name: this.name,
      restapi: { listen: own, connect_address: own },
      etcd3: { hosts: etcd },
      bootstrap: { dcs: AGREED, initdb, pg_hba: trusted },
      postgresql: this.#serverSettings(),
    }
  }

  #serverSettings(): object {
    const address = `127.0.0.1:${this.port}`
    return {
      listen: address,
      connect_address: address,
      data_dir: join(this.#folder.path, 'data'),
      bin_dir: dirname(postgresProgram('postgres')),
      pgpass: join(this.#folder.path, 'pgpass'),
      authentication: AUTHENTICATION,
      basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
      parameters: { unix_socket_directories: '' },
    }
  }
}
