// Whether a data folder follows a journal. Nobody may be using the folder.
import { open } from 'lmdb'
import { join } from 'node:path'
import { Fence, type JournalPlace } from '../folder/fence.js'
import { DATABASE } from '../folder/files.js'
import { fsyncPath } from '../folder/fsync.js'
import { ENVIRONMENT } from '../open.js'

export function journalPlace(folder: string): Promise<JournalPlace> {
  return withFolderFence(folder, (fence) => fence.place)
}

/** Makes it the folder of a service of its own; it lacks what the journal has behind its place. */
export async function stopFollowing(folder: string): Promise<void> {
  await withFolderFence(folder, (fence) => fence.raise((_, { sequence }) => ({ sequence })))
  // LMDB drops errors of the last write of a commit.
  fsyncPath(join(folder, DATABASE))
}

async function withFolderFence<Value>(folder: string, work: (fence: Fence) => Value): Promise<Value> {
  const root = open({ path: folder, ...ENVIRONMENT, eventTurnBatching: false })
  try {
    return work(new Fence(root))
  } finally {
    await root.close()
  }
}
