// The journal of a shard in PostgreSQL: one row an entry. Its key (shard, seq) is the fence: once an owner's first entry,
// the barrier, is there, no entry of an earlier epoch can continue the journal.
import type { Random } from '../../../domain/values/ids.js'
import { hexOf } from '../../../domain/values/digest.js'
import { emptyEntry, entryAt, seal, type JournalEntry } from '../entry.js'
import type { Journal } from '../journal.js'
import type { LeaseDeadline } from '../../../async/leaseDeadline.js'
import { DatabaseConnection } from './connection.js'
import { intendedReplication } from './replication.js'
import { ShardLease, ShardLost } from './shardLease.js'
import { APPEND, BARRIER, COMPRESS, ENTRIES, FIRST, TABLES } from './statements.js'

export interface ShardOptions {
  /** Of all servers of the database, whichever takes writes. */
  urls: readonly string[]
  shard: string
  leaseMs: number
  /** Entries in flight. */
  width: number
  /** Until when nobody else can own the shard. */
  deadline: LeaseDeadline
}

/** An entry as a node of an epoch has written it. */
export interface ShardEntry extends JournalEntry {
  epoch: number
  /** All entries up to it were durable when this one was written. */
  confirmed: number
}

/** Where a journal ends, or a folder stands in it. */
export interface EntryPlace {
  sequence: number
  epoch: number
}

/** What the journal's rows have of an entry is not what was written. */
class DamagedEntry extends Error {}

interface StoredEntry {
  seq: string
  epoch: string
  confirmed: string
  bytes: Buffer
}

/** Rows of one answer. */
const READ = 100
const NAME_BYTES = 8
/** Every entry of a shard begins with a checksum over this, too: it is none of a file. */
export const SHARD_SEED = 0
const PATIENCE = { patienceMs: 2_500, most: 20_000 }

export class ShardJournal implements Journal {
  readonly lease: ShardLease
  readonly #options: ShardOptions
  readonly #reading: DatabaseConnection
  readonly #control: DatabaseConnection
  readonly #writing: DatabaseConnection[]
  readonly #free: DatabaseConnection[]
  #confirmed = 0

  constructor(options: ShardOptions) {
    const connection = (): DatabaseConnection => new DatabaseConnection(options.urls)
    this.#options = options
    this.#reading = connection()
    this.#control = connection()
    this.#writing = Array.from({ length: options.width }, connection)
    this.#free = [...this.#writing]
    this.lease = new ShardLease(this.#control, options)
  }

  get width(): number {
    return this.#options.width
  }

  /** All entries up to this one are durable, as far as this node has been told. */
  get confirmed(): number {
    return this.#confirmed
  }

  /** Makes what is missing in the database. */
  async prepare(random: Random): Promise<void> {
    const { patienceMs } = PATIENCE
    for (const table of TABLES) {
      // Of two nodes that do so at once, one is refused: by then it is there.
      const again = (): Promise<unknown> => this.#control.query(table, [], patienceMs)
      await this.#control.query(table, [], patienceMs).catch(again)
    }
    // Not every database knows it.
    await this.#control.query(COMPRESS, [], patienceMs).catch(() => {})
    await this.lease.make(hexOf(random(NAME_BYTES)))
  }

  /** True where a commit is on two machines when it is acknowledged. */
  async isReplicated(): Promise<boolean> {
    return (await intendedReplication(this.#reading)) !== 'NONE'
  }

  /** Entries from `sequence` on, the first ones, without a gap; of what an earlier epoch left behind a barrier, none. */
  async entries(sequence: number): Promise<ShardEntry[]> {
    const values = [this.#options.shard, sequence, READ]
    const rows = await this.#reading.query<StoredEntry>(ENTRIES, values, PATIENCE.patienceMs)
    const found: ShardEntry[] = []
    for (const row of rows) {
      const entry = entryOf(row)
      const last = found.at(-1)
      if (last && (entry.sequence !== last.sequence + 1 || entry.epoch < last.epoch)) break
      found.push(entry)
    }
    return found
  }

  /** Looks at another server, where there is one: what was found at this one does not fit. */
  leaveServer(): void {
    for (const connection of [this.#reading, this.#control]) connection.leave()
  }

  /** The first entry that is left; undefined in an empty journal. */
  async first(): Promise<EntryPlace | undefined> {
    type First = { seq: string; epoch: string }
    const [row] = await this.#reading.query<First>(FIRST, [this.#options.shard], PATIENCE.patienceMs)
    return row && { sequence: Number(row.seq), epoch: Number(row.epoch) }
  }

  /**
   * Writes the first entry of this node's epoch, directly behind `last`; of those before, entries up to `confirmed` are
   * known to be durable. Undefined where `last` is not the last entry, or not in this server's journal.
   */
  async writeBarrier(last: EntryPlace, confirmed: number): Promise<ShardEntry | undefined> {
    if (last.epoch >= this.lease.epoch) throw new ShardLost()
    const sequence = last.sequence + 1
    const entry = emptyEntry()
    seal(entry, sequence, SHARD_SEED)
    const values = [this.#options.shard, sequence, this.lease.epoch, confirmed, entry, last.epoch]
    const rows = await this.#control.query(BARRIER, values, PATIENCE.patienceMs)
    if (rows.length === 0) return undefined
    this.#confirmed = sequence
    return { sequence, bytes: entry, epoch: this.lease.epoch, confirmed }
  }

  async append(sequence: number, entry: Buffer): Promise<void> {
    const { shard } = this.#options
    seal(entry, sequence, SHARD_SEED)
    // The writer begins no more than `width` at once.
    const connection = this.#free.pop()!
    try {
      const values = [shard, sequence, this.lease.epoch, this.#confirmed, entry]
      const rows = await connection.insist(APPEND, values, PATIENCE)
      if (rows.length === 0) throw new ShardLost()
    } finally {
      this.#free.push(connection)
    }
  }

  confirm(sequence: number): void {
    this.#confirmed = sequence
  }

  /** Entries stay for nodes that follow, until they are trimmed by hand. */
  async trim(): Promise<void> {}

  /** Another node need not wait for the end of the lease. */
  async remove(): Promise<void> {
    try {
      await this.lease.release(this.#confirmed)
    } finally {
      this.close()
    }
  }

  close(): void {
    this.lease.end()
    for (const connection of [this.#reading, this.#control, ...this.#writing]) connection.close()
  }
}

function entryOf({ seq, epoch, confirmed, bytes }: StoredEntry): ShardEntry {
  const entry = entryAt(bytes, 0, SHARD_SEED)
  const sequence = Number(seq)
  if (entry?.sequence !== sequence || entry.bytes.length !== bytes.length) {
    throw new DamagedEntry(`Entry ${seq} of the journal is damaged: restore the database, or begin a new journal`)
  }
  return { sequence, bytes, epoch: Number(epoch), confirmed: Number(confirmed) }
}
