// Appends to the audit chains: hashes the entry onto its organization's head and queues it for the commit.
import { hash } from 'node:crypto'
import { GENESIS, type AuditEntry } from '../domain/audit.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import { auditKey, under } from './keys.js'
import type { Table } from './table.js'

interface Head {
  sequence: number
  hash: string
}

export type Unchained = Omit<AuditEntry, 'sequence' | 'previousHash' | 'hash'>

/** The hash of an entry: SHA-256 (hex) over the RFC 8785 form of all its other fields. */
export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return hash('sha256', canonicalJson(entry as unknown as Json), 'hex')
}

export class AuditChains {
  readonly #table: Table<AuditEntry>
  readonly #heads = new Map<string, Head>()

  constructor(table: Table<AuditEntry>) {
    this.#table = table
  }

  /** Chains the entry behind its organization's last and queues it. */
  append(organization: string, entry: Unchained): void {
    const head = this.#head(organization)
    const numbered = { sequence: head.sequence + 1, ...entry, previousHash: head.hash }
    const chained: AuditEntry = { ...numbered, hash: hashEntry(numbered) }
    this.#heads.set(organization, { sequence: chained.sequence, hash: chained.hash })
    this.#table.put(auditKey(organization, chained.sequence), chained)
  }

  /** The sequence of an organization's last entry, queued ones too. */
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
