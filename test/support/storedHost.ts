// The real host over a real store in a temporary folder, which can be closed and opened again.
import { deepStrictEqual as deepEqual } from 'node:assert'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '../../machines/index.js'
import type { DomainEvent } from '../../src/actor/actor.js'
import type { ChartBook } from '../../src/actor/turn.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import type { Change } from '../../src/store/change.js'
import type { TakeOver } from '../../src/store/journal/owner.js'
import { Store } from '../../src/store/store.js'
import type { Outbox } from '../../src/webhooks/outbox.js'

/** So few that most actors are read back from disk. */
const HOT_ACTORS = 4

/** In memory where there is such a folder: these tests pull no plug, and so a sync only costs time. */
const BASE_NAME = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bursar-host-')

/** Called when a change was queued: all that the host shows of it is there. */
export type OnCommit = (change: Change, events: readonly DomainEvent[]) => void

/** A journal that outlives the processes that own it, in place of one in the folder. */
export interface OutlivingJournal {
  takeOver(): TakeOver
  /** Makes the folder ready for the next process. */
  next(folder: string): Promise<TakeOver>
}

export class StoredHost {
  store!: Store
  /** Rejects where the store refuses the book. */
  taken!: Promise<void>
  host!: EmbeddedHost
  #book: ChartBook
  readonly #onCommit: OnCommit
  readonly #journal: OutlivingJournal | undefined
  folder = mkdtempSync(BASE_NAME)
  #made = 0
  #told: readonly DomainEvent[] = []

  constructor(book: ChartBook = charts, onCommit: OnCommit = () => {}, journal?: OutlivingJournal) {
    this.#book = book
    this.#onCommit = onCommit
    this.#journal = journal
    this.#open(journal?.takeOver())
  }

  /** Like a process that ends between two commands, and the next one, perhaps with other charts. */
  async restart(book = this.#book): Promise<void> {
    await this.store.close()
    this.#book = book
    this.#open(await this.#journal?.next(this.folder))
  }

  /** Like a process whose store has failed, and the next one on another machine, which has the journal alone. */
  async moveOn(): Promise<void> {
    rmSync(this.folder, { recursive: true })
    this.folder = mkdtempSync(BASE_NAME)
    this.#open(await this.#journal!.next(this.folder))
    await this.taken
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.folder, { recursive: true })
  }

  #open(takeOver?: TakeOver): void {
    this.store = new Store((bytes) => new Uint8Array(bytes).fill((this.#made += 1)), this.#book)
    this.store.open(this.folder)
    this.taken = this.store.takeOver(takeOver)
    this.taken.catch(() => {})
    const commit = this.store.commit.bind(this.store)
    this.store.commit = (change) => {
      const done = commit(change)
      this.#onCommit(change, this.#told)
      this.#told = []
      this.#readBack(change)
      return done
    }
    this.host = new EmbeddedHost(this.#book, this.store, { hotActors: HOT_ACTORS, outbox: this.#outbox() })
  }

  /** What is stored is what was written, field by field. */
  #readBack({ actors }: Change): void {
    for (const { after } of actors) deepEqual(this.store.actor(after.ref), JSON.parse(JSON.stringify(after)))
  }

  /** Sees the events of a commit, and delivers none. */
  #outbox(): Outbox {
    const deliveriesOf: Outbox['deliveriesOf'] = (events) => {
      this.#told = events
      return []
    }
    return { deliveriesOf, committed: () => {} } as Partial<Outbox> as Outbox
  }
}
