// bursar journal trim: removes the entries that a backup has from the journal. The last one stays, by which the backup is
// known to be of this journal.
import { join, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { Failure } from '../../config/failure.js'
import { journalPlace } from '../../store/journal/following.js'
import type { EntryPlace } from '../../store/journal/postgres/shardJournal.js'
import type { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import { restoreInto } from '../data/backup.js'
import type { Shown } from '../terminal/asking.js'
import type { CommandContext } from '../terminal/command.js'
import { inTemporaryFolder } from './folder.js'
import { placeInJournal, withShard } from './shard.js'

export function trim(context: CommandContext, given: string): Promise<Shown> {
  const backup = resolve(given)
  return withShard(context, async (upkeep) => {
    const { journal } = await upkeep.journal.lease.row()
    const place = await placeOfBackup(backup, journal, context)
    await refuseOtherEntry(upkeep, backup, place)
    const removed = await upkeep.trim(place.sequence, (count) => {
      context.progress(`Removing entries: ${count.toLocaleString('en')} …`)
    })
    return {
      json: { backup, removed, first: place },
      lines: () => [
        `${removed.toLocaleString('en')} entries were removed: the journal begins with entry ${place.sequence}`,
        `A node that is behind it needs ${backup}, or a later backup: keep it`,
      ],
    }
  })
}

/** Of a backup that can be restored, which is tried. */
function placeOfBackup(backup: string, journal: string, { dataDir, progress }: CommandContext): Promise<EntryPlace> {
  return inTemporaryFolder(resolve(dataDir()), async (temporary) => {
    const copy = join(temporary, 'copy')
    mkdirSync(copy, { mode: 0o700 })
    await restoreInto(backup, copy, progress)
    return placeInJournal(backup, await journalPlace(copy), journal)
  })
}

async function refuseOtherEntry({ journal }: ShardUpkeep, backup: string, at: EntryPlace): Promise<void> {
  const [entry] = await journal.entries(at.sequence)
  if (entry?.sequence === at.sequence && entry.epoch === at.epoch) return
  const what = `entry ${at.sequence} of epoch ${at.epoch}, with which ${backup} ends`
  throw new Failure(`The journal does not have ${what}: nothing was removed`)
}
