// Who owns a shard: one row, which its owner keeps moving. No clocks are compared: an owner counts from when it sent its
// last beat that was acknowledged, and who wants to take over counts from when it saw the last one.
import { setTimeout } from 'node:timers/promises'
import { monotonicMs, type LeaseDeadline } from '../../../async/leaseDeadline.js'
import type { DatabaseConnection } from './connection.js'
import { BEAT, LEASE, NEW_SHARD, RELEASE, TAKE } from './statements.js'

/** Of the lease, that an owner leaves unused, for clocks that run at different speeds. */
const USED = 0.8
const BEATS = 4
const RETRY_MS = 50
const LEAST_PATIENCE_MS = 1_000

/** Another node owns the shard: this one may have decided on what never became durable. */
export class ShardLost extends Error {
  constructor() {
    super('Another node owns the shard')
  }
}

export interface LeaseRow {
  /** The journal's own name: two databases never have the same. */
  journal: string
  epoch: number
  /** URL of the node that owns the shard; null where none does. */
  owner: string | null
  /** Another one whenever the owner has said that it is there. */
  beat: string
  /** All entries up to it are durable. */
  confirmed: number
  /** The hash of the owner's sanctions list; empty for the shipped one. */
  sanctions: string
}

/** What an owner says of itself with each beat. */
export interface Beat {
  confirmed: number
  sanctions: string
}

interface StoredLease {
  journal: string
  epoch: string
  owner: string | null
  beat: string
  confirmed: string
  sanctions: string
}

interface LeaseOptions {
  shard: string
  leaseMs: number
  /** Until when nobody else can own the shard. */
  deadline: LeaseDeadline
}

export class ShardLease {
  readonly #connection: DatabaseConnection
  readonly #options: LeaseOptions
  #epoch = 0
  #isEnded = false

  constructor(connection: DatabaseConnection, options: LeaseOptions) {
    this.#connection = connection
    this.#options = options
  }

  get epoch(): number {
    return this.#epoch
  }

  /** Nobody else can own the shard now. */
  get isHeld(): boolean {
    return this.#options.deadline.isHeld
  }

  /** Makes the row where there is none; `journal` is its name then. */
  async make(journal: string): Promise<void> {
    await this.#query(NEW_SHARD, [this.#options.shard, journal])
  }

  async row(): Promise<LeaseRow> {
    const [row] = await this.#query<StoredLease>(LEASE, [this.#options.shard])
    if (!row) throw new Error(`The journal has no shard ${this.#options.shard}`)
    return { ...row, epoch: Number(row.epoch), confirmed: Number(row.confirmed) }
  }

  /** Begins an epoch of this node, which others reach at `nodeUrl`, if the lease is as it was seen. */
  async take({ epoch, beat }: LeaseRow, nodeUrl: string, sanctions = ''): Promise<boolean> {
    const sentAt = monotonicMs()
    const values = [this.#options.shard, nodeUrl, epoch, beat, sanctions]
    const [row] = await this.#query<{ epoch: string }>(TAKE, values)
    if (!row) return false
    this.#epoch = Number(row.epoch)
    this.#extend(sentAt)
    return true
  }

  /** Keeps the lease until it is ended; `onLost` is called when another node has it. */
  async keep(beat: () => Beat, onLost: () => void): Promise<void> {
    while (!this.#isEnded) {
      await setTimeout(this.#options.leaseMs / BEATS, undefined, { ref: false })
      const sentAt = monotonicMs()
      try {
        const { confirmed, sanctions } = beat()
        const rows = await this.#query(BEAT, [this.#options.shard, this.#epoch, confirmed, sanctions])
        if (this.#isEnded) return
        if (rows.length === 0) return onLost()
        this.#extend(sentAt)
      } catch {
        await setTimeout(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  /** Nobody needs to wait for its end. */
  async release(confirmed: number): Promise<void> {
    this.#isEnded = true
    this.#options.deadline.end()
    await this.#query(RELEASE, [this.#options.shard, this.#epoch, confirmed])
  }

  end(): void {
    this.#isEnded = true
  }

  #extend(sentAt: number): void {
    this.#options.deadline.extend(sentAt + USED * this.#options.leaseMs)
  }

  #query<Row extends object>(
    statement: Parameters<DatabaseConnection['query']>[0],
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.#connection.query<Row>(statement, values, Math.max(this.#options.leaseMs, LEAST_PATIENCE_MS))
  }
}
