// A data folder that a running service gives up for a command: the service only answers reads from then on.
import { setTimeout } from 'node:timers/promises'
import { Failure } from '../../config/failure.js'
import { askForFolder, askNoMore } from '../../store/folder/handOver.js'
import { FolderInUse, lockFolder, type Unlock } from '../../store/folder/lock.js'

const ASK_EVERY_MS = 50
const PATIENCE_MS = 60_000
const AGAIN =
  'The service on it only answers reads by now: run this command again, or stop the service and start it anew'

/** Asks whoever has the folder until it is free. What `work` throws says what to do about the service. */
export async function withHandedOverFolder<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  const unlock = await handedOver(folder)
  try {
    return await work()
  } catch (error) {
    throw new Failure(`${(error as Error).message}. ${AGAIN}`, { cause: error })
  } finally {
    await unlock()
  }
}

async function handedOver(folder: string): Promise<Unlock> {
  const endsAt = performance.now() + PATIENCE_MS
  try {
    while (performance.now() < endsAt) {
      askForFolder(folder)
      const unlock = await unlockIfFree(folder)
      if (unlock) return unlock
      await setTimeout(ASK_EVERY_MS)
    }
  } finally {
    askNoMore(folder)
  }
  throw new Failure(`${folder} is in use by a process that does not give it up: stop it first. ${AGAIN}`)
}

/** Undefined while another process has the folder. */
function unlockIfFree(folder: string): Promise<Unlock | undefined> {
  return lockFolder(folder).catch((error: Error) => {
    if (error instanceof FolderInUse) return undefined
    throw error
  })
}
