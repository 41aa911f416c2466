// What a journal in a database must be before anything is kept there.
import { randomBytes } from 'node:crypto'
import { ConfigError, Failure } from '../config/failure.js'
import type { ShardJournal } from '../store/journal/postgres/shardJournal.js'

const NOT_REPLICATED =
  'BURSAR_JOURNAL is a database that confirms what is on one machine: set synchronous_standby_names there, or ' +
  'BURSAR_JOURNAL_SINGLE=1 where that is meant'

/**
 * The journal's own name, after what is missing in its database was made. Throws where it is not reached, or keeps what it
 * confirms on one machine, unless it may.
 */
export async function nameOfUsable(journal: ShardJournal, maySingle: boolean): Promise<string> {
  const name = await nameOf(journal)
  if (!maySingle && !(await journal.isReplicated())) throw new ConfigError(NOT_REPLICATED)
  return name
}

async function nameOf(journal: ShardJournal): Promise<string> {
  try {
    await journal.prepare(randomBytes)
    return (await journal.lease.row()).journal
  } catch (error) {
    throw new Failure(`The journal cannot be used: ${(error as Error).message}`, { cause: error })
  }
}
