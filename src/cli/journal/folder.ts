// The data folder that a command changes, or copies for a while.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../config/failure.js'
import { databaseBytes, secretLoss } from '../../config/lostFiles.js'
import { refuseUnfinishedRestore } from '../../store/backup/unfinishedRestore.js'
import { probe } from '../../store/check/probe.js'
import { lockFolder } from '../../store/folder/lock.js'
import { refuseOtherUser } from '../data/owner.js'

const PREFIX = 'bursar-journal-'

export function refuseWithoutData(folder: string): void {
  if (databaseBytes(folder) === 0) throw new Failure(`${folder} contains no data: set BURSAR_DATA_DIR`)
}

/** Throws where the folder lacks what a service left there, or belongs to another user. */
export function refuseUnusable(folder: string): void {
  refuseWithoutData(folder)
  refuseOtherUser(folder)
  refuseUnfinishedRestore(folder)
  const loss = secretLoss(folder)
  if (loss !== undefined) throw new Failure(loss)
}

/** What `work` does with a whole folder, which nobody else uses meanwhile. */
export async function withLockedFolder<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  refuseWithoutData(folder)
  refuseOtherUser(folder)
  const unlock = await lockFolder(folder)
  try {
    refuseUnusable(folder)
    await probe(folder, 'start')
    return await work()
  } finally {
    await unlock()
  }
}

/** Beside a data folder, where there is room for one, or else where the system has such folders. */
export async function inTemporaryFolder<Value>(
  beside: string,
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = temporaryFolder(dirname(beside))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function temporaryFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, PREFIX))
  } catch {
    return mkdtempSync(join(tmpdir(), PREFIX))
  }
}
