// bursar journal verify: rebuilds a folder from the journal and compares it with the data folder, of which it takes a copy,
// so that the node may run meanwhile.
import { join, resolve } from 'node:path'
import { Failure } from '../../config/failure.js'
import { copyDatabase } from '../../store/backup/copy.js'
import { compareFolders, type ComparedFolders, type Difference } from '../../store/check/compare.js'
import { journalPlace } from '../../store/journal/following.js'
import type { EntryPlace } from '../../store/journal/postgres/shardJournal.js'
import type { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import { copyingProgress } from '../data/backup.js'
import type { Shown } from '../terminal/asking.js'
import { EXIT, type CommandContext } from '../terminal/command.js'
import { inTemporaryFolder, refuseWithoutData } from './folder.js'
import { rebuilt } from './rebuilding.js'
import { placeInJournal, withShard } from './shard.js'

export async function verifyJournal(context: CommandContext, given: string | undefined): Promise<Shown> {
  const folder = resolve(context.dataDir())
  const backup = given && resolve(given)
  refuseWithoutData(folder)
  return withShard(context, (upkeep) =>
    inTemporaryFolder(folder, async (temporary) => {
      const copy = join(temporary, 'copy')
      context.progress('Copying the data folder …')
      await copyDatabase(folder, copy, (at) => context.progress(copyingProgress(at)))
      const { journal: name } = await upkeep.journal.lease.row()
      const place = placeInJournal(folder, await journalPlace(copy), name)
      const other = join(temporary, 'rebuilt')
      await rebuildUpTo(upkeep, { name, place, folder: other, backup }, context)
      const compared = await compareFolders(copy, other, (rows) => {
        context.progress(`Comparing: ${rows.toLocaleString('en')} rows …`)
      })
      return shown(folder, place, compared)
    }),
  )
}

interface Comparison {
  name: string
  /** Of the data folder. */
  place: EntryPlace
  folder: string
  backup: string | undefined
}

async function rebuildUpTo(
  { journal }: ShardUpkeep,
  { place, ...parts }: Comparison,
  { progress }: CommandContext,
): Promise<void> {
  // The folder got them when they were durable.
  const { sequence, epoch } = place
  const plan = { ...parts, journal, confirmed: sequence, to: { sequence, time: Infinity }, progress }
  const at = await rebuilt(plan, (_, reached) => reached)
  if (at.epoch === epoch) return
  throw new Failure(`The journal has entry ${sequence} of epoch ${at.epoch}, and the data folder of epoch ${epoch}`)
}

function shown(folder: string, { sequence, epoch }: EntryPlace, { tables, rows, difference }: ComparedFolders): Shown {
  const counts = `${rows.toLocaleString('en')} rows in ${tables} tables`
  return {
    json: { folder, isEqual: difference === undefined, sequence, epoch, tables, rows, difference: difference ?? null },
    lines: () => [
      difference
        ? `${folder} differs from the journal at entry ${sequence}: ${textOf(difference)}`
        : `${folder} equals the journal at entry ${sequence}: ${counts}`,
    ],
    ...(difference && { exit: EXIT.refused }),
  }
}

function textOf({ table, key, missingIn }: Difference): string {
  const what = { first: 'is missing in the data folder', second: 'is not in the journal' }
  return `${key} of ${table} ${missingIn === undefined ? 'has another value' : what[missingIn]}`
}
