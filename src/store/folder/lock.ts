// Locks a data folder to one process: a second one would decide on outdated sums. The lock is LMDB's own, on an
// environment for this alone: the system holds it on a file of the folder, whatever the network or the temporary folder
// of a process, and releases it however the process ends (docs/decisions/0085).
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { FOLDER_LOCK, FOLDER_LOCK_TABLE, refuseForbidden } from './files.js'
import { systemMessage } from './systemErrors.js'

/** Nothing is stored. Readers that are refused take a place each, until all of them are gone. */
const ENVIRONMENT = { noSubdir: true, maxDbs: 1, maxReaders: 126, mapSize: 2 ** 16, overlappingSync: false }

/**
 * The system knows locks by process. In a process that holds one, LMDB must not open the file again: closing it would
 * give the lock up.
 */
const held = new Set<string>()

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process`)
  }
}

export type Unlock = () => Promise<void>

/** Locks the folder. Rejects with FolderInUse when another process holds the lock, or this one does. */
export async function lockFolder(folder: string): Promise<Unlock> {
  const { dev, ino } = statSync(folder, { bigint: true })
  const identity = `${dev} ${ino}`
  if (held.has(identity)) throw new FolderInUse(folder)
  refuseForbidden(folder, [FOLDER_LOCK, FOLDER_LOCK_TABLE])
  const root = opened(folder)
  const reading = alone(root)
  if (!reading) {
    await root.close()
    throw new FolderInUse(folder)
  }
  held.add(identity)
  return async () => {
    reading.done()
    await root.close()
    held.delete(identity)
  }
}

function opened(folder: string): RootDatabase {
  const path = join(folder, FOLDER_LOCK)
  try {
    return open({ path, ...ENVIRONMENT })
  } catch (error) {
    const said = systemMessage(error) ?? `${(error as Error).message}; if no service runs, remove this file`
    throw new Error(`${path} cannot be locked: ${said}`, { cause: error })
  }
}

/**
 * Reads as long as the lock is held. Who opens the file while nobody else has it open begins a new table of readers, in
 * which places are counted and never taken back.
 * INVARIANT: of all who have the file open, at most one has seen itself alone in that table.
 */
function alone(root: RootDatabase): ReturnType<RootDatabase['useReadTransaction']> | undefined {
  // Where two process ids are alike, as in two containers, the second would wait here for the first.
  if (readersOf(root) > 0) return undefined
  const reading = root.useReadTransaction()
  if (readersOf(root) === 1) return reading
  reading.done()
  return undefined
}

/** Asked of LMDB's environment, because lmdb's own statistics begin by reading. */
function readersOf(root: RootDatabase): number {
  return (root as unknown as { env: { info(): { numReaders: number } } }).env.info().numReaders
}
