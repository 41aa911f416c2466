// Copies the database of a data folder while a service may be writing to it: one read transaction of LMDB, so that the
// copy is the store as it was at one moment.
import { mkdirSync, chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { probe } from './probe.js'

/** The files of LMDB in a data folder. */
export const DATABASE = 'data.mdb'
export const DATABASE_LOCK = 'lock.mdb'

/** Into `target`, which is made; rejects when what was copied cannot be read. */
export async function copyDatabase(folder: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const root = open({ path: folder, readOnly: true, maxDbs: 32, maxReaders: 64 })
  try {
    await root.backup(target, false)
  } finally {
    await root.close()
  }
  chmodSync(join(target, DATABASE), 0o600)
  await checkCopy(target)
}

/** Rejects when the store in a folder that no service uses cannot be read. */
export async function checkCopy(folder: string): Promise<void> {
  await probe(folder)
  rmSync(join(folder, DATABASE_LOCK), { force: true })
}
