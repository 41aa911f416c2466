// What a journal has that LMDB has not. A process may have ended in the middle of its last entry, which was never
// answered; whatever else is missing was lost since, and the journal is refused.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { entryAt, type JournalEntry } from './entry.js'
import { CONFIRMED, confirmedIn, isSegment, nextSector, SECTOR_BYTES, seedOf } from './files.js'

const MOST_READS = 5

export class DamagedJournal extends Error {}

interface Found {
  /** The entries after `sequence`, without a gap. */
  whole: JournalEntry[]
  /** The last entry at all. */
  end: number
  confirmed: number
  hasMore: boolean
}

/** The entries after `sequence`, which LMDB has, the first one first; throws DamagedJournal when one is lost. */
export function entriesAfter(path: string, sequence: number): JournalEntry[] {
  const { whole, end, confirmed, hasMore } = found(path, sequence)
  const last = sequence + whole.length
  if (end < sequence) throw refusal(path, `is older than the database: it ends at ${end}, not at ${sequence}`)
  if (last < confirmed) throw refusal(path, `lacks entries: it ends at ${last} of ${confirmed}`)
  if (hasMore) throw refusal(path, `lacks entry ${last + 1}`)
  return whole
}

/**
 * The same for a copy that was made while the journal was written, before that of LMDB: both together have at least what
 * was confirmed when the copy began.
 */
export function copiedEntriesAfter(path: string, sequence: number): JournalEntry[] {
  const { whole, confirmed } = found(path, sequence)
  if (sequence + whole.length < confirmed) throw refusal(path, 'was not copied as a whole')
  return whole
}

/** True when it has, and ever confirmed, nothing after `sequence`. */
export function endsBy(path: string, sequence: number): boolean {
  const { whole, confirmed, hasMore } = found(path, sequence)
  return whole.length === 0 && confirmed <= sequence && !hasMore
}

function found(path: string, sequence: number): Found {
  if (!statSync(path, { throwIfNoEntry: false })) throw refusal(path, 'is missing')
  const seed = seedOf(basename(path))
  const confirmed = confirmedOf(path, seed)
  const segments = readdirSync(path)
    .filter(isSegment)
    .map((name) => readFileSync(join(path, name)))
  const entries = inOrder(segments.map((bytes) => firstEntries(bytes, seed)))
  const after = entries.filter((one) => one.sequence > sequence)
  const whole = after.filter((one, index) => one.sequence === sequence + 1 + index)
  return {
    whole,
    end: Math.max(confirmed, entries.at(-1)?.sequence ?? 0),
    confirmed,
    hasMore: segments.some((bytes) => hasEntryAfter(bytes, sequence + whole.length, seed)),
  }
}

function refusal(path: string, what: string): DamagedJournal {
  return new DamagedJournal(`${path} ${what}: put the files of this journal back, or restore a backup`)
}

function confirmedOf(path: string, seed: number): number {
  const file = join(path, CONFIRMED)
  if (!statSync(file, { throwIfNoEntry: false })) throw refusal(file, 'is missing')
  const confirmed = confirmedIn(confirmationOf(path, seed), seed)
  if (confirmed === undefined) throw refusal(file, 'is damaged')
  return confirmed
}

/** What is confirmed, read again while a service is just writing it. */
export function confirmationOf(path: string, seed: number): Buffer {
  const read = (): Buffer => readFileSync(join(path, CONFIRMED))
  let bytes = read()
  for (let tries = 1; tries < MOST_READS && confirmedIn(bytes, seed) === undefined; tries += 1) bytes = read()
  return bytes
}

/** Those from the beginning of a segment on; behind them may be what it held before. */
function firstEntries(bytes: Buffer, seed: number): JournalEntry[] {
  const entries: JournalEntry[] = []
  for (let at = 0; ;) {
    const entry = entryAt(bytes, at, seed)
    const last = entries.at(-1)
    if (!entry || (last && entry.sequence !== last.sequence + 1)) return entries
    entries.push(entry)
    at = nextSector(at + entry.bytes.length)
  }
}

function inOrder(segments: readonly JournalEntry[][]): JournalEntry[] {
  const filled = segments.filter(([first]) => first !== undefined)
  return filled.sort(([a], [b]) => a!.sequence - b!.sequence).flat()
}

function hasEntryAfter(bytes: Buffer, sequence: number, seed: number): boolean {
  for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
    if ((entryAt(bytes, at, seed)?.sequence ?? 0) > sequence) return true
  }
  return false
}
