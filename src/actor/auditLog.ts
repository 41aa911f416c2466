// Port for reading audit logs: entries, verification of the chain, and the Merkle tree over it.
import type { StoredEntry } from '../domain/audit/forms.js'
import type { Subtree } from '../domain/audit/merkle.js'
import type { Paging } from './query.js'

export interface EntryFilter {
  action?: string | undefined
  resource?: string | undefined
  resourceId?: string | undefined
  actorId?: string | undefined
  /** Epoch ms bounds of `at`, both inclusive. */
  from?: number | undefined
  to?: number | undefined
}

export interface EntryQuery extends Paging {
  filter: EntryFilter
}

export interface EntryPage {
  /**
   * Newest first. May have fewer than `limit` entries although more follow: a page reads a bounded part of the log, and
   * holds a bounded size of it.
   */
  entries: StoredEntry[]
  /** Number of entries that match the filter; undefined when counting would read too much. */
  total: number | undefined
  nextCursor?: string
}

export interface AuditQuery {
  /** Maximum number of entries. */
  most: number
  /** True when no matching entry precedes this one: the search ends there. */
  isFirst(entry: StoredEntry): boolean
}

export interface Latest {
  /** Oldest first. */
  entries: StoredEntry[]
  /** False when older entries were not requested, lie too far back to be searched, or are too large. */
  isWhole: boolean
}

export interface Between {
  entries: StoredEntry[]
  /** The sequence to continue after: earlier than `last` where the entries are large. */
  until: number
}

export interface Verified {
  valid: boolean
  entries: number
  /** Hash of the last entry; null when there is none or it cannot be read. */
  head: string | null
  firstBrokenSequence?: number
}

/** Merkle tree over the entries of an organization that are on disk. Its leaves never change. */
export interface LogTree {
  size: number
  subtree: Subtree
  /** Hash of an entry, for sequences 1 to `size`. */
  hashOf(sequence: number): string
}

export interface AuditLogPort {
  /** Sequence of the last entry on disk; 0 when there is none. */
  last(organization: string): Promise<number>
  /** Undefined when the cursor does not belong to this list. */
  page(organization: string, query: EntryQuery): Promise<EntryPage | undefined>
  /** Reads every entry. */
  verify(organization: string): Promise<Verified>
  /** All current entries, oldest first, in the raw form, as lines of RFC 8785 JSON, in batches. */
  lines(organization: string): AsyncIterable<string>
  /** Every entry that matches the filter, oldest first. Only for filters with few matches. */
  all(organization: string, filter: EntryFilter): Promise<StoredEntry[]>
  latest(organization: string, filter: EntryFilter, wanted: AuditQuery): Promise<Latest>
  entry(organization: string, sequence: number): Promise<StoredEntry | undefined>
  /** Entries after `after`, up to `last`, that are on disk and readable. */
  between(organization: string, after: number, last: number): Promise<Between>
  /** The tree, or the sequence of the first entry that breaks the chain: a broken chain has no tree. */
  tree(organization: string): Promise<LogTree | { broken: number }>
}
