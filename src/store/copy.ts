// Copies the database of a data folder while a service may be writing to it: one read transaction of LMDB, so that the
// copy is the store as it was at one moment. What is free in a copy can be left out of it.
import { mkdirSync, chmodSync, renameSync, rmSync } from 'node:fs'
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

/**
 * Makes a copy that was checked as small as its records. LMDB follows every page to do so, which it may in a file that
 * is known to be sound, and nobody else's file grows meanwhile.
 */
export async function compactCopy(folder: string): Promise<void> {
  const smaller = join(folder, 'compacted')
  mkdirSync(smaller, { mode: 0o700 })
  const root = open({ path: folder, readOnly: true, maxDbs: 32 })
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

/** A file that LMDB has compacted describes itself in a way of its own; one commit makes it like all others. */
async function settle(folder: string): Promise<void> {
  const root = open({ path: folder, maxDbs: 32 })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  await meta.put('schema', meta.getBinary('schema')!)
  await root.flushed
  await root.close()
}

/** Rejects when the store in a folder that no service uses cannot be read. */
export async function checkCopy(folder: string): Promise<void> {
  await probe(folder, 'whole')
  rmSync(join(folder, DATABASE_LOCK), { force: true })
}
