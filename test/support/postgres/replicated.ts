// A PostgreSQL primary with a synchronous standby, under strict rules: a commit at any primary waits until the other
// server has it too, and for ever when there is no other.
import { until } from '../chain.js'
import { cancelWaitsAt, createSchema, hasStandbyAt, inSchema, nameDatabase, waitsAt } from './admin.js'
import { PostgresServer } from './server.js'

/** None of them is a word of the setting, as `first` is. */
const NAMES = ['one', 'two']

export async function startReplicated(): Promise<ReplicatedDatabase> {
  const [first, second] = await Promise.all(NAMES.map(placed))
  const database = new ReplicatedDatabase(first!, second!)
  try {
    await first!.initialize()
    await first!.start()
    await nameDatabase(first!.port)
    await database.rejoin()
    return database
  } catch (error) {
    await database.end()
    throw error
  }
}

/** A server that waits, whenever it is a primary, for the other one as its standby. */
function placed(name: string): Promise<PostgresServer> {
  const other = NAMES.find((one) => one !== name)
  return PostgresServer.place(name, [`synchronous_standby_names=FIRST 1 (${other})`])
}

export class ReplicatedDatabase {
  /** Of both servers, always in this order. */
  readonly urls: readonly [string, string]
  #primary: PostgresServer
  /** The standby, or what is to become it. */
  #other: PostgresServer

  constructor(first: PostgresServer, second: PostgresServer) {
    this.urls = [first.url, second.url]
    this.#primary = first
    this.#other = second
  }

  /** The URLs of an installation with tables of its own. */
  async installation(name: string): Promise<string[]> {
    await createSchema(this.#primary.port, name)
    return this.urls.map((url) => inSchema(url, name))
  }

  /** The URL of the server that was promoted last. */
  get primaryUrl(): string {
    return this.#primary.url
  }

  get otherUrl(): string {
    return this.#other.url
  }

  /**
   * Kills the primary and makes the standby the primary. Its commits wait until the old one has come back as its standby:
   * at once, or by `rejoin`.
   */
  async failOver({ rejoin }: { rejoin: boolean }): Promise<void> {
    await this.#primary.kill()
    await this.#other.promote()
    ;[this.#primary, this.#other] = [this.#other, this.#primary]
    if (rejoin) await this.rejoin()
  }

  /** Makes the other server, whatever it was and had, the standby with a new copy of the primary's data. */
  async rejoin(): Promise<void> {
    await this.#other.kill()
    await this.#other.copy(this.#primary)
    await this.startStandby()
  }

  /** After a fail-over: starts the old primary as what it was, beside the new one. Its commits wait for ever. */
  async startOldPrimary(): Promise<void> {
    await this.#other.start()
  }

  async stopStandby(): Promise<void> {
    await this.#other.stop()
  }

  /** Resolves when commits no longer wait. */
  async startStandby(): Promise<void> {
    await this.#other.start()
    const find = async () => (await hasStandbyAt(this.#primary.port)) || undefined
    await until(find, `${this.#other.name} does not become the standby`)
  }

  /** How many commits wait for a standby, at both servers. */
  waits(): Promise<number> {
    return this.#sum(waitsAt)
  }

  /** Cancels all these waits, and returns how many there were. */
  cancelWaits(): Promise<number> {
    return this.#sum(cancelWaitsAt)
  }

  async #sum(count: (port: number) => Promise<number>): Promise<number> {
    const started = [this.#primary, this.#other].filter(({ isStarted }) => isStarted)
    const counts = await Promise.all(started.map(({ port }) => count(port)))
    return counts.reduce((sum, one) => sum + one, 0)
  }

  async end(): Promise<void> {
    await Promise.all([this.#primary.end(), this.#other.end()])
  }
}
