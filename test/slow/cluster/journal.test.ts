// The journal of a shard in a real PostgreSQL with a synchronous standby: what is acknowledged is on both servers, and no
// node goes on once another has the shard.
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { LeaseDeadline } from '../../../src/async/leaseDeadline.js'
import { EntryWriter, rowsIn } from '../../../src/store/journal/entry.js'
import { ShardJournal, type EntryPlace } from '../../../src/store/journal/postgres/shardJournal.js'
import { DatabaseProxy } from '../../support/postgres/proxy.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { connected } from './inserts.js'

const LEASE_MS = 1_000
const EMPTY: EntryPlace = { sequence: 0, epoch: 0 }

let database: ReplicatedDatabase
let shards = 0

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

const newShard = (): string => `s${(shards += 1)}`

/** A node's side of the journal of this shard. */
async function opened(t: ExecutionContext, shard: string, urls: readonly string[] = database.urls) {
  const deadline = new LeaseDeadline()
  const journal = new ShardJournal({ urls, shard, leaseMs: LEASE_MS, width: 2, deadline })
  t.teardown(() => journal.close())
  await journal.prepare(randomBytes)
  return { journal, deadline }
}

/** A node that owns the shard, behind `last`. */
async function owner(t: ExecutionContext, shard: string, last = EMPTY, urls?: readonly string[]) {
  const { journal, deadline } = await opened(t, shard, urls)
  t.true(await journal.lease.take(await journal.lease.row(), `http://${shard}`))
  const barrier = await journal.writeBarrier(last, last.sequence)
  return { journal, deadline, barrier: { sequence: barrier!.sequence, epoch: barrier!.epoch } }
}

function entry(sequence: number, key: string): Buffer {
  const written = new EntryWriter(sequence, Buffer.alloc(2 ** 10))
  written.table('table', 1)
  written.removal(key)
  return written.bytes.subarray(0, written.end)
}

const keysIn = (bytes: Buffer): string[] => Array.from(rowsIn(bytes), ({ key }) => key)

/** What a node reads that knows nothing. */
async function contents(t: ExecutionContext, shard: string): Promise<string[][]> {
  const { journal } = await opened(t, shard)
  return (await journal.entries(0)).map(({ bytes }) => keysIn(bytes))
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, setTimeout(200, false)])
}

databaseTest(
  'entries are read as they were appended, each with its epoch and what was confirmed before it',
  async (t) => {
    const shard = newShard()
    const { journal, barrier } = await owner(t, shard)
    t.deepEqual(barrier, { sequence: 1, epoch: 1 })
    await journal.append(2, entry(2, 'a'))
    journal.confirm(2)
    await journal.append(3, entry(3, 'b'))
    const entries = await journal.entries(1)
    t.deepEqual(
      entries.map(({ sequence, epoch, confirmed, bytes }) => ({ sequence, epoch, confirmed, keys: keysIn(bytes) })),
      [
        { sequence: 1, epoch: 1, confirmed: 0, keys: [] },
        { sequence: 2, epoch: 1, confirmed: 1, keys: ['a'] },
        { sequence: 3, epoch: 1, confirmed: 2, keys: ['b'] },
      ],
    )
  },
)

databaseTest('entries are compressed by lz4', async (t) => {
  const { journal } = await owner(t, newShard())
  await journal.append(2, entry(2, 'a'.repeat(8_000)))
  const client = await connected(t, database.primaryUrl)
  const asked = "select seq from bursar_journal where pg_column_compression(bytes) = 'lz4'"
  t.deepEqual((await client.query(asked)).rows, [{ seq: '2' }])
})

databaseTest('once another node has written its barrier, an owner appends nothing that counts', async (t) => {
  const shard = newShard()
  const first = await owner(t, shard)
  await first.journal.append(2, entry(2, 'kept'))
  const second = await owner(t, shard, { sequence: 2, epoch: 1 })
  t.deepEqual(second.barrier, { sequence: 3, epoch: 2 })
  // It had two entries on their way: the second one may still find its place empty.
  await t.throwsAsync(first.journal.append(3, entry(3, 'lost')), { message: /Another node/ })
  await first.journal.append(4, entry(4, 'dead'))
  t.deepEqual(await contents(t, shard), [[], ['kept'], []])
  await second.journal.append(4, entry(4, 'new'))
  t.deepEqual(await contents(t, shard), [[], ['kept'], [], ['new']])
  await t.throwsAsync(first.journal.append(4, entry(4, 'dead')), { message: /Another node/ })
})

