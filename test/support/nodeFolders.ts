// What the folders of nodes have: all rows, compared with each other and with what the journal alone has.
import { randomBytes } from 'node:crypto'
import { open } from 'lmdb'
import { LeaseDeadline } from '../../src/async/leaseDeadline.js'
import { Fence } from '../../src/store/folder/fence.js'
import { ShardJournal } from '../../src/store/journal/postgres/shardJournal.js'
import { Replica } from '../../src/store/journal/replica.js'
import { ENVIRONMENT } from '../../src/store/open.js'

/** Makes the folder one of a service without other nodes. */
export async function detached(folder: string): Promise<string> {
  const root = open({ path: folder, ...ENVIRONMENT })
  new Fence(root).raise((_, { sequence }) => ({ sequence }))
  await root.close()
  return folder
}

/** Every row of every table but that of the folder's own place. */
export async function rowsOfFolder(folder: string): Promise<Map<string, string>> {
  const root = open({ path: folder, ...ENVIRONMENT })
  const rows = new Map<string, string>()
  for (const name of root.getKeys({}) as Iterable<string>) {
    if (name === 'fence') continue
    const table = root.openDB<Buffer, string>({ name, encoding: 'binary' })
    for (const { key, value } of table.getRange({})) rows.set(`${name}/${key}`, value.toString('base64'))
  }
  await root.close()
  return rows
}

/** The rows that differ; a missing one does, too. */
export function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key))
}

/** The folder, with all that the journal has; a new one is made of the journal alone. */
export async function rebuilt(folder: string, urls: readonly string[], shard = '0'): Promise<string> {
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
  return folder
}
