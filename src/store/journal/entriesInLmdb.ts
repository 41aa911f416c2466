// Brings entries of a journal into LMDB, by the bytes: at a start after a crash, and where a folder follows a journal.
import type { RootDatabase } from 'lmdb'
import type { Fence, JournalPlace } from '../folder/fence.js'
import { StoredRows } from '../storedRows.js'
import { rowsIn, type JournalEntry } from './entry.js'

export class EntriesInLmdb {
  readonly #root: RootDatabase
  readonly #fence: Fence
  readonly #tables = new Map<string, StoredRows>()

  constructor(root: RootDatabase, fence: Fence) {
    this.#root = root
    this.#fence = fence
  }

  /** In one commit, with the place of the last one. */
  async store(entries: readonly JournalEntry[], place: JournalPlace): Promise<void> {
    // A table is opened outside of the transaction that writes it.
    for (const { bytes } of entries) for (const { table } of rowsIn(bytes)) this.table(table)
    await this.#fence.commit(place, () => {
      for (const { bytes } of entries) {
        for (const { table, key, value } of rowsIn(bytes)) {
          if (value) this.table(table).put(key, value)
          else this.table(table).remove(key)
        }
      }
    })
  }

  table(name: string): StoredRows {
    const table = this.#tables.get(name) ?? new StoredRows(this.#root, name)
    this.#tables.set(name, table)
    return table
  }
}
