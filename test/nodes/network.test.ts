// Network figures between shards: what an owner publishes, and what a node shows of the others' when.
import test, { type ExecutionContext } from 'ava'
import { NO_ROW, type NetworkRow } from '../../src/domain/parties/networkTotals.js'
import { NetworkElsewhere } from '../../src/nodes/shards/networkElsewhere.js'
import { NetworkPublisher } from '../../src/nodes/shards/networkPublisher.js'
import { EntryWriter } from '../../src/store/journal/entry.js'
import type { Store } from '../../src/store/store.js'
import { withStore } from '../support/openStore.js'
import { newFolder } from '../support/process.js'

const DAY = 20_000
const rowOf = (transactionCount: number, day = DAY): NetworkRow => ({ ...NO_ROW, transactionCount, day })

/** What a database has of one shard. */
function table() {
  const rows = new Map<string, NetworkRow>()
  const seen = { statements: 0, isReached: true, until: 0, meanwhile: async (): Promise<void> => {} }
  return {
    rows,
    seen,
    published: {
      publish: async (_epoch: number, changed: ReadonlyMap<string, NetworkRow>) => {
        if (!seen.isReached) throw new Error('not reached')
        seen.statements += 1
        await seen.meanwhile()
        for (const [address, row] of changed) rows.set(address, row)
      },
      publishedUntil: async (_epoch: number, day: number) => void (seen.until = day),
      lastDay: async () => seen.until,
    },
  }
}

function publisher({ published }: ReturnType<typeof table>, shards = { isAlone: false }) {
  return new NetworkPublisher({
    published,
    epoch: () => 1,
    isAlone: () => shards.isAlone,
    now: () => DAY * 86_400_000,
    log: () => {},
  })
}

/** As the writer hands over what the store has just put. */
async function put(store: Store, noted: NetworkPublisher, address: string, row: NetworkRow): Promise<void> {
  store.network.put(address, row)
  await store.flushed()
  const entry = new EntryWriter(1, Buffer.alloc(64))
  entry.table('lookups', 1)
  entry.value('key/a', 4, '"agent/a"')
  entry.table('network', 1)
  entry.value(address, 4, JSON.stringify(row))
  noted.note(entry.bytes.subarray(0, entry.end))
}

const inStore = (t: ExecutionContext, work: (store: Store) => Promise<void>) => withStore(newFolder(t), work)

test('an owner publishes nothing while it is alone, then everything, then what has changed', (t) =>
  inStore(t, async (store) => {
    const database = table()
    const shards = { isAlone: true }
    const owner = publisher(database, shards)
    for (let at = 0; at < 1_100; at += 1) store.network.put(`a${at}`, rowOf(at, 9))
    await put(store, owner, 'x', rowOf(1))
    await owner.round(store)
    t.is(database.rows.size, 0)
    shards.isAlone = false
    await owner.round(store)
    t.is(database.rows.size, 1_101)
    t.deepEqual(database.rows.get('a7'), rowOf(7, 9))
    t.is(database.seen.until, DAY)
    const { statements } = database.seen
    await owner.round(store)
    t.is(database.seen.statements, statements)
    await put(store, owner, 'x', rowOf(2))
    await put(store, owner, 'x', rowOf(3))
    await owner.round(store)
    t.is(database.seen.statements, statements + 1)
    t.deepEqual(database.rows.get('x'), rowOf(3))
  }))

test('what could not be published is published later, unless it has changed again', (t) =>
  inStore(t, async (store) => {
    const database = table()
    const owner = publisher(database)
    await owner.round(store)
    database.seen.isReached = false
    await put(store, owner, 'x', rowOf(1))
    await put(store, owner, 'y', rowOf(1))
    await t.throwsAsync(owner.round(store), { message: 'not reached' })
    await put(store, owner, 'x', rowOf(2))
    database.seen.isReached = true
    await owner.round(store)
    t.deepEqual([...database.rows].sort(), [
      ['x', rowOf(2)],
      ['y', rowOf(1)],
    ])
    await put(store, owner, 'x', rowOf(3))
    let isChanged = false
    database.seen.meanwhile = async () => {
      if (!isChanged) await put(store, owner, 'x', rowOf(4))
      isChanged = true
    }
    await owner.round(store)
    t.deepEqual(database.rows.get('x'), rowOf(4))
  }))

test('the next owner publishes what the one before it may have missed, and no more', (t) =>
  inStore(t, async (store) => {
    const database = table()
    database.seen.until = DAY
    for (const day of [DAY - 2, DAY - 1, DAY, DAY + 1]) store.network.put(`d${day}`, rowOf(1, day))
    await publisher(database).round(store)
    t.deepEqual(
      [...database.rows.keys()].sort(),
      [DAY - 1, DAY, DAY + 1].map((day) => `d${day}`),
    )
  }))

test('figures of other shards are asked for once a minute, and shown as they were last while they are not answered', async (t) => {
  const asked: string[] = []
  const database = { at: 0, answer: async (): Promise<NetworkRow[]> => [rowOf(1)] }
  const shards = { isAlone: true }
  const elsewhere = new NetworkElsewhere({
    published: { elsewhere: (address) => (asked.push(address), database.answer()) },
    isAlone: () => shards.isAlone,
    now: () => database.at,
    patienceMs: 1,
  })
  t.deepEqual(await elsewhere.rows('a'), [])
  shards.isAlone = false
  const both = await Promise.all([elsewhere.rows('a'), elsewhere.rows('a')])
  t.deepEqual(both, [[rowOf(1)], [rowOf(1)]])
  database.at = 59_999
  t.deepEqual(await elsewhere.rows('a'), [rowOf(1)])
  t.deepEqual(asked, ['a'])
  database.at = 60_000
  database.answer = () => Promise.reject(new Error('not reached'))
  t.deepEqual([await elsewhere.rows('a'), await elsewhere.rows('b')], [[rowOf(1)], []])
  database.answer = () => new Promise(() => {})
  t.deepEqual([await elsewhere.rows('a'), await elsewhere.rows('b')], [[rowOf(1)], []])
  t.is(asked.length, 5)
  for (let more = 0; more < 200; more += 1) void elsewhere.rows(`more ${more}`)
  t.is(asked.length, 103, 'no more than a hundred at a time')
})