databaseTest('a barrier comes behind the last entry alone, of the epoch that was read', async (t) => {
  const shard = newShard()
  const first = await owner(t, shard)
  await first.journal.append(2, entry(2, 'a'))
  const { journal } = await opened(t, shard)
  t.true(await journal.lease.take(await journal.lease.row(), 'http://second'))
  t.is(await journal.writeBarrier({ sequence: 1, epoch: 1 }, 0), undefined)
  t.is(await journal.writeBarrier({ sequence: 3, epoch: 1 }, 0), undefined)
  const third = await opened(t, shard)
  t.true(await third.journal.lease.take(await third.journal.lease.row(), 'http://third'))
  const barrier = await third.journal.writeBarrier({ sequence: 2, epoch: 1 }, 0)
  t.like(barrier, { sequence: 3, epoch: 3 })
  // Repeated after an answer that was lost, it is the same.
  t.like(await third.journal.writeBarrier({ sequence: 2, epoch: 1 }, 0), { sequence: 3, epoch: 3 })
  // The second node was overtaken before it had written its own.
  await t.throwsAsync(journal.writeBarrier({ sequence: 3, epoch: 3 }, 0), { message: /Another node/ })
})

databaseTest('a lease is taken once as it was seen, and lasts no longer than from the last beat', async (t) => {
  const shard = newShard()
  const { journal, deadline } = await owner(t, shard)
  const other = await opened(t, shard)
  const seen = await other.journal.lease.row()
  t.is(seen.owner, `http://${shard}`)
  let losses = 0
  const kept = journal.lease.keep(
    () => ({ confirmed: 7, sanctions: 'hash' }),
    () => (losses += 1),
  )
  await setTimeout(LEASE_MS)
  t.true(deadline.isHeld)
  t.like(await other.journal.lease.row(), { confirmed: 7, sanctions: 'hash' })
  t.false(await other.journal.lease.take(seen, 'http://other'))
  t.true(await other.journal.lease.take(await other.journal.lease.row(), 'http://other'))
  await kept
  t.is(losses, 1)
  await setTimeout(LEASE_MS)
  t.false(deadline.isHeld)
})

databaseTest('an owner that leaves is not waited for', async (t) => {
  const shard = newShard()
  const { journal, deadline } = await owner(t, shard)
  journal.confirm(1)
  await journal.remove()
  t.false(deadline.isHeld)
  const { journal: other } = await opened(t, shard)
  t.like(await other.lease.row(), { owner: null, confirmed: 1 })
})

databaseTest('a wait for the standby that was cancelled acknowledges nothing', async (t) => {
  const shard = newShard()
  const { journal } = await owner(t, shard)
  await database.stopStandby()
  const appended = journal.append(2, entry(2, 'a'))
  t.false(await isSettled(appended))
  t.is(await database.cancelWaits(), 1)
  t.false(await isSettled(appended))
  // It is at the primary alone: whoever reads it there knows that it is not confirmed.
  await database.startStandby()
  await appended
  t.deepEqual(await contents(t, shard), [[], ['a']])
})

databaseTest('an entry whose answer was lost is appended again, as the same', async (t) => {
  const shard = newShard()
  const proxy = await DatabaseProxy.open(database.urls)
  t.teardown(() => proxy.end())
  const urls = database.urls.map((url) => proxy.url(url))
  const { journal } = await owner(t, shard, EMPTY, urls)
  await journal.append(2, entry(2, 'a'))
  proxy.cut('answers')
  const appended = journal.append(3, entry(3, 'b'))
  t.false(await isSettled(appended))
  t.deepEqual(await contents(t, shard), [[], ['a'], ['b']])
  proxy.mend()
  await appended
  t.deepEqual(await contents(t, shard), [[], ['a'], ['b']])
})

databaseTest('what was acknowledged survives the primary, and what was not may go', async (t) => {
  const shard = newShard()
  const { journal } = await owner(t, shard)
  await journal.append(2, entry(2, 'kept'))
  journal.confirm(2)
  await database.stopStandby()
  const appended = journal.append(3, entry(3, 'later'))
  t.false(await isSettled(appended))
  await database.startStandby()
  await database.failOver({ rejoin: true })
  await appended
  t.deepEqual(await contents(t, shard), [[], ['kept'], ['later']])
})
