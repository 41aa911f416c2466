// The database of a backup on its way into a data folder. It is copied and checked in a folder of its own and put in
// place last; until then it marks the restore as unfinished.
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkCopy, type OnProgress } from './copy.js'
import { DATABASE } from '../folder/files.js'
import { fsyncPath } from '../folder/fsync.js'

const UNFINISHED = 'restore-unfinished'

/** Throws when a restore into the folder did not finish: a start would make a new installation of what it left. */
export function refuseUnfinishedRestore(folder: string): void {
  if (!existsSync(join(folder, UNFINISHED)) || existsSync(join(folder, DATABASE))) return
  throw new Error(`The data folder ${folder} contains an unfinished restore: empty it and restore again`)
}

/**
 * Marks the restore as unfinished, verifies the backup and copies its database. Rejects when the backup is not verified
 * or the copy cannot be read, with nothing left in the folder. LMDB never opens the backup itself: it would add a lock
 * file, and after a power failure change the file.
 */
export async function stageDatabase(
  backup: string,
  folder: string,
  verify: () => Promise<void>,
  onProgress?: OnProgress,
): Promise<void> {
  const unfinished = join(folder, UNFINISHED)
  const copy = join(unfinished, DATABASE)
  mkdirSync(unfinished, { mode: 0o700 })
  fsyncPath(folder)
  try {
    await verify()
    copyFileSync(join(backup, DATABASE), copy)
    chmodSync(copy, 0o600)
    await checkStaged(unfinished, backup, onProgress)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    throw error
  }
  for (const path of [copy, unfinished, folder]) fsyncPath(path)
}

async function checkStaged(unfinished: string, backup: string, onProgress: OnProgress | undefined): Promise<void> {
  try {
    await checkCopy(unfinished, onProgress)
  } catch (error) {
    throw new Error(`${backup} cannot be restored: ${(error as Error).message}`, { cause: error })
  }
}

/** Finishes the restore, atomically. */
export function placeDatabase(folder: string): void {
  renameSync(join(folder, UNFINISHED, DATABASE), join(folder, DATABASE))
  rmSync(join(folder, UNFINISHED), { recursive: true })
  fsyncPath(folder)
}
