// The writes of one table in one entry.
import type { StoredRows } from './storedRows.js'
import type { CommitPart } from './writer.js'
import { bytesOf, type Write, type Writes } from './writes.js'

export class TakenWrites<Value> implements CommitPart {
  readonly #taken: readonly Write<Value>[]
  readonly #writes: Writes<Value>
  readonly #rows: StoredRows
  #kept: readonly Write<Value>[] | undefined

  constructor(taken: readonly Write<Value>[], writes: Writes<Value>, rows: StoredRows) {
    this.#taken = taken
    this.#writes = writes
    this.#rows = rows
  }

  landed(): void {
    this.#writes.landed(this.#taken)
  }

  store(): void {
    // The same when LMDB has aborted the commit, whatever has landed since.
    this.#kept ??= this.#taken.filter(({ isOver }) => !isOver)
    for (const write of this.#kept) {
      if (write.isRemoval) this.#rows.remove(write.key)
      else this.#rows.put(write.key, bytesOf(write))
    }
  }

  stored(): void {
    this.#writes.stored(this.#taken)
  }
}
