// bursar journal detach: the folder of a node becomes that of a service of its own. Only its place changes; the journal is
// left as it is.
import { resolve } from 'node:path'
import { Failure } from '../../config/failure.js'
import type { EntryPlace } from '../../store/journal/postgres/shardJournal.js'
import type { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import { journalPlace, stopFollowing } from '../../store/journal/following.js'
import type { Shown } from '../terminal/asking.js'
import type { CommandContext } from '../terminal/command.js'
import { withLockedFolder } from './folder.js'
import { placeInJournal, withShard } from './shard.js'

export async function detach(context: CommandContext, isForced: boolean): Promise<Shown> {
  const folder = resolve(context.dataDir())
  return withLockedFolder(folder, async () => {
    const place = await journalPlace(folder)
    if (!place.shared) throw new Failure(`${folder} follows no journal`)
    if (!isForced) {
      await withShard(context, async (upkeep) => {
        const { journal } = await upkeep.journal.lease.row()
        await refuseUse(upkeep, folder, placeInJournal(folder, place, journal))
      })
    }
    await stopFollowing(folder)
    const { sequence, shared } = place
    return {
      json: { folder, sequence, journal: shared.journal },
      lines: () => [
        `${folder} is that of a service of its own, with all entries up to ${sequence}: start it without BURSAR_JOURNAL`,
        'The journal was left as it is: no node may go on with it. BURSAR_KEYSTORE_KEY still seals the keys of wallets',
      ],
    }
  })
}

async function refuseUse(upkeep: ShardUpkeep, folder: string, { sequence }: EntryPlace): Promise<void> {
  const lease = await upkeep.journal.lease.row()
  if (await upkeep.hearsOwner(lease)) {
    throw new Failure(`${lease.owner} owns the shard: stop all nodes first, or use --force`)
  }
  const [next] = await upkeep.journal.entries(sequence + 1)
  if (next || lease.confirmed > sequence) {
    throw new Failure(
      `${folder} lacks the entries after ${sequence}: start it as a node until it has them, or use --force`,
    )
  }
}
