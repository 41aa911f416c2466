// Appends to the audit chains: queues the entry, and hashes it onto the one before it when its commit begins.
import { AUDIT_FORMAT, GENESIS } from '../../domain/audit/entry.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import { digested } from '../../domain/audit/texts.js'
import { canonicalJson, type Json } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import { rowOf, type EntryRow } from '../records/entryForm.js'
import { auditKey, sequenceIn, under } from '../records/keys.js'
import type { Table } from '../table.js'

/** The last entry of a chain; its hash is unknown until its commit begins. */
interface Head {
  sequence: number
  hash: string | undefined
}

export type Unchained = Omit<StoredEntry, 'format' | 'sequence' | 'previousHash' | 'hash'>

export class AuditChains {
  readonly #table: Table<EntryRow>
  readonly #heads = new Map<string, Head>()

  constructor(table: Table<EntryRow>) {
    this.#table = table
  }

  /**
   * Queues the entry as its organization's next one. `entry` is called when the commit begins, and what it returns is
   * linked to the entry before by SHA-256 (hex) over its raw RFC 8785 form: for many entries in a row, that takes less
   * time.
   */
  append(organization: string, entry: () => Unchained): void {
    const last = this.#head(organization)
    const head: Head = { sequence: last.sequence + 1, hash: undefined }
    this.#heads.set(organization, head)
    this.#table.putJson(auditKey(organization, head.sequence), () => {
      if (last.hash === undefined) throw new Error(`Entry ${last.sequence} of ${organization} has no hash yet`)
      const link = { format: AUDIT_FORMAT, sequence: head.sequence, previousHash: last.hash } as const
      const stored = { ...link, ...entry() }
      head.hash = sha256Hex(canonicalJson({ ...stored, data: digested(stored.data).data } as Json))
      return JSON.stringify(rowOf({ ...stored, hash: head.hash }))
    })
  }

  /** The sequence of an organization's last entry, queued entries included. */
  last(organization: string): number {
    return this.#head(organization).sequence
  }

  #head(organization: string): Head {
    const known = this.#heads.get(organization)
    if (known) return known
    const { start, end } = under(organization)
    for (const [key, [, hash]] of this.#table.range({ start: end, end: start, reverse: true, limit: 1 })) {
      return { sequence: sequenceIn(key), hash }
    }
    return { sequence: 0, hash: GENESIS }
  }
}
