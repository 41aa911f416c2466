// Reads committed audit entries by sequence; a damaged entry counts as missing. It never keeps a view of the file open.
import type { StoredEntry } from '../../domain/audit/forms.js'
import { entryFrom } from '../records/entryForm.js'
import { auditKey, sequenceIn, under } from '../records/keys.js'
import type { Store } from '../store.js'
import { DamagedRecord } from '../storedRows.js'

export class AuditEntries {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** The sequence of the last entry; 0 when there is none. */
  last(organization: string): number {
    const { start, end } = under(organization)
    const bounds = { start: end, end: start, reverse: true, limit: 1 }
    for (const key of this.#store.audit.keys(bounds)) return sequenceIn(key)
    return 0
  }

  /**
   * The last sequence, once everything up to it is on disk: no answer may show entries that a crash could take back.
   */
  async settledLast(organization: string): Promise<number> {
    const last = this.last(organization)
    await this.#store.flushed()
    return last
  }

  /** Undefined when the entry is missing or damaged. */
  at(organization: string, sequence: number): StoredEntry | undefined {
    return this.read(organization, sequence)?.entry
  }

  /** The same, with its size in bytes. An entry may have megabytes: that of an edit has both versions of a policy. */
  read(organization: string, sequence: number): { entry: StoredEntry; bytes: number } | undefined {
    try {
      const single = this.#store.audit.sized(auditKey(organization, sequence))
      const found = single ?? this.#store.auditPacks.entry(organization, sequence)
      const entry = entryFrom(found?.value, sequence)
      return entry && { entry, bytes: found!.bytes }
    } catch (error) {
      if (error instanceof DamagedRecord) return undefined
      throw error
    }
  }
}
