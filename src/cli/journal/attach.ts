// bursar journal attach: the folder of a service becomes the first content of a journal, and itself a folder that follows
// it. A service that runs gives it up for that, and only reads from then on. Interrupted, the same command finishes it.
import { createHmac } from 'node:crypto'
import { join, resolve } from 'node:path'
import { KEYHASH_SECRET, secretIn } from '../../config/secrets.js'
import { refuseOtherKeystoreKey } from '../../nodes/keystoreKey.js'
import { nameOfUsable } from '../../nodes/usableJournal.js'
import { DATABASE } from '../../store/folder/files.js'
import { fsyncPath } from '../../store/folder/fsync.js'
import { FolderInUse } from '../../store/folder/lock.js'
import { journalPlace } from '../../store/journal/following.js'
import type { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import { Replica, type FollowedEntry } from '../../store/journal/replica.js'
import { replayJournal } from '../../store/journal/replay.js'
import type { Shown } from '../terminal/asking.js'
import type { CommandContext } from '../terminal/command.js'
import { refuseUnusable, withLockedFolder } from './folder.js'
import { withHandedOverFolder } from './handedOver.js'
import { nodeSettings, placeInJournal, withShard } from './shard.js'

/** A journal that begins with entry 1 has everything, and this one has what is behind the folder alone. */
const LEAST = 2
const HANDED_OVER =
  'The service on it only answers reads by now: it ends once a node serves the folder, or stop it before'

export async function attach(context: CommandContext): Promise<Shown> {
  const { key, maySingle, shard } = nodeSettings(context)
  const folder = resolve(context.dataDir())
  return withShard(context, async (upkeep) => {
    refuseUnusable(folder)
    await refuseOtherKeystoreKey(folder, key)
    const journal = await nameOfUsable(upkeep.journal, maySingle)
    const work = (): Promise<number> => attached(upkeep, folder, journal, context)
    const { sequence, isHandedOver } = await worked(upkeep, folder, work, context)
    return {
      json: { folder, shard, journal, sequence, isHandedOver },
      lines: () => [
        `${folder} follows the journal of shard ${shard}, which begins with entry ${sequence}`,
        'Start it as a node; other nodes begin with a backup of it',
        ...(isHandedOver ? [HANDED_OVER] : []),
      ],
    }
  })
}

/** With the folder of a service that is stopped, or that runs: all that can be refused is refused before that is asked. */
async function worked(
  upkeep: ShardUpkeep,
  folder: string,
  work: () => Promise<number>,
  { progress }: CommandContext,
): Promise<{ sequence: number; isHandedOver: boolean }> {
  try {
    return { sequence: await withLockedFolder(folder, work), isHandedOver: false }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  await upkeep.attachedBefore(identityOf(folder))
  progress('Waiting for the service to finish what it writes …')
  return { sequence: await withHandedOverFolder(folder, work), isHandedOver: true }
}

/** The folder's place. */
async function attached(
  upkeep: ShardUpkeep,
  folder: string,
  journal: string,
  { progress }: CommandContext,
): Promise<number> {
  const before = await journalPlace(folder)
  if (before.shared) return placeInJournal(folder, before, journal).sequence
  await replayJournal(folder, (done, total) => progress(`Bringing in ${done} of ${total} commits …`))
  const { sequence } = await journalPlace(folder)
  // The journal first: a folder that followed one without its entry would not start.
  const entry = await upkeep.attach(Math.max(sequence + 1, LEAST), identityOf(folder))
  await stored(entry, folder, journal)
  return entry.sequence
}

async function stored(entry: FollowedEntry, folder: string, journal: string): Promise<void> {
  const replica = new Replica(folder, journal)
  try {
    await replica.store([entry])
  } finally {
    await replica.close()
  }
  // LMDB drops errors of the last write of a commit.
  fsyncPath(join(folder, DATABASE))
}

/** Another one for each installation; says nothing of its secret. */
function identityOf(folder: string): string {
  const secret = secretIn(join(folder, KEYHASH_SECRET))
  return createHmac('sha256', secret).update('bursar journal attach').digest('hex')
}
