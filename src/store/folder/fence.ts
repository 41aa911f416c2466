// Who has taken a store over, and how far LMDB is in that process's journal: one row, which each commit of LMDB checks and
// writes in its own transaction. So a process that does not know that it lost the store, whatever became of its lock,
// writes nothing any more, and any copy of the file knows which entries it lacks.
import type { Database, RootDatabase } from 'lmdb'
import { retried } from '../abortedCommit.js'

const ROW = 'fence'
export const FENCE_TABLE = 'fence'

/** Another process has taken the store over since this one opened it. */
export class Fenced extends Error {
  constructor() {
    super('Another process has opened the data folder since')
  }
}

export interface JournalPlace {
  /** The journal that is needed besides LMDB; none after an ordinary stop. */
  journal?: string
  /** LMDB has all entries up to this one. */
  sequence: number
  /** Of a folder that follows a journal of several nodes: which one, and the epoch in which the entry was written. */
  shared?: { journal: string; epoch: number }
}

export class Fence {
  readonly #root: RootDatabase
  readonly #db: Database<Buffer, string>
  /** The fencing number; null before the first process that takes the store over. */
  #number: number | null

  constructor(root: RootDatabase) {
    this.#root = root
    // LMDB compares the version of a row in the transaction that depends on it.
    this.#db = root.openDB<Buffer, string>({ name: FENCE_TABLE, encoding: 'binary', useVersions: true })
    this.#number = this.#db.getEntry(ROW)?.version ?? null
  }

  get place(): JournalPlace {
    return placeIn(this.#db.get(ROW))
  }

  /** As another process may just have written it. */
  get presentPlace(): JournalPlace {
    // Else the row would be that of the last read of this turn of the event loop.
    this.#root.resetReadTxn()
    return this.place
  }

  /**
   * Takes the store over, on disk: whoever opened it before commits nothing from now on. `next` gives the new place; a
   * throw leaves the store with whom it was.
   */
  raise(next: (number: number, place: JournalPlace) => JournalPlace = (_, place) => place): JournalPlace {
    return this.#db.transactionSync(() => {
      const found = this.#db.getEntry(ROW)
      const number = (found?.version ?? 0) + 1
      const place = next(number, placeIn(found?.value))
      this.#db.putSync(ROW, bytesOf(place), number)
      this.#number = number
      return place
    })
  }

  /** False as soon as another process has taken the store over. */
  get isHeld(): boolean {
    // Else the row would be that of the last read of this turn of the event loop.
    this.#root.resetReadTxn()
    return this.#number !== null && this.#db.doesExist(ROW, this.#number)
  }

  /**
   * Commits what `write` hands over synchronously, and the place; rejects, with nothing of it written, when another
   * process has taken the store over.
   */
  async commit(place: JournalPlace, write: () => void = () => {}): Promise<void> {
    const bytes = bytesOf(place)
    // `null` asks for a missing row, which the types do not know.
    const isWritten = await retried(() =>
      this.#db.ifVersion(ROW, this.#number as number, () => {
        write()
        void this.#db.put(ROW, bytes, this.#number!)
      }),
    )
    if (!isWritten) throw new Fenced()
  }
}

const bytesOf = (place: JournalPlace): Buffer => Buffer.from(JSON.stringify(place))

/** Empty in stores that were last written without a journal. */
function placeIn(bytes: Buffer | undefined): JournalPlace {
  return bytes && bytes.length > 0 ? (JSON.parse(bytes.toString()) as JournalPlace) : { sequence: 0 }
}
