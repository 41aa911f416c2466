// A node that does not own its shard: it follows the journal into its own folder, and takes the shard over once nobody
// has it.
import { setTimeout } from 'node:timers/promises'
import { monotonicMs } from '../async/leaseDeadline.js'
import type { Log } from '../domain/values/log.js'
import type { EntryPlace, ShardEntry, ShardJournal } from '../store/journal/postgres/shardJournal.js'
import type { LeaseRow } from '../store/journal/postgres/shardLease.js'
import type { Replica } from '../store/journal/replica.js'
import { Failure } from '../config/failure.js'
import { Unacknowledged } from '../store/journal/postgres/connection.js'
import { Diverged, entriesFrom } from './continuation.js'

const POLL_MS = 40
/** A primary that was left behind may be there beside the one that took over, until it is ended. */
const MOST_DIVERGED = 100

export interface StandbyParts {
  journal: ShardJournal
  replica: Replica
  leaseMs: number
  /** How others reach this node. */
  nodeUrl: string
  /** The hash of this node's sanctions list. */
  sanctions: () => string
  /** Entries that the folder has got. */
  onStored: (entries: readonly ShardEntry[]) => void
  /** Another node owns the shard than before, or none. */
  onOwner: () => void
  log: Log
}

export class Standby {
  readonly #parts: StandbyParts
  #at: EntryPlace
  #confirmed = 0
  #lease: LeaseRow | undefined
  /** When the owner was seen to be there last. */
  #movedAt: number
  #isStopped = false
  /** One after the other. */
  #failures = 0
  #isOtherTold = false

  constructor(parts: StandbyParts) {
    const { sequence, shared } = parts.replica.place
    this.#parts = parts
    this.#at = { sequence, epoch: shared?.epoch ?? 0 }
    this.#movedAt = monotonicMs()
  }

  /** The last entry that the folder has. */
  get at(): EntryPlace {
    return this.#at
  }

  /** Entries that are durable and not in the folder, as far as they are known. */
  get lag(): number {
    return Math.max(0, this.#confirmed - this.#at.sequence)
  }

  get owner(): string | null {
    return this.#lease?.owner ?? null
  }

  /** The database was not reached when it was asked last. */
  get isCutOff(): boolean {
    return this.#failures > 0
  }

  stop(): void {
    this.#isStopped = true
  }

  /**
   * Resolves to the place of this node's barrier once it owns the shard; undefined when it was stopped before. Rejects
   * where the folder cannot continue.
   */
  async untilOwner(): Promise<EntryPlace | undefined> {
    while (!this.#isStopped) {
      try {
        const barrier = await this.#round()
        this.#failures = 0
        if (barrier) return barrier
      } catch (error) {
        this.#failed(error)
        await setTimeout(POLL_MS)
      }
    }
    return undefined
  }

  #failed(error: unknown): void {
    const { journal, log } = this.#parts
    const isElsewhere = error instanceof Diverged && this.#failures < MOST_DIVERGED
    if (!(error instanceof Unacknowledged) && !isElsewhere) throw error
    if (this.#failures === 0) log('the journal is not reached', { error })
    this.#failures += 1
    // Time in which nothing was seen says nothing about the owner.
    this.#movedAt = monotonicMs()
    if (isElsewhere) journal.leaveServer()
  }

  async #round(): Promise<EntryPlace | undefined> {
    const lease = await this.#parts.journal.lease.row()
    this.#watch(lease)
    const isAtEnd = await this.#follow(lease.confirmed)
    if (isAtEnd && this.#isFree(lease) && this.#hasSameList(lease)) return this.#takeOver(lease)
    if (isAtEnd) await setTimeout(POLL_MS)
    return undefined
  }

  #watch(lease: LeaseRow): void {
    const before = this.#lease
    this.#lease = lease
    if (lease.owner !== before?.owner) this.#parts.onOwner()
    const isOfSameEpoch = lease.epoch === before?.epoch
    if (isOfSameEpoch && lease.beat === before?.beat) return
    this.#movedAt = monotonicMs()
    // Within an epoch its owner alone moves the lease, and this node owns nothing.
    if (isOfSameEpoch && lease.owner === this.#parts.nodeUrl) {
      throw new Failure(`Another node is reached at ${this.#parts.nodeUrl}: give this one a BURSAR_NODE_URL of its own`)
    }
  }

  #isFree({ owner }: LeaseRow): boolean {
    return owner === null || monotonicMs() - this.#movedAt > this.#parts.leaseMs
  }

  /** With another list it would pay to addresses that the owner refused to pay. */
  #hasSameList({ epoch, sanctions }: LeaseRow): boolean {
    const own = this.#parts.sanctions()
    const isSame = epoch === 0 || sanctions === own
    if (!isSame && !this.#isOtherTold) {
      this.#parts.log('the sanctions list is not that of the owner', { own, owner: sanctions })
    }
    this.#isOtherTold = !isSame
    return isSame
  }

  /** Stores what is known to be durable of the next entries; true where there are no more such. */
  async #follow(confirmed: number): Promise<boolean> {
    const next = await this.#next()
    this.#confirmed = Math.max(this.#confirmed, confirmed, ...next.map((entry) => entry.confirmed))
    const durable = next.filter(({ sequence }) => sequence <= this.#confirmed)
    await this.#store(durable)
    return durable.length === 0
  }

  async #next(): Promise<ShardEntry[]> {
    return entriesFrom(this.#parts.journal, this.#at)
  }

  /**
   * The barrier comes directly behind the last entry, and makes that and all before it durable. Until then they are not
   * stored: another server of the database may lack them.
   */
  async #takeOver(lease: LeaseRow): Promise<EntryPlace | undefined> {
    const { journal, nodeUrl, log } = this.#parts
    if (!(await journal.lease.take(lease, nodeUrl, this.#parts.sanctions()))) return undefined
    while (journal.lease.isHeld) {
      const rest = await this.#next()
      const barrier = await journal.writeBarrier(rest.at(-1) ?? this.#at, this.#confirmed)
      if (!barrier) continue
      await this.#store([...rest, barrier])
      log('this node owns the shard', { epoch: barrier.epoch, sequence: barrier.sequence })
      return this.#at
    }
    return undefined
  }

  async #store(entries: readonly ShardEntry[]): Promise<void> {
    const last = entries.at(-1)
    if (!last) return
    await this.#parts.replica.store(entries)
    this.#at = { sequence: last.sequence, epoch: last.epoch }
    this.#parts.onStored(entries)
  }
}
