// Where a rebuilt folder ends: with an entry of the journal, or before the first one of a later time.
import { entryFrom, type EntryRow } from '../../store/records/entryForm.js'
import { rowsIn, type JournalEntry } from '../../store/journal/entry.js'
import { rowsInPack } from '../../store/audit/packs.js'
import type { Replica } from '../../store/journal/replica.js'
import { CHECKSUM_BYTES } from '../../store/storedRows.js'
import { integerOption } from '../terminal/arguments.js'
import { UsageError } from '../terminal/command.js'

export interface EndOfRebuild {
  /** Infinity where only the time counts, or nothing. */
  sequence: number
  /** Epoch ms; Infinity where only the sequence counts, or nothing. */
  time: number
}

const AUDIT = 'audit'
const PACKS = 'auditPacks'
const AUDIT_ALONE = new Set([AUDIT])
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/** Reads a sequence, or a time like 2026-11-28T12:00:00Z. */
export function endOfRebuild(text: string | undefined): EndOfRebuild {
  if (text !== undefined && INSTANT.test(text) && !Number.isNaN(Date.parse(text))) {
    return { sequence: Infinity, time: Date.parse(text) }
  }
  if (text !== undefined && !/^\d+$/.test(text)) {
    throw new UsageError(`--to must be an entry, or a time like 2026-11-28T12:00:00Z, not ${JSON.stringify(text)}`)
  }
  return { sequence: integerOption('--to', text) ?? Infinity, time: Infinity }
}

/** The first ones of these, up to that end. */
export function upTo<Entry extends JournalEntry>(entries: readonly Entry[], { sequence, time }: EndOfRebuild): Entry[] {
  const beyond = entries.findIndex((entry) => entry.sequence > sequence || (time < Infinity && timeOf(entry) > time))
  return beyond === -1 ? [...entries] : entries.slice(0, beyond)
}

/** When the last of what a folder has was decided (epoch ms), by the audit log. */
export function lastDecision(replica: Replica): number {
  let last = 0
  for (const { value } of replica.rows(AUDIT)) last = Math.max(last, decidedAt(value as EntryRow))
  for (const pack of replica.binary(PACKS)) for (const row of rowsInPack(pack)) last = Math.max(last, decidedAt(row))
  return last
}

/** The same of an entry; 0 for one that changed no actor. */
function timeOf({ bytes }: JournalEntry): number {
  let last = 0
  for (const { value } of rowsIn(bytes, AUDIT_ALONE)) {
    if (value) last = Math.max(last, decidedAt(JSON.parse(value.toString('utf8', CHECKSUM_BYTES)) as EntryRow))
  }
  return last
}

const decidedAt = (row: EntryRow): number => Date.parse(entryFrom(row, 0)?.at ?? '') || 0
