// A primary that was left behind beside the one that took over still answers reads: a node that has a connection to it
// finds the other one nevertheless.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import test, { type ExecutionContext } from 'ava'
import { LeaseDeadline } from '../../../src/async/leaseDeadline.js'
import type { Installation } from '../../../src/nodes/shards/installation.js'
import { RequestShards } from '../../../src/nodes/shards/requestShards.js'
import { ShardDirectory } from '../../../src/store/journal/postgres/directory.js'
import { ShardJournal } from '../../../src/store/journal/postgres/shardJournal.js'
import { until } from '../../support/chain.js'
import { lent } from '../../support/postgres/lent.js'
import { startReplicated } from '../../support/postgres/replicated.js'

const LEASE_MS = 500
const OWNER = 'http://127.0.0.1:1'

/** Of a shard whose owner says at this server that it is there. Seen at once, without the standby that it lacks. */
async function owner(t: ExecutionContext, connectionString: string): Promise<{ beat: () => Promise<unknown> }> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  t.teardown(() => client.end())
  await client.connect()
  await client.query('set synchronous_commit = local')
  return { beat: () => client.query('update bursar_lease set owner = $1, beat = beat + 1', [OWNER]) }
}

test.serial('a node leaves a primary at which no owner says that it is there', async (t) => {
  const database = await lent(t, startReplicated)
  if (database === undefined) return
  const deadline = new LeaseDeadline()
  const journal = new ShardJournal({ urls: database.urls, shard: '0', leaseMs: LEASE_MS, width: 1, deadline })
  await journal.prepare(randomBytes)
  journal.close()
  await database.failOver({ rejoin: false })
  await database.startOldPrimary()

  const directory = new ShardDirectory({ urls: [database.otherUrl, database.primaryUrl], shard: '0' })
  const parts = { directory, shard: '0', leaseMs: LEASE_MS, operatorKey: undefined, onOwners: () => {} }
  const shards = new RequestShards({ ...parts, installation: {} as Installation })
  t.teardown(() => (shards.end(), directory.close()))
  const { beat } = await owner(t, database.primaryUrl)
  await beat()
  await shards.follow()
  t.is(shards.ownerOf('0'), null, 'it is asked first')
  const found = async (): Promise<string | undefined> => (await beat(), shards.ownerOf('0') ?? undefined)
  t.is(await until(found, 'the other primary is not found'), OWNER)
})
