// The names of files in a data folder, and whether this user may use them.
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'

export const DATABASE = 'data.mdb'
export const DATABASE_LOCK = 'lock.mdb'
/** The folder of the last checkpoints signed. */
export const CHECKPOINTS = 'checkpoints'
/** The two files of the environment whose lock is that of the folder. */
export const FOLDER_LOCK = 'service.lock'
export const FOLDER_LOCK_TABLE = `${FOLDER_LOCK}-lock`

/** Files that belong to the processes that use a folder, not to its data. */
export const LOCKS: ReadonlySet<string> = new Set([DATABASE_LOCK, FOLDER_LOCK, FOLDER_LOCK_TABLE])

/** Throws when a file is there and this user may not read and write it: opening it, lmdb would end the process. */
export function refuseForbidden(folder: string, names: readonly string[]): void {
  for (const path of names.map((name) => join(folder, name))) {
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
  }
}
