// The reading side of the audit log: pages, the whole log as lines, its verification, and its tree. Nothing here blocks
// the event loop for long or holds more than a page in memory; at least one entry is read, whatever its size.
import type { AuditLogPort, Between, EntryFilter, EntryPage, EntryQuery, Latest } from '../../actor/auditLog.js'
import type { LogTree, Verified, AuditQuery } from '../../actor/auditLog.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import { rawEntry, type StoredEntry } from '../../domain/audit/forms.js'
import { entryLeaf, faultOf, START, type Link } from '../../domain/audit/chain.js'
import { asJson, canonicalJson } from '../../domain/values/canonical.js'
import { isSameHash, type Hash } from '../../domain/audit/merkle.js'
import { AuditEntries } from './entries.js'
import { mayHold, passes } from './summary.js'
import { AuditTiles, BrokenChain, TILE } from './tiles.js'
import { Pace } from '../../async/pace.js'
import type { Store } from '../store.js'

const MIB = 2 ** 20

/** How much a search reads at most; a skipped tile counts as one entry. */
interface Bounds {
  entries: number
  bytes: number
}

const PAGE: Bounds = { entries: 5000, bytes: 32 * MIB }
/** For the latest entries of one actor: some seconds of work, in steps. */
const LATEST: Bounds = { entries: 100_000, bytes: 512 * MIB }
const WHOLE: Bounds = { entries: Infinity, bytes: Infinity }
/** An answer holds entries until they have this size. */
const MAX_HELD_BYTES = 4 * MIB
/** The size of a part of an export, in characters. */
const PART_LENGTH = MIB / 4

/** A position in a list: the next entry to read, and how many matching entries are still to be skipped. */
interface LogCursor {
  sequence: number
  skip: number
}

export class AuditLog implements AuditLogPort {
  readonly #entries: AuditEntries
  readonly #tiles: AuditTiles
  /** Running verifications: concurrent requests share one. */
  readonly #verifying = new Map<string, Promise<Verified>>()
  /** One search of an organization at a time, and one of its whole log, so that payments are decided meanwhile. */
  readonly #inTurn = keyedMutex()

  constructor(store: Store) {
    this.#entries = new AuditEntries(store)
    this.#tiles = new AuditTiles(store, this.#entries)
  }

  last(organization: string): Promise<number> {
    return this.#entries.settledLast(organization)
  }

  async page(organization: string, query: EntryQuery): Promise<EntryPage | undefined> {
    const isFiltered = Object.values(query.filter).some((value) => value !== undefined)
    const read = () => this.#page(organization, query, isFiltered)
    return isFiltered ? this.#inTurn(organization, read) : read()
  }

