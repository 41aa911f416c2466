// What continues a folder in a journal.
import { Failure } from '../config/failure.js'
import type { EntryPlace, ShardEntry, ShardJournal } from '../store/journal/postgres/shardJournal.js'

/** The journal, as far as one server has it, is not the one that the folder was made from. */
export class Diverged extends Failure {}

const BEGIN_AGAIN = 'empty the data folder, restore the backup of another node, and start again'

/**
 * The next entries. Throws Diverged, with what to do, where the journal does not have what the folder was made from.
 */
export async function entriesFrom(
  journal: ShardJournal,
  at: EntryPlace,
  remedy: string = BEGIN_AGAIN,
): Promise<ShardEntry[]> {
  // With the folder's last one, so that it is known to be that of the journal.
  const entries = await journal.entries(at.sequence)
  const [first] = entries
  if (at.sequence === 0) {
    if (first && first.sequence > 1) throw new Diverged(`The journal begins at ${first.sequence}: ${remedy}`)
    return entries
  }
  if (first?.sequence === at.sequence && first.epoch === at.epoch) return entries.slice(1)
  const found = first ? `${first.sequence} of epoch ${first.epoch}` : 'none'
  const what = `The journal does not have entry ${at.sequence} of epoch ${at.epoch}, which the data folder ends with`
  throw new Diverged(`${what}, but ${found}: ${remedy}`)
}
