// Appends to the audit chains: hashes the entry onto its organization's head and queues it for the commit.
import { GENESIS, type AuditEntry } from '../domain/audit.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import { sha256Hex } from '../domain/digest.js'
import { auditKey, under } from './keys.js'
import type { Table } from './table.js'

interface Head {
  sequence: number
  hash: string
}

export type Unchained = Omit<AuditEntry, 'sequence' | 'previousHash' | 'hash'>

export class AuditChains {
  readonly #table: Table<AuditEntry>
  readonly #heads = new Map<string, Head>()

  constructor(table: Table<AuditEntry>) {
    this.#table = table
  }

  /** Links the entry to its organization's last one, by SHA-256 (hex) over its RFC 8785 form, and queues that form. */
  append(organization: string, entry: Unchained): void {
    const head = this.#head(organization)
    const sequence = head.sequence + 1
    const text = canonicalJson({ sequence, previousHash: head.hash, ...entry } as Json)
    const hash = sha256Hex(text)
    this.#heads.set(organization, { sequence, hash })
    this.#table.putJson(auditKey(organization, sequence), `{"hash":"${hash}",${text.slice(1)}`)
  }

  /** The sequence of an organization's last entry, queued entries included. */
  last(organization: string): number {
    return this.#head(organization).sequence
  }

  #head(organization: string): Head {
    const known = this.#heads.get(organization)
    if (known) return known
    const { start, end } = under(organization)
    for (const [, entry] of this.#table.range({ start: end, end: start, reverse: true, limit: 1 })) return entry
    return { sequence: 0, hash: GENESIS }
  }
}
