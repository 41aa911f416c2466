// The port that commands read audit logs through: entries, whether they hold together, and the tree over them.
import type { AuditEntry } from '../domain/audit.js'
import type { Subtree } from '../domain/merkle.js'
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
  /** Newest first. There may be fewer than `limit` although more follow: a page looks at a bounded part of the log. */
  entries: AuditEntry[]
  /** Of all that the filter lets through; undefined where counting them would read too much. */
  total: number | undefined
  nextCursor?: string
}

export interface Wanted {
  /** Entries at most. */
  most: number
  /** There is none before it. */
  isFirst(entry: AuditEntry): boolean
}

export interface Latest {
  /** Oldest first. */
  entries: AuditEntry[]
  /** False where older ones were not asked for, or lie too far back to be looked for. */
  isWhole: boolean
}

export interface Verified {
  valid: boolean
  entries: number
  /** Hash of the last entry; null when there is none that can be read. */
  head: string | null
  firstBrokenSequence?: number
}

/** The tree over an organization's entries, as far as they are on disk; its leaves never change. */
export interface LogTree {
  size: number
  subtree: Subtree
  /** The entry's hash, for 1 to `size`. */
  hashOf(sequence: number): string
}

export interface AuditLogPort {
  /** The sequence of the last entry that is on disk; 0 where there is none. */
  last(organization: string): Promise<number>
  /** Undefined when the cursor is none of this list's. */
  page(organization: string, query: EntryQuery): Promise<EntryPage | undefined>
  /** Reads every entry. */
  verify(organization: string): Promise<Verified>
  /** All entries there are now, oldest first, as lines of RFC 8785 text, many at a time. */
  lines(organization: string): AsyncIterable<string>
  /** Every entry that the filter lets through, oldest first. For filters that let few through. */
  all(organization: string, filter: EntryFilter): Promise<AuditEntry[]>
  latest(organization: string, filter: EntryFilter, wanted: Wanted): Promise<Latest>
  entry(organization: string, sequence: number): Promise<AuditEntry | undefined>
  /** Those behind `after`, up to `last`, that are on disk and can be read. */
  between(organization: string, after: number, last: number): Promise<AuditEntry[]>
  /** Or the first entry that is not what the chain says: over it, no tree is built. */
  tree(organization: string): Promise<LogTree | { broken: number }>
}
