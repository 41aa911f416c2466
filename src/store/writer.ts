// Group commit. What is queued while the event loop has work becomes an entry of the journal, and is durable with it; LMDB
// gets it some milliseconds later, when rows that were written several times have become one.
// INVARIANT: an entry is durable only when all before it are, so that a change that was decided on the state of a failed
// commit never is.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Unavailable } from '../actor/host.js'
import { Fenced } from './folder/fence.js'
import { EntryWriter } from './journal/entry.js'
import type { Journal } from './journal/journal.js'
import { inTime } from './inTime.js'

/** A table with queued writes. */
export interface WriteSource {
  /** Moves all queued writes into the entry; undefined where there are none. A throw fails that commit. */
  take(entry: EntryWriter): CommitPart | undefined
}

/** What an entry has of one table. */
export interface CommitPart {
  /** The entry is durable. */
  landed(): void
  /** Hands the writes to LMDB. */
  store(): void
  /** LMDB shows them. */
  stored(): void
}

/** What a commit is made durable with. */
export interface Durability {
  journal: Journal
  /** Entries that may be on their way to the journal at once. */
  width: number
  /** LMDB has all entries up to this one. */
  sequence: number
  /** Commits what `write` hands over synchronously to LMDB, with the entries up to `sequence`. */
  store: (sequence: number, write: () => void) => Promise<unknown>
  /** True while no other process has taken the store over. */
  isHeld: () => boolean
}

interface Commit {
  entry: EntryWriter
  parts: CommitPart[]
}

const TICK_MS = 1_000
/** Of the event loop, that a commit waits for more to share it. */
const MOST_TURNS = 8
/** LMDB is behind by this, or by the time of one of its commits. */
const BEHIND_MS = 20
/** Memory of entries that LMDB has not. Until it has some, no further entry begins. */
const MOST_BEHIND_BYTES = 64 * 2 ** 20
/** Room for the rows of a dozen requests; only what an entry ever used takes memory. */
const ROOM_BYTES = 2 ** 18
const MOST_ROOMS = 64

export class Writer {
  readonly #onFailure: (failure: Unavailable) => void
  readonly #tickMs: number
  readonly #sources: WriteSource[] = []
  readonly #rooms: Buffer[] = []
  #by: Durability | undefined
  #taken = 0
  #durable = 0
  /** The commit of the queued writes; undefined when none are queued. */
  #next: Promise<void> | undefined
  /** The commits that were taken last, as many as may be under way; the newest last. */
  #taking: Promise<void>[] = [Promise.resolve()]
  /** How often something was queued. */
  #queued = 0
  /** Durable, and not in LMDB. */
  #landed: Commit[] = []
  #behindBytes = 0
  #storing: Promise<void> | undefined
  #isHurried = false
  #failure: Unavailable | undefined
  #isEnded = false

  /** A commit that is not durable after 60 times `tickMs` has failed. `onFailure` is called once. */
  constructor(onFailure: (failure: Unavailable) => void, tickMs = TICK_MS) {
    this.#onFailure = onFailure
    this.#tickMs = tickMs
  }

  /** Before the first write. */
  begin(durability: Durability): void {
    this.#by = durability
    this.#taken = this.#durable = durability.sequence
  }

  /** The failure that ended all writing; undefined before it. */
  get failure(): Unavailable | undefined {
    return this.#failure
  }

  /** All entries up to this one are durable. */
  get durable(): number {
    return this.#durable
  }

  register(source: WriteSource): void {
    this.#sources.push(source)
  }