  async #page(organization: string, query: EntryQuery, isFiltered: boolean): Promise<EntryPage | undefined> {
    const last = await this.#entries.settledLast(organization)
    const { filter, cursor, offset } = query
    const first = isFiltered ? { sequence: last, skip: offset } : { sequence: last - offset, skip: 0 }
    const place = cursor === undefined ? first : placeOf(cursor, last)
    if (!place) return undefined
    const total = isFiltered ? await this.#count(organization, last, filter) : last
    const entries: StoredEntry[] = []
    let { skip } = place
    let held = 0
    const next = await this.#scan(organization, place.sequence, filter, PAGE, (entry, bytes) => {
      if (skip > 0) skip -= 1
      else {
        entries.push(entry)
        held += bytes
      }
      return entries.length < query.limit && held < MAX_HELD_BYTES
    })
    const more = next > 0 && (total === undefined || (await this.#anyFrom(organization, next, filter)))
    return { entries, total, ...(more && { nextCursor: cursorOf({ sequence: next, skip }) }) }
  }

  /** Undefined when the log is too long to be counted. */
  async #count(organization: string, last: number, filter: EntryFilter): Promise<number | undefined> {
    if (last > PAGE.entries) return undefined
    let count = 0
    const next = await this.#scan(organization, last, filter, PAGE, () => (count += 1) > 0)
    return next === 0 ? count : undefined
  }

  async #anyFrom(organization: string, sequence: number, filter: EntryFilter): Promise<boolean> {
    let found = false
    await this.#scan(organization, sequence, filter, PAGE, () => !(found = true))
    return found
  }

  async all(organization: string, filter: EntryFilter): Promise<StoredEntry[]> {
    const last = await this.#entries.settledLast(organization)
    const found: StoredEntry[] = []
    await this.#inTurn(`${organization} whole`, () =>
      this.#scan(organization, last, filter, WHOLE, (entry) => found.push(entry) > 0),
    )
    return found.reverse()
  }

  async latest(organization: string, filter: EntryFilter, { most, isFirst }: AuditQuery): Promise<Latest> {
    const last = await this.#entries.settledLast(organization)
    const found: StoredEntry[] = []
    let isWhole = false
    let held = 0
    const next = await this.#scan(organization, last, filter, LATEST, (entry, bytes) => {
      if (found.length < most) isWhole = found.push(entry) > 0 && isFirst(entry)
      held += bytes
      return !isWhole && found.length < most && held < MAX_HELD_BYTES
    })
    return { entries: found.reverse(), isWhole: isWhole || next === 0 }
  }

  async entry(organization: string, sequence: number): Promise<StoredEntry | undefined> {
    const last = await this.#entries.settledLast(organization)
    return sequence <= last ? this.#entries.at(organization, sequence) : undefined
  }

  async between(organization: string, after: number, last: number): Promise<Between> {
    const end = Math.min(last, await this.#entries.settledLast(organization))
    const entries: StoredEntry[] = []
    const pace = new Pace()
    let until = after
    for (let held = 0; until < end && held < MAX_HELD_BYTES; until += 1) {
      const { entry, bytes = 0 } = this.#entries.read(organization, until + 1) ?? {}
      if (entry) entries.push(entry)
      held += bytes
      await pace.after(bytes)
    }
    return { entries, until }
  }

  /**
   * Passes matching entries and their sizes to `take`, from `sequence` down, until it returns false or `most` is read.
   * Returns the sequence to continue from, 0 at the end.
   */
  async #scan(
    organization: string,
    sequence: number,
    filter: EntryFilter,
    most: Bounds,
    take: (entry: StoredEntry, bytes: number) => boolean,
  ): Promise<number> {
    const pace = new Pace()
    let next = sequence
    let size = 0
    for (let read = 0; next > 0 && read < most.entries && size < most.bytes; read += 1) {
      const summary = next % TILE === 0 ? this.#tiles.summary(organization, next / TILE - 1) : undefined
      if (summary && !mayHold(summary, filter)) {
        next -= TILE
        await pace.after(0)
        continue
      }
      const { entry, bytes = 0 } = this.#entries.read(organization, next) ?? {}
      next -= 1
      if (entry && passes(entry, filter) && !take(entry, bytes)) break
      size += bytes
      await pace.after(bytes)
    }
    return Math.max(next, 0)
  }

  async *lines(organization: string): AsyncGenerator<string> {
    const last = await this.#entries.settledLast(organization)
    const pace = new Pace()
    let part = ''
    for (let sequence = 1; sequence <= last; sequence += 1) {
      const line = this.#line(organization, sequence)
      part += line
      if (part.length >= PART_LENGTH || sequence === last) {
        yield part
        part = ''
      }
      await pace.after(line.length)
    }
  }

  /** An entry that cannot be read becomes a marked gap: the rest of a damaged log is still worth having. */
  #line(organization: string, sequence: number): string {
    const entry = this.#entries.at(organization, sequence)
    const shown = entry ? rawEntry(entry) : { sequence, error: 'This entry cannot be read: the data file is damaged' }
    return `${canonicalJson(asJson(shown))}\n`
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
    const pace = new Pace()
    let link: Link = START
    let leaves: Hash[] = []
    while (link.sequence < last) {
      const sequence = link.sequence + 1
      const found = this.#entries.read(organization, sequence)
      if (!found || faultOf(rawEntry(found.entry), link) !== undefined) return sequence
      link = { sequence, hash: found.entry.hash }
      leaves.push(entryLeaf(link))
      if (leaves.length === TILE) {
        const other = this.#firstUnlikeTile(organization, sequence / TILE - 1, leaves)
        if (other !== undefined) return other
        leaves = []
      }
      await pace.after(found.bytes)
    }
    return undefined
  }

  /** The first entry whose leaf is not the one in its tile: history was rewritten. */
  #firstUnlikeTile(organization: string, tile: number, leaves: readonly Hash[]): number | undefined {
    const kept = this.#tiles.hashes(organization, 0, tile)
    const at = kept?.findIndex((leaf, place) => !isSameHash(leaves[place]!, leaf)) ?? -1
    return at === -1 ? undefined : tile * TILE + 1 + at
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

function cursorOf({ sequence, skip }: LogCursor): string {
  return Buffer.from(`${sequence} ${skip}`).toString('base64url')
}

function placeOf(cursor: string, last: number): LogCursor | undefined {
  const [whole, sequence, skip] = /^(\d{1,16}) (\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (whole === undefined || Number(sequence) > last) return undefined
  return { sequence: Number(sequence), skip: Number(skip) }
}
