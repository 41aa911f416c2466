// The reading side of the audit log: pages, the whole log as lines, its verification, and its tree. Nothing here blocks
// the event loop for long or holds more than a page in memory.
import { setImmediate as pause } from 'node:timers/promises'
import type { AuditLogPort, EntryFilter, EntryPage, EntryQuery, Latest } from '../actor/auditLog.js'
import type { LogTree, Verified, Wanted } from '../actor/auditLog.js'
import type { AuditEntry } from '../domain/audit.js'
import { entryLeaf, faultOf, START, type Link } from '../domain/auditChain.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import { isSameHash } from '../domain/merkle.js'
import { AuditEntries } from './auditEntries.js'
import { mayHold, passes } from './auditSummary.js'
import { AuditTiles, BrokenChain, TILE } from './auditTiles.js'
import type { Store } from './store.js'

/** Maximum entries that a filtered page reads; a skipped tile counts as one. */
const MAX_READ = 5000
/** The same for the latest entries of one actor: about two seconds of work, in batches. */
const MAX_SEARCHED = 100_000
const READ_BATCH = 128

/** A position in a list: the next entry to read, and how many matching entries are still to be skipped. */
interface Place {
  sequence: number
  skip: number
}

export class AuditLog implements AuditLogPort {
  readonly #entries: AuditEntries
  readonly #tiles: AuditTiles
  /** Running verifications: concurrent requests share one. */
  readonly #verifying = new Map<string, Promise<Verified>>()

  constructor(store: Store) {
    this.#entries = new AuditEntries(store)
    this.#tiles = new AuditTiles(store, this.#entries)
  }

  last(organization: string): Promise<number> {
    return this.#entries.settledLast(organization)
  }

