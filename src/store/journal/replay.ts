// Brings what a process left in its journal into LMDB, whatever its schema, before anything else opens the folder.
import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Fence } from '../folder/fence.js'
import { DATABASE } from '../folder/files.js'
import { fsyncPath } from '../folder/fsync.js'
import { ENVIRONMENT } from '../open.js'
import { EntriesInLmdb } from './entriesInLmdb.js'
import type { JournalEntry } from './entry.js'
import { isJournal, isOfJournals, removeJournal } from './files.js'
import { copiedEntriesAfter, DamagedJournal, endsBy, entriesAfter } from './readJournal.js'

/** Bytes of entries in one commit of LMDB. */
const AT_ONCE_BYTES = 8 * 2 ** 20

/** Entries that LMDB has by now, of all that it lacked. */
export type OnReplay = (done: number, total: number) => void

/** The folder has a part of what was answered: the rest is in a journal that other nodes may have gone on with. */
class SharedJournal extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} follows a journal in PostgreSQL: set BURSAR_JOURNAL, or run bursar journal detach`)
  }
}

/** Takes the folder over. Throws SharedJournal, and DamagedJournal when the journal lacks something that was answered. */
export async function replayJournal(folder: string, onProgress?: OnReplay): Promise<void> {
  if (!statSync(join(folder, DATABASE), { throwIfNoEntry: false })?.size) return
  await withFence(folder, async (root, fence, names) => {
    const { journal, sequence, shared } = fence.raise()
    if (shared) throw new SharedJournal(folder)
    for (const name of names) if (name !== journal) refuseNewer(folder, name, sequence)
    if (journal === undefined) return
    await replay({ root, fence, journal }, entriesAfter(join(folder, journal), sequence), sequence, onProgress)
  })
}

/** The same in a copy of a folder whose journals were copied before its database, while a service was writing to it. */
export async function replayCopiedJournal(folder: string): Promise<void> {
  await withFence(folder, async (root, fence, names) => {
    const { journal, sequence } = fence.place
    if (journal === undefined) return
    fence.raise()
    // One that was begun since has nothing that was answered before.
    const entries = names.includes(journal) ? copiedEntriesAfter(join(folder, journal), sequence) : []
    await replay({ root, fence, journal }, entries, sequence)
  })
}

type FenceWork = (root: RootDatabase, fence: Fence, journals: readonly string[]) => Promise<void>

/**
 * Afterwards none of the journals that are there now is needed, and they go: one that another process begins meanwhile
 * stays.
 */
async function withFence(folder: string, work: FenceWork): Promise<void> {
  const names = readdirSync(folder).filter(isOfJournals)
  const root = open({ path: folder, ...ENVIRONMENT, eventTurnBatching: false })
  const database = openSync(join(folder, DATABASE), 'r')
  try {
    await work(root, new Fence(root), names.filter(isJournal))
    // LMDB drops errors of the last write of a commit.
    fsyncSync(database)
  } finally {
    closeSync(database)
    await root.close()
  }
  for (const name of names) removeJournal(join(folder, name))
  fsyncPath(folder)
}

/** A process that was killed as it began or ended leaves a journal whose entries LMDB has. */
function refuseNewer(folder: string, name: string, sequence: number): void {
  const path = join(folder, name)
  if (endsBy(path, sequence)) return
  throw new DamagedJournal(`${path} is of another ${DATABASE} than ${folder} has: put that back, or restore a backup`)
}

async function replay(
  { root, fence, journal }: { root: RootDatabase; fence: Fence; journal: string },
  entries: readonly JournalEntry[],
  sequence: number,
  onProgress: OnReplay = () => {},
): Promise<void> {
  const inLmdb = new EntriesInLmdb(root, fence)
  let last = sequence
  for (const batch of batches(entries)) {
    last = batch.at(-1)!.sequence
    await inLmdb.store(batch, { journal, sequence: last })
    onProgress(last - sequence, entries.length)
  }
  await fence.commit({ sequence: last })
}

function* batches(entries: readonly JournalEntry[]): Generator<JournalEntry[]> {
  let batch: JournalEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    batch.push(entry)
    bytes += entry.bytes.length
    if (bytes < AT_ONCE_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
