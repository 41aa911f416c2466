// A journal that several owners share, as a bad network and a bad database make it: entries arrive late, twice or after
// their owner has gone, answers are lost, and once an owner hears nothing more. What is asked of it is asked again, as by
// the adapter for PostgreSQL, and whoever takes over fences the one before.
import { rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { emptyEntry, seal } from '../../../src/store/journal/entry.js'
import type { Journal } from '../../../src/store/journal/journal.js'
import { withSharedJournal, type TakeOver } from '../../../src/store/journal/owner.js'
import { ShardLost } from '../../../src/store/journal/postgres/shardLease.js'
import { Replica, type FollowedEntry } from '../../../src/store/journal/replica.js'
import type { Random } from '../../support/random.js'

const NAME = 'simulated'
const SEED = 0
const WIDTH = 2
/** Turns of the event loop. */
const PAUSE = 60
/** After so many the writer has begun the entry. */
const TAKEN = 4

/** How often each fault happens in this run. */
function faultsOf(random: Random) {
  return {
    turns: random.pick([1, 3, 8]),
    pause: random.pick([0, 0.1]),
    loseRequest: random.pick([0, 0.1]),
    loseAnswer: random.pick([0, 0.1, 0.3]),
    late: random.pick([0, 0.1, 0.3]),
    stop: random.pick([0, 0.005, 0.02]),
    overlap: random.pick([0, 0.5]),
    rebuild: random.pick([0, 0.5]),
  }
}

export class SimulatedJournal implements Journal {
  readonly #random: Random
  readonly #faults: ReturnType<typeof faultsOf>
  readonly #rows = new Map<number, FollowedEntry>()
  readonly #late: Promise<void>[] = []
  #epoch = 1
  #isStopped = false
  /** The first entry of the present owner. */
  #barrier = 1

  constructor(random: Random) {
    this.#random = random
    this.#faults = faultsOf(random)
  }

  /** The present owner has heard nothing of its last entry, and never will. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether the next batch begins before this one is answered: by then it is an entry of its own. */
  async overlaps(): Promise<boolean> {
    if (!this.#random.chance(this.#faults.overlap)) return false
    for (let left = TAKEN; left > 0; left -= 1) await setImmediate()
    return true
  }

  async append(sequence: number, entry: Buffer): Promise<void> {
    const { loseRequest, loseAnswer, late, stop } = this.#faults
    const random = this.#random
    const epoch = this.#epoch
    seal(entry, sequence, SEED)
    for (;;) {
      await this.#delay()
      // Those behind it are still answered.
      const isLast = !this.#isStopped && random.chance(stop)
      const isSent = !random.chance(isLast ? 0.5 : loseRequest)
      const row = { sequence, epoch, bytes: Buffer.from(entry) }
      if (isLast || random.chance(late)) this.#late.push(this.#arriveLate(row, isSent))
      if (isLast) await this.#stop()
      if (epoch !== this.#epoch) throw new ShardLost()
      if (!isSent) continue
      if (!this.#write(row)) throw new ShardLost()
      if (!random.chance(loseAnswer)) return
    }
  }

  confirm(): void {}

  async trim(): Promise<void> {}

  async remove(): Promise<void> {}

  /** Of the first process, whose folder is empty. */
  takeOver(): TakeOver {
    return withSharedJournal(this, { sequence: 0, shared: { journal: NAME, epoch: this.#epoch } }, WIDTH)
  }

  /** The next owner, with the folder brought up to the journal or, as on another machine, made from it. */
  async next(folder: string): Promise<TakeOver> {
    if (this.#random.chance(this.#faults.rebuild)) rmSync(folder, { recursive: true })
    const barrier = this.#writeBarrier()
    // Once in a run, which ends with it.
    if (this.#isStopped) this.#faults.stop = 0
    this.#isStopped = false
    const replica = new Replica(folder, NAME)
    const { sequence } = replica.place
    await replica.store(this.#entries().filter((entry) => entry.sequence > sequence))
    await replica.close()
    return withSharedJournal(this, { sequence: barrier, shared: { journal: NAME, epoch: this.#epoch } }, WIDTH)
  }

  /** Resolves once nothing is on its way any more: true where the next owner's entries are as it wrote them. */
  async isFenced(): Promise<boolean> {
    await Promise.all(this.#late)
    return this.#entries().every(({ sequence, epoch }) => sequence < this.#barrier || epoch === this.#epoch)
  }

  #writeBarrier(): number {
    const sequence = (this.#entries().at(-1)?.sequence ?? 0) + 1
    this.#epoch += 1
    this.#barrier = sequence
    const bytes = emptyEntry()
    seal(bytes, sequence, SEED)
    this.#write({ sequence, epoch: this.#epoch, bytes })
    return sequence
  }

  /** As one that follows reads them: without a gap, and of no earlier epoch than the one before. */
  #entries(): FollowedEntry[] {
    const found: FollowedEntry[] = []
    for (let at = 1; this.#rows.has(at); at += 1) {
      const row = this.#rows.get(at)!
      if (row.epoch < (found.at(-1)?.epoch ?? 0)) break
      found.push(row)
    }
    return found
  }

  async #stop(): Promise<never> {
    this.#isStopped = true
    for (let left = PAUSE; left > 0; left -= 1) await setImmediate()
    throw new ShardLost()
  }

  /** False where an owner of a later epoch has written. */
  #write(row: FollowedEntry): boolean {
    const before = this.#rows.get(row.sequence)
    if (before && before.epoch > row.epoch) return false
    this.#rows.set(row.sequence, row)
    return true
  }

  async #arriveLate(row: FollowedEntry, isSent: boolean): Promise<void> {
    const turns = this.#random.below(2 * PAUSE)
    if (!isSent) return
    for (let left = turns; left > 0; left -= 1) await setImmediate()
    this.#write(row)
  }

  async #delay(): Promise<void> {
    const { turns, pause } = this.#faults
    const most = this.#random.chance(pause) ? PAUSE : turns
    for (let left = this.#random.below(most); left > 0; left -= 1) await setImmediate()
  }
}
