// Copies the database of a data folder while a service may be writing to it. One read transaction of LMDB makes the
// copy the state of one moment. Compacting a copy leaves out its free pages.
import { mkdirSync, chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { ENVIRONMENT } from './environment.js'
import { isKnownLayout, mustGoBack } from './lmdbMeta.js'
import { lockIfFree } from './lock.js'
import { probe } from './probe.js'

/** The files of LMDB in a data folder. */
export const DATABASE = 'data.mdb'
export const DATABASE_LOCK = 'lock.mdb'
/** The folder of the last checkpoints signed, in a data folder. */
export const CHECKPOINTS = 'checkpoints'

/** Copies into `target`, which it creates; rejects when the copy cannot be read. */
export async function copyDatabase(folder: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  // After a power failure LMDB goes back to what was synced only if nobody else has the file open: no service may start
  // now, and one that is starting must have opened it.
  const unlock = await lockIfFree(folder)
  if (!unlock && isKnownLayout && mustGoBack(join(folder, DATABASE))) {
    throw new Error(`The data folder ${folder} is being opened by another process: try again`)
  }
  try {
    await copyPages(folder, target)
  } finally {
    unlock?.()
  }
  chmodSync(join(target, DATABASE), 0o600)
  await checkCopy(target)
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
export async function compactCopy(folder: string): Promise<void> {
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
  await checkCopy(folder)
}

/** LMDB writes the meta pages of a compacted file differently; one commit makes them like all others. */
async function settle(folder: string): Promise<void> {
  const root = open({ path: folder, ...ENVIRONMENT })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  await meta.put('schema', meta.getBinary('schema')!)
  await root.flushed
  await root.close()
}

/** Rejects when the store cannot be read; no service may be using the folder. */
export async function checkCopy(folder: string): Promise<void> {
  await probe(folder, 'whole')
  rmSync(join(folder, DATABASE_LOCK), { force: true })
}
