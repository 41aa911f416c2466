// Appends to the audit chains: queues the entry, and hashes it onto the one before it when its commit begins.
import { AUDIT_FORMAT, GENESIS, type AuditEntry } from '../../domain/audit/entry.js'
import { rawText } from '../../domain/audit/forms.js'
import { writtenTwice } from '../../domain/audit/texts.js'
import type { Random } from '../../domain/values/ids.js'
import { sha256Hex } from '../../domain/values/digest.js'
import { rowText, type EntryRow } from '../records/entryForm.js'
import { auditKey, sequenceIn, under } from '../records/keys.js'
import type { Table } from '../table.js'

/** The last entry of a chain; its hash is unknown until its commit begins. */
interface Head {
  sequence: number
  hash: string | undefined
}

/** An entry without what links it to the one before, and without salts. */
export type Unchained = Omit<AuditEntry, 'format' | 'sequence' | 'previousHash' | 'hash'>

export class AuditChains {
  readonly #table: Table<EntryRow>
  readonly #random: Random
  readonly #heads = new Map<string, Head>()

  /** `random` gives the salts of texts. */
  constructor(table: Table<EntryRow>, random: Random) {
    this.#table = table
    this.#random = random
  }

  /**
   * Queues the entry as its organization's next one. `entry` is called when the commit begins, and what it returns is
   * linked to the entry before by SHA-256 (hex) over its raw RFC 8785 form: for many entries in a row, that takes less
   * time. Returns its sequence.
   */
  append(organization: string, entry: () => Unchained): number {
    const last = this.#head(organization)
    const head: Head = { sequence: last.sequence + 1, hash: undefined }
    this.#heads.set(organization, head)
    this.#table.putJson(auditKey(organization, head.sequence), () => {
      if (last.hash === undefined) throw new Error(`Entry ${last.sequence} of ${organization} has no hash yet`)
      const { data, ...fields } = entry()
      const { raw, stored } = writtenTwice(data, this.#random)
      const link = { format: AUDIT_FORMAT, sequence: head.sequence, previousHash: last.hash } as const
      const chained = { ...link, ...fields }
      head.hash = sha256Hex(rawText(chained, raw))
      return rowText({ ...chained, hash: head.hash }, stored)
    })
    return head.sequence
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
