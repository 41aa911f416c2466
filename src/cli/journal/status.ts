// bursar journal status: what a shard's journal has, and whether its owner is there. It changes nothing.
import type { EntryPlace } from '../../store/journal/postgres/shardJournal.js'
import type { Shown } from '../terminal/asking.js'
import type { CommandContext } from '../terminal/command.js'
import { record } from '../terminal/show.js'
import { REPLICATION_TEXTS, withShard } from './shard.js'

export function journalStatus(context: CommandContext): Promise<Shown> {
  return withShard(context, async (upkeep, { shard }) => {
    const { journal, epoch, owner, ...lease } = await upkeep.journal.lease.row()
    const { first, last, entries, bytes } = await upkeep.extent()
    const replication = await upkeep.replication()
    context.progress('Waiting for the owner to say that it is there …')
    const isHeardOf = await upkeep.hearsOwner({ journal, epoch, owner, ...lease })
    const shown = { shard, journal, epoch, owner, isOwnerHeardOf: isHeardOf, confirmed: lease.confirmed }
    const fields = {
      shard,
      journal,
      epoch,
      owner: owner ?? 'none',
      'heard of': isHeardOf ? 'yes' : 'no',
      first: textOf(first),
      last: textOf(last),
      entries: entries.toLocaleString('en'),
      bytes: bytes.toLocaleString('en'),
      replication: REPLICATION_TEXTS[replication],
    }
    const json = { ...shown, first: first ?? null, last: last ?? null, entries, bytes, replication }
    return { json, lines: (style) => record(fields, style) }
  })
}

function textOf(place: EntryPlace | undefined): string {
  return place ? `${place.sequence} of epoch ${place.epoch}` : 'none'
}