  /**
   * Schedules a commit for a write that is queued. Everything queued in one stretch of the event loop shares a commit.
   * Throws after a failure.
   */
  wake(): void {
    if (this.#failure) throw this.#failure
    this.#queued += 1
    if (this.#next !== undefined) return
    this.#next = this.#commit()
    this.#next.catch(() => {})
  }

  /** Resolves when everything queued so far is durable; rejects when it may not be. */
  flushed(): Promise<void> {
    if (this.#failure) return this.#isEnded ? Promise.resolve() : Promise.reject(this.#failure)
    return this.#next ?? this.#taking.at(-1)!
  }

  /** Resolves when LMDB has everything that is queued so far. */
  async stored(): Promise<void> {
    await this.flushed()
    this.#isHurried = true
    await this.#storing
    this.#isHurried = false
    if (this.#failure) throw this.#failure
  }

  /** Resolves when LMDB has everything; from that moment on nothing is written any more. */
  async end(): Promise<void> {
    if (this.#isEnded) return
    do await this.stored()
    while (this.#next !== undefined || this.#taken !== this.#durable || this.#storing !== undefined)
    this.#failure = new Unavailable('The store is closed')
    this.#isEnded = true
  }

  /** Stops all writing, queued writes included; returns the error that every caller gets. */
  fail(error: unknown): Unavailable {
    if (this.#failure) return this.#failure
    this.#failure = new Unavailable('The store failed', { cause: error })
    this.#onFailure(this.#failure)
    return this.#failure
  }

  async #commit(): Promise<void> {
    await this.#taking[0]
    await this.#gathered()
    while (this.#behindBytes > MOST_BEHIND_BYTES && !this.#failure) await this.#storing
    if (this.#failure) throw this.#failure
    const before = this.#taking.at(-1)
    this.#taking.push(this.#next!)
    this.#next = undefined
    try {
      if (!this.#by) throw new Fenced()
      if (this.#taking.length > this.#by.width) this.#taking.shift()
      const commit = this.#take()
      const { sequence, bytes, end } = commit.entry
      const appended = inTime(this.#by.journal.append(sequence, bytes.subarray(0, end)), this.#tickMs)
      appended.catch(() => {})
      await before
      await appended
      this.#land(commit, this.#by)
    } catch (error) {
      throw this.fail(error)
    }
  }

  /** Resolves when a turn of the event loop has queued nothing more: who shares a commit shares its costs. */
  async #gathered(): Promise<void> {
    for (let turn = 0, before = -1; turn < MOST_TURNS && this.#queued !== before; turn += 1) {
      before = this.#queued
      await setImmediate()
    }
  }

  #take(): Commit {
    this.#taken += 1
    const entry = new EntryWriter(this.#taken, this.#rooms.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES))
    const parts: CommitPart[] = []
    for (const source of this.#sources) {
      const part = source.take(entry)
      if (part) parts.push(part)
    }
    return { entry, parts }
  }

  #land(commit: Commit, { journal, isHeld }: Durability): void {
    if (this.#failure) throw this.#failure
    // Checked after the entry was written, because who takes the store over reads the journal after it has said so.
    if (!isHeld()) throw new Fenced()
    const { sequence } = commit.entry
    journal.confirm(sequence)
    this.#durable = sequence
    for (const part of commit.parts) part.landed()
    this.#landed.push(commit)
    this.#behindBytes += commit.entry.bytes.length
    this.#storing ??= this.#store()
  }

  /** LMDB gets what is durable; fails as a commit does. */
  async #store(): Promise<void> {
    try {
      while (this.#landed.length > 0 && !this.#failure) {
        if (!this.#isHurried) await setTimeout(BEHIND_MS)
        await this.#storeLanded(this.#by!)
      }
    } catch (error) {
      this.fail(error)
    } finally {
      this.#storing = undefined
    }
  }

  async #storeLanded({ journal, store }: Durability): Promise<void> {
    const commits = this.#landed
    this.#landed = []
    const { sequence } = commits.at(-1)!.entry
    const write = (): void => {
      for (const { parts } of commits) for (const part of parts) part.store()
    }
    await inTime(store(sequence, write), this.#tickMs)
    for (const { parts } of commits) for (const part of parts) part.stored()
    for (const { entry } of commits) {
      this.#behindBytes -= entry.bytes.length
      if (entry.bytes.length === ROOM_BYTES && this.#rooms.length < MOST_ROOMS) this.#rooms.push(entry.bytes)
    }
    await inTime(journal.trim(sequence), this.#tickMs)
  }
}
