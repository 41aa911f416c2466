// What all shards of an installation share in the database: which of them knows a name that requests come with, what one
// of them has claimed for all, and where their owners are.
import { DatabaseConnection } from './connection.js'
import { ADD_NAMES, CLAIM, CLAIM_ALL, HOLDER, LEAST_LOADED, REMOVE_NAMES, SHARDS, SHARDS_OF } from './statements.js'

const PATIENCE_MS = 2_500
const MOST_MS = 20_000
const PATIENCE = { patienceMs: PATIENCE_MS, most: MOST_MS }

export interface DirectoryOptions {
  /** Of all servers of the database, whichever takes writes. */
  urls: readonly string[]
  shard: string
}

export interface ShardRow {
  shard: string
  /** The URL of its owner; null where there is none. */
  owner: string | null
  /** With `beat`: others whenever the owner has said that it is there. */
  epoch: string
  beat: string
}

export class ShardDirectory {
  readonly #shard: string
  readonly #reading: DatabaseConnection
  readonly #writing: DatabaseConnection
  /** For what takes long. */
  readonly #counting: DatabaseConnection

  constructor({ urls, shard }: DirectoryOptions) {
    this.#shard = shard
    this.#reading = new DatabaseConnection(urls)
    this.#writing = new DatabaseConnection(urls)
    this.#counting = new DatabaseConnection(urls)
  }

  /** This shard knows the names; resolves once everybody finds them. */
  async add(names: readonly string[]): Promise<void> {
    await this.#writing.insist(ADD_NAMES, [this.#shard, names], PATIENCE)
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.#writing.insist(REMOVE_NAMES, [this.#shard, names], PATIENCE)
  }

  /** In their own order. */
  async shardsOf(name: string): Promise<string[]> {
    const rows = await this.#reading.query<{ shard: string }>(SHARDS_OF, [name], PATIENCE_MS)
    return rows.map(({ shard }) => shard)
  }

  shards(): Promise<ShardRow[]> {
    return this.#reading.query<ShardRow>(SHARDS, [], PATIENCE_MS)
  }

  /** Of these shards the one that knows the fewest names that begin so. */
  async leastLoaded(prefix: string, shards: readonly string[]): Promise<string> {
    const [row] = await this.#counting.query<{ shard: string }>(LEAST_LOADED, [prefix, shards], MOST_MS)
    return row?.shard ?? this.#shard
  }

  /** Takes what only one may have, forever; the one that has it, which may be another. */
  async claim(name: string, holder: string): Promise<string> {
    const [taken] = await this.#writing.query<{ holder: string }>(CLAIM, [name, holder], PATIENCE_MS)
    return taken?.holder ?? (await this.holder(name))!
  }

  /** The same of several; those that another one has. */
  async claimAll(names: readonly string[], holder: string): Promise<string[]> {
    type Claimed = { name: string; holder: string }
    const rows = await this.#writing.query<Claimed>(CLAIM_ALL, [names, holder], MOST_MS)
    return rows.flatMap((row) => (row.holder === holder ? [] : [row.name]))
  }

  /** Undefined while nobody has it. */
  async holder(name: string): Promise<string | undefined> {
    const [row] = await this.#reading.query<{ holder: string }>(HOLDER, [name], PATIENCE_MS)
    return row?.holder
  }

  /** Reads at another server, where there is one: this one may have been left behind. */
  leaveServer(): void {
    this.#reading.leave()
  }

  close(): void {
    this.#reading.close()
    this.#writing.close()
    this.#counting.close()
  }
}
