// The network figures that each shard publishes in the database for the others: a row for each address and shard, as the
// shard's own store has it.
import { NO_ROW, type NetworkRow } from '../../../domain/parties/networkTotals.js'
import { DatabaseConnection } from './connection.js'
import type { DirectoryOptions } from './directory.js'
import { FIGURES, FIGURES_ELSEWHERE, PUBLISH } from './statements.js'

const PUBLISH_MS = 20_000
const READ_MS = 2_500
/** The address of a row that says how far a shard has published. */
const PROGRESS = ''

interface Figures {
  figures: string
}

export class PublishedNetwork {
  readonly #shard: string
  readonly #reading: DatabaseConnection
  readonly #writing: DatabaseConnection

  constructor({ urls, shard }: DirectoryOptions) {
    this.#shard = shard
    this.#reading = new DatabaseConnection(urls)
    this.#writing = new DatabaseConnection(urls)
  }

  /** In place of what this shard has published before; not over what an owner of a later epoch has. */
  async publish(epoch: number, rows: ReadonlyMap<string, NetworkRow>): Promise<void> {
    const figures = Array.from(rows.values(), (row) => JSON.stringify(row))
    await this.#writing.query(PUBLISH, [this.#shard, epoch, [...rows.keys()], figures], PUBLISH_MS)
  }

  /** Whatever changed before this day (since 1970, UTC) is published. */
  async publishedUntil(epoch: number, day: number): Promise<void> {
    await this.publish(epoch, new Map([[PROGRESS, { ...NO_ROW, day }]]))
  }

  /** The last day for which that was said; 0 before the first. */
  async lastDay(): Promise<number> {
    const [row] = await this.#writing.query<Figures>(FIGURES, [PROGRESS, this.#shard], READ_MS)
    return row ? rowIn(row).day : 0
  }

  /** The rows of all other shards. */
  async elsewhere(address: string): Promise<NetworkRow[]> {
    const rows = await this.#reading.query<Figures>(FIGURES_ELSEWHERE, [address, this.#shard], READ_MS)
    return rows.map(rowIn)
  }

  close(): void {
    this.#reading.close()
    this.#writing.close()
  }
}

function rowIn({ figures }: Figures): NetworkRow {
  return JSON.parse(figures) as NetworkRow
}
