// The folder of a node that is stopped.
import { randomBytes } from 'node:crypto'
import { LeaseDeadline } from '../../src/async/leaseDeadline.js'
import { ShardJournal } from '../../src/store/journal/postgres/shardJournal.js'
import { Replica } from '../../src/store/journal/replica.js'

/** Gives the folder what it lacks of the journal, as a standby does. */
export async function broughtUp(folder: string, urls: readonly string[], shard = '0'): Promise<void> {
  const journal = new ShardJournal({ urls, shard, leaseMs: 1_000, width: 1, deadline: new LeaseDeadline() })
  await journal.prepare(randomBytes)
  const replica = new Replica(folder, (await journal.lease.row()).journal)
  for (;;) {
    const entries = await journal.entries(replica.place.sequence + 1)
    if (entries.length === 0) break
    await replica.store(entries)
  }
  await replica.close()
  journal.close()
}
