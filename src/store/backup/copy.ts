// Copies the database of a data folder while a service may be writing to it. One read transaction of LMDB makes the
// copy the state of one moment. Compacting a copy leaves out its free pages.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { open } from 'lmdb'
import { CONFIRMED, isJournal, isSegment, seedOf } from '../journal/files.js'
import { confirmationOf } from '../journal/readJournal.js'
import { replayCopiedJournal } from '../journal/replay.js'
import { ENVIRONMENT } from '../open.js'
import { DATABASE, DATABASE_LOCK } from '../folder/files.js'
import { probe, type ProbeProgress } from '../check/probe.js'

export type OnProgress = (at: ProbeProgress) => void

/** Copies into `target`, which it creates, and checks every record of the copy; rejects when one cannot be read. */
export async function copyDatabase(folder: string, target: string, onProgress?: OnProgress): Promise<void> {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  // Before the database, which has by then whatever the journal has no more.
  copyJournals(folder, target)
  await copyPages(folder, target)
  await replayCopiedJournal(target)
  chmodSync(join(target, DATABASE), 0o600)
  await checkCopy(target, onProgress)
}

function copyJournals(folder: string, target: string): void {
  for (const name of readdirSync(folder).filter(isJournal)) {
    try {
      copyJournal(join(folder, name), join(target, name))
    } catch (error) {
      // A service that ends removes its journal: the database has all of it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      rmSync(join(target, name), { recursive: true, force: true })
    }
  }
}

/** First what is confirmed, then the entries, which may be more by then. */
function copyJournal(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  writeFileSync(join(to, CONFIRMED), confirmationOf(from, seedOf(basename(from))))
  for (const name of readdirSync(from).filter(isSegment)) copyFileSync(join(from, name), join(to, name))
}

async function copyPages(folder: string, target: string): Promise<void> {
  const root = open({ path: folder, readOnly: true, maxReaders: 64, ...ENVIRONMENT })
  try {
    await root.backup(target, false)
  } finally {
    await root.close()
  }
}

/**
 * Shrinks a checked copy to its records. LMDB follows every page to do so, which is safe only in a file that is known
 * to be sound. Because only the copy is read, the service's own file does not grow meanwhile.
 */
export async function compactCopy(folder: string, onProgress?: OnProgress): Promise<void> {
  const smaller = join(folder, 'compacted')
  mkdirSync(smaller, { mode: 0o700 })
  const root = open({ path: folder, readOnly: true, ...ENVIRONMENT })
  try {
    await root.backup(smaller, true)
  } finally {
    await root.close()
  }
  await settle(smaller)
  chmodSync(join(smaller, DATABASE), 0o600)
  renameSync(join(smaller, DATABASE), join(folder, DATABASE))
  rmSync(smaller, { recursive: true })
  await checkCopy(folder, onProgress)
}

/** LMDB writes the meta pages of a compacted file differently; one commit makes them like all others. */
async function settle(folder: string): Promise<void> {
  const root = open({ path: folder, ...ENVIRONMENT })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  await meta.put('schema', meta.getBinary('schema')!)
  await root.close()
}

/** Checks every record; rejects when one cannot be read. No service may be using the folder. */
export async function checkCopy(folder: string, onProgress?: OnProgress): Promise<void> {
  await probe(folder, 'whole', onProgress)
  rmSync(join(folder, DATABASE_LOCK), { force: true })
}
