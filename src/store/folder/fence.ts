// The fencing number of a store. Each process that takes a store over raises it, and each commit checks in its own
// transaction that it is still the one that this process knows. So a process that does not know that it lost the store,
// whatever became of its lock, writes nothing any more.
import type { Database, RootDatabase } from 'lmdb'

const ROW = 'fence'
const NOTHING = Buffer.alloc(0)

/** Another process has taken the store over since this one opened it. */
export class Fenced extends Error {}

export class Fence {
  readonly #db: Database<Buffer, string>
  /** Null before the first process that takes the store over. */
  #number: number | null

  constructor(root: RootDatabase) {
    // LMDB compares the version of a row in the transaction that depends on it.
    this.#db = root.openDB<Buffer, string>({ name: 'fence', encoding: 'binary', useVersions: true })
    this.#number = this.#stored() ?? null
  }

  #stored(): number | undefined {
    return this.#db.getEntry(ROW)?.version
  }

  /** Takes the store over: whoever opened it before commits nothing from now on. The new number is on disk. */
  raise(): void {
    this.#number = this.#db.transactionSync(() => {
      const next = (this.#stored() ?? 0) + 1
      this.#db.putSync(ROW, NOTHING, next)
      return next
    })
  }

  /** Commits what `write` hands over synchronously; rejects, with nothing of it written, when the number was raised. */
  async commit(write: () => void): Promise<void> {
    // `null` asks for a missing row, which the types do not know.
    const isWritten = await this.#db.ifVersion(ROW, this.#number as number, write)
    if (!isWritten) throw new Fenced('Another process has opened the data folder since')
  }
}
