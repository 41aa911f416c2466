// What people ask of the journal of a shard, and do with it, besides the nodes.
import { setTimeout } from 'node:timers/promises'
import { LeaseDeadline, monotonicMs } from '../../../async/leaseDeadline.js'
import { attachedEntry, attachedFolder } from '../attachedEntry.js'
import { seal } from '../entry.js'
import { DatabaseConnection } from './connection.js'
import { presentReplication, type Replication } from './replication.js'
import { SHARD_SEED, ShardJournal, type EntryPlace, type ShardEntry, type ShardOptions } from './shardJournal.js'
import type { LeaseRow } from './shardLease.js'
import { ATTACH, ATTACH_AGAIN, EXTENT, LAST, TRIM } from './statements.js'

export interface JournalExtent {
  entries: number
  /** Before they are compressed. */
  bytes: number
  /** None in an empty journal. */
  first: EntryPlace | undefined
  last: EntryPlace | undefined
}

/** The journal has entries that are not of this folder. */
class JournalInUse extends Error {
  constructor(shard: string) {
    super(`The journal of shard ${shard} has entries: nothing was written. Choose another BURSAR_SHARD`)
  }
}

/** All entries are read for some answers. */
const PATIENCE_MS = 60_000
const BEATS_ASKED = 16
/** Entries that one statement removes. */
const TRIMMED_AT_ONCE = 1_000

export class ShardUpkeep {
  readonly journal: ShardJournal
  readonly #options: Pick<ShardOptions, 'urls' | 'shard' | 'leaseMs'>
  readonly #connection: DatabaseConnection

  constructor(options: Pick<ShardOptions, 'urls' | 'shard' | 'leaseMs'>) {
    this.#options = options
    this.#connection = new DatabaseConnection(options.urls)
    this.journal = new ShardJournal({ ...options, width: 1, deadline: new LeaseDeadline() })
  }

  replication(): Promise<Replication> {
    return presentReplication(this.#connection)
  }

  async extent(): Promise<JournalExtent> {
    type Sums = { entries: string; bytes: string | null }
    const [sums] = await this.#query<Sums>(EXTENT)
    const [last] = await this.#query<{ seq: string; epoch: string }>(LAST)
    return {
      entries: Number(sums!.entries),
      bytes: Number(sums!.bytes ?? 0),
      first: await this.journal.first(),
      last: last && { sequence: Number(last.seq), epoch: Number(last.epoch) },
    }
  }

  /** True where the owner says within a lease from now on that it is there; `seen` is what the lease was before. */
  async hearsOwner(seen: LeaseRow): Promise<boolean> {
    const { leaseMs } = this.#options
    if (seen.owner === null) return false
    for (const until = monotonicMs() + leaseMs; monotonicMs() < until;) {
      await setTimeout(leaseMs / BEATS_ASKED)
      const { owner, epoch, beat } = await this.journal.lease.row()
      if (epoch !== seen.epoch || beat !== seen.beat) return owner !== null
    }
    return false
  }

  /**
   * Begins the journal behind the content of a folder; resolves to the entry, which the folder is to store. Done again for
   * the same folder, it takes the place of the entry before, until a node owns the shard. Throws JournalInUse.
   */
  async attach(sequence: number, folder: string): Promise<ShardEntry> {
    const { shard } = this.#options
    const bytes = attachedEntry(sequence, folder)
    seal(bytes, sequence, SHARD_SEED)
    const before = await this.attachedBefore(folder)
    const rows = before
      ? await this.#query(ATTACH_AGAIN, sequence, bytes, before.sequence)
      : await this.#query(ATTACH, sequence, bytes)
    if (rows.length === 0) throw new JournalInUse(shard)
    return { sequence, bytes, epoch: 0, confirmed: sequence - 1 }
  }

  /** The entry that an interrupted attaching of this folder has left. Throws JournalInUse where there is any other. */
  async attachedBefore(folder: string): Promise<ShardEntry | undefined> {
    const [before, ...more] = await this.journal.entries(0)
    const isOwn = before?.epoch === 0 && attachedFolder(before.bytes) === folder
    if (more.length > 0 || (before && !isOwn)) throw new JournalInUse(this.#options.shard)
    return before
  }

  /** Removes all entries before `sequence`; resolves to how many there were. */
  async trim(sequence: number, onProgress: (removed: number) => void): Promise<number> {
    let removed = 0
    let at = (await this.journal.first())?.sequence ?? sequence
    while (at < sequence) {
      at = Math.min(at + TRIMMED_AT_ONCE, sequence)
      removed += (await this.#query(TRIM, at)).length
      onProgress(removed)
    }
    return removed
  }

  close(): void {
    this.#connection.close()
    this.journal.close()
  }

  #query<Row extends object>(
    statement: Parameters<DatabaseConnection['query']>[0],
    ...values: readonly unknown[]
  ): Promise<Row[]> {
    return this.#connection.query<Row>(statement, [this.#options.shard, ...values], PATIENCE_MS)
  }
}