  async page(organization: string, query: EntryQuery): Promise<EntryPage | undefined> {
    const last = await this.#entries.settledLast(organization)
    const { filter, cursor, offset } = query
    const isFiltered = Object.values(filter).some((value) => value !== undefined)
    const first = isFiltered ? { sequence: last, skip: offset } : { sequence: last - offset, skip: 0 }
    const place = cursor === undefined ? first : placeOf(cursor, last)
    if (!place) return undefined
    const total = isFiltered ? await this.#count(organization, last, filter) : last
    const entries: AuditEntry[] = []
    let { skip } = place
    const next = await this.#scan(organization, place.sequence, filter, MAX_READ, (entry) => {
      if (skip > 0) skip -= 1
      else entries.push(entry)
      return entries.length < query.limit
    })
    const more = next > 0 && (total === undefined || (await this.#anyFrom(organization, next, filter)))
    return { entries, total, ...(more && { nextCursor: cursorOf({ sequence: next, skip }) }) }
  }

  /** Undefined when the log is too long to be counted. */
  async #count(organization: string, last: number, filter: EntryFilter): Promise<number | undefined> {
    if (last > MAX_READ) return undefined
    let count = 0
    await this.#scan(organization, last, filter, MAX_READ, () => (count += 1) > 0)
    return count
  }

  async #anyFrom(organization: string, sequence: number, filter: EntryFilter): Promise<boolean> {
    let found = false
    await this.#scan(organization, sequence, filter, MAX_READ, () => !(found = true))
    return found
  }

  async all(organization: string, filter: EntryFilter): Promise<AuditEntry[]> {
    const last = await this.#entries.settledLast(organization)
    const found: AuditEntry[] = []
    await this.#scan(organization, last, filter, Infinity, (entry) => found.push(entry) > 0)
    return found.reverse()
  }

  async latest(organization: string, filter: EntryFilter, { most, isFirst }: Wanted): Promise<Latest> {
    const last = await this.#entries.settledLast(organization)
    const found: AuditEntry[] = []
    let isWhole = false
    const next = await this.#scan(organization, last, filter, MAX_SEARCHED, (entry) => {
      if (found.length < most) isWhole = found.push(entry) > 0 && isFirst(entry)
      return !isWhole && found.length < most
    })
    return { entries: found.reverse(), isWhole: isWhole || next === 0 }
  }

  async entry(organization: string, sequence: number): Promise<AuditEntry | undefined> {
    const last = await this.#entries.settledLast(organization)
    return sequence <= last ? this.#entries.at(organization, sequence) : undefined
  }

  async between(organization: string, after: number, last: number): Promise<AuditEntry[]> {
    const end = Math.min(last, await this.#entries.settledLast(organization))
    const found: AuditEntry[] = []
    for (let sequence = after + 1; sequence <= end; sequence += 1) {
      const entry = this.#entries.at(organization, sequence)
      if (entry) found.push(entry)
    }
    return found
  }

  /**
   * Passes matching entries to `take`, from `sequence` down, until it returns false or `most` entries are read. Returns
   * the sequence to continue from, 0 at the end.
   */
  async #scan(
    organization: string,
    sequence: number,
    filter: EntryFilter,
    most: number,
    take: (entry: AuditEntry) => boolean,
  ): Promise<number> {
    let next = sequence
    for (let read = 0; next > 0 && read < most; read += 1) {
      if (read % READ_BATCH === READ_BATCH - 1) await pause()
      const summary = next % TILE === 0 ? this.#tiles.summary(organization, next / TILE - 1) : undefined
      if (summary && !mayHold(summary, filter)) {
        next -= TILE
        continue
      }
      const entry = this.#entries.at(organization, next)
      next -= 1
      if (entry && passes(entry, filter) && !take(entry)) break
    }
    return Math.max(next, 0)
  }

  async *lines(organization: string): AsyncGenerator<string> {
    const last = await this.#entries.settledLast(organization)
    for (let first = 1; first <= last; first += READ_BATCH) {
      const count = Math.min(READ_BATCH, last - first + 1)
      yield Array.from({ length: count }, (_, at) => this.#line(organization, first + at)).join('')
      await pause()
    }
  }

  /** An entry that cannot be read becomes a marked gap: the rest of a damaged log is still worth having. */
  #line(organization: string, sequence: number): string {
    const entry = this.#entries.at(organization, sequence)
    const shown = entry ?? { sequence, error: 'This entry cannot be read: the data file is damaged' }
    return `${canonicalJson(shown as unknown as Json)}\n`
  }

  verify(organization: string): Promise<Verified> {
    const running = this.#verifying.get(organization)
    if (running) return running
    const verifying = this.#verify(organization).finally(() => this.#verifying.delete(organization))
    this.#verifying.set(organization, verifying)
    return verifying
  }

  async #verify(organization: string): Promise<Verified> {
    // Read before `last`: a tree that grows meanwhile covers entries after it.
    const covered = this.#tiles.covered(organization)
    const last = await this.#entries.settledLast(organization)
    const head = this.#entries.at(organization, last)?.hash ?? null
    const broken = (await this.#firstBroken(organization, last)) ?? (last < covered ? last + 1 : undefined)
    if (broken === undefined) return { valid: true, entries: last, head }
    return { valid: false, entries: last, head, firstBrokenSequence: broken }
  }

  async #firstBroken(organization: string, last: number): Promise<number | undefined> {
    let link: Link = START
    while (link.sequence < last) {
      const sequence = link.sequence + 1
      const entry = this.#entries.at(organization, sequence)
      if (!entry || faultOf(entry, link) !== undefined) return sequence
      link = { sequence, hash: entry.hash }
      if (sequence % TILE > 0) continue
      const other = this.#firstUnlikeTile(organization, sequence / TILE - 1)
      if (other !== undefined) return other
      await pause()
    }
    return undefined
  }

  /** The first entry whose hash is not the one in its tile: history was rewritten. */
  #firstUnlikeTile(organization: string, tile: number): number | undefined {
    const kept = this.#tiles.hashes(organization, 0, tile)
    const first = tile * TILE + 1
    const at = kept?.findIndex((leaf, place) => {
      const entry = this.#entries.at(organization, first + place)
      return !entry || !isSameHash(entryLeaf(entry), leaf)
    })
    return at === undefined || at === -1 ? undefined : first + at
  }

  async tree(organization: string): Promise<LogTree | { broken: number }> {
    const size = await this.#entries.settledLast(organization)
    try {
      const edge = await this.#tiles.grow(organization, size)
      return {
        size,
        subtree: (level, index) => this.#tiles.subtree(organization, edge, level, index),
        hashOf: (sequence) => this.#entries.at(organization, sequence)!.hash,
      }
    } catch (error) {
      if (error instanceof BrokenChain) return { broken: error.sequence }
      throw error
    }
  }
}

function cursorOf({ sequence, skip }: Place): string {
  return Buffer.from(`${sequence} ${skip}`).toString('base64url')
}

function placeOf(cursor: string, last: number): Place | undefined {
  const [whole, sequence, skip] = /^(\d{1,16}) (\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (whole === undefined || Number(sequence) > last) return undefined
  return { sequence: Number(sequence), skip: Number(skip) }
}
