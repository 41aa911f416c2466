// The data folder of a service, from the lock to the open store. Whatever is wrong with it ends the start with a Failure
// or ConfigError, which the operator reads in one line; what is lost from it later is reported.
import { charts } from '../../machines/index.js'
import { ORGANIZATIONS } from '../../machines/organization.js'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../config/failure.js'
import type { Config } from '../config/config.js'
import { ConfigError } from '../config/failure.js'
import { databaseBytes, databaseLoss, secretLoss, START_SECRETS } from '../config/lostFiles.js'
import { DATABASE, FOLDER_LOCK_TABLE } from '../store/folder/files.js'
import { lockFolder, type Unlock } from '../store/folder/lock.js'
import { probe } from '../store/check/probe.js'
import { replayJournal, type OnReplay } from '../store/journal/replay.js'
import type { TakeOver } from '../store/journal/owner.js'
import { bringUp } from '../store/migration/bringUp.js'
import { Store } from '../store/store.js'
import { systemMessage } from '../store/folder/systemErrors.js'
import { fsyncPath } from '../store/folder/fsync.js'
import { refuseUnfinishedRestore } from '../store/backup/unfinishedRestore.js'
import { watchFiles } from '../store/folder/watch.js'

/** A start writes less, but hardly anything works in less. */
const ROOM_BYTES = 2 ** 16

interface LockedFolder {
  dataDir: string
  unlock: Unlock
}

export interface TakenFolder extends LockedFolder {
  /** The store was made by this start. */
  isNew: boolean
}

/** Makes the folder when it is missing, locks it, and refuses one that lacks room or files. */
export async function takeFolder(config: Config): Promise<TakenFolder> {
  const locked = await takeLock(config)
  try {
    return { ...locked, isNew: await isNewStore(locked.dataDir) }
  } catch (error) {
    throw oneLine(locked.dataDir, error)
  }
}

/** The same for a folder that gets what it lacks from a journal. */
export async function takeFollowingFolder(config: Config): Promise<LockedFolder> {
  const locked = await takeLock(config)
  const folder = locked.dataDir
  try {
    if (databaseBytes(folder) > 0) await probe(folder, 'start')
    return locked
  } catch (error) {
    throw oneLine(folder, error)
  }
}

async function takeLock({ dataDir }: Config): Promise<LockedFolder> {
  const folder = madeFolder(resolve(dataDir))
  try {
    refuseWithoutRoom(folder)
    const unlock = await lockFolder(folder)
    refuseUnfinishedRestore(folder)
    return { dataDir: folder, unlock }
  } catch (error) {
    throw oneLine(folder, error)
  }
}

function madeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch (error) {
    throw new ConfigError(`BURSAR_DATA_DIR cannot be used: ${(error as Error).message}`)
  }
}

function oneLine(folder: string, error: unknown): Error {
  const said = systemMessage(error)
  return new Failure(
    said === undefined ? (error as Error).message : `The data folder ${folder} cannot be used: ${said}`,
    {
      cause: error,
    },
  )
}

/** Tries it before LMDB does, which reports failures of its own on several lines. */
function refuseWithoutRoom(folder: string): void {
  const path = join(folder, `room.${randomBytes(4).toString('hex')}.unfinished`)
  try {
    writeFileSync(path, Buffer.alloc(ROOM_BYTES), { flag: 'wx', mode: 0o600, flush: true })
  } finally {
    rmSync(path, { force: true })
  }
}

/** Makes the store where there is none. One that is empty may still wait for its secrets. */
async function isNewStore(folder: string): Promise<boolean> {
  const loss = databaseLoss(folder)
  if (loss !== undefined) throw new Failure(loss)
  const isStored = databaseBytes(folder) > 0
  const lostSecret = secretLoss(folder)
  if (isStored && lostSecret === undefined) return false
  if (isStored) {
    await probe(folder, 'start')
    await replayJournal(folder)
    await bringUp(folder)
  }
  if (!(await isEmptyStore(folder))) throw new Failure(lostSecret!)
  fsyncPath(folder)
  return !isStored
}

async function isEmptyStore(folder: string): Promise<boolean> {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  const count = store.counts.get(ORGANIZATIONS) ?? 0
  await store.close()
  return count === 0
}

/**
 * Opens the store, after a check of one that another start made; all that it shows from then on is on disk. It fails
 * when its file, the lock or a secret is lost. Resolves to whether nothing is left unchecked, and what ends the watch.
 */
export async function openStore(
  store: Store,
  { dataDir: folder, isProbed }: Pick<TakenFolder, 'dataDir'> & { isProbed: boolean },
  onReplay: OnReplay,
): Promise<{ isWhole: boolean; unwatch: () => void }> {
  try {
    const isWhole = !isProbed || (await probe(folder, 'start'))
    await replayJournal(folder, onReplay)
    return { isWhole, unwatch: await opened(store, folder) }
  } catch (error) {
    throw oneLine(folder, error)
  }
}

/** The same for a folder that has followed a journal until now. */
export async function openFollowingStore(
  store: Store,
  { dataDir: folder }: LockedFolder,
  takeOver: TakeOver,
): Promise<{ isWhole: boolean; unwatch: () => void }> {
  try {
    return { isWhole: false, unwatch: await opened(store, folder, takeOver) }
  } catch (error) {
    throw oneLine(folder, error)
  }
}

/** Returns what ends the watch over its files. */
async function opened(store: Store, folder: string, takeOver?: TakeOver): Promise<() => void> {
  await bringUp(folder)
  store.open(folder)
  await store.takeOver(takeOver)
  const paths = [DATABASE, ...store.ownFiles, FOLDER_LOCK_TABLE, ...START_SECRETS].map((name) => join(folder, name))
  return watchFiles(paths, (error) => store.fail(error))
}
