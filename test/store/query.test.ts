// Reads return only what is on disk, also when a write happens during the read. A damaged list is not read.
import { agentsOf } from '../../machines/agent.js'
import { actorChange } from '../../src/host/embedded.js'
import { charts } from '../../machines/index.js'
import { isGone } from '../../src/actor/turn.js'
import { listOf } from '../../src/domain/values/lists.js'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setImmediate as nextRound } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import { listKey, versionKey } from '../../src/store/records/keys.js'
import { Query } from '../../src/store/query.js'
import type { Change } from '../../src/store/change.js'
import { Store } from '../../src/store/store.js'
import { DamagedRecord } from '../../src/store/storedRows.js'
import { newFolder } from '../support/process.js'

test('a version that is written during a read is not returned before it is on disk', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  t.teardown(() => store.close())
  await store.flushed()
  const query = newQuery(store)
  const reading = query.version('policy', 1)
  const key = versionKey('policy', 1)
  store.versions.put(key, { policyId: 'policy', version: 1 } as never)
  const [found, onDisk] = [await reading, store.versions.committed(key)]
  t.true(found === undefined || onDisk !== undefined)
  t.like(await query.version('policy', 1), { version: 1 })
  t.like(store.versions.committed(key), { version: 1 })
})

test('a list with other rows than were counted is not read', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  t.teardown(() => store.close())
  const [one, other] = [listKey('list', 1, 'policy/one'), listKey('list', 2, 'policy/other')]
  store.lists.rows.put(listKey('right', 1, 'policy/one'), null)
  store.counts.put('right', 1)
  store.lists.rows.put(one, null)
  store.counts.put('list', 1)
  store.lists.rows.put(other, null)
  await store.flushed()
  t.deepEqual(newQuery(store).refs(listOf('right')), ['policy/one'])
  t.throws(() => newQuery(store).refs(listOf('list')), { instanceOf: DamagedRecord })
  store.lists.rows.remove(one)
  store.lists.rows.remove(other)
  await store.flushed()
  t.throws(() => newQuery(store).refs(listOf('list')), { instanceOf: DamagedRecord })
  t.deepEqual(newQuery(store).refs(listOf('another')), [])
})

const newQuery = (store: Store): Query => new Query(store, (actor) => isGone(charts, actor))

const ORGANIZATION = 'organization'

function agent(order: number): Actor {
  const name = `agent ${order}`
  const context = {
    id: `c${order}`,
    organization: ORGANIZATION,
    order,
    status: 'ACTIVE',
    fields: { publicKey: '0x' },
    name,
  }
  return { ref: `agent/c${order}`, version: 1, revision: 1, state: 'registered.active', context }
}

async function withAgents(t: ExecutionContext, count: number): Promise<Query> {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  t.teardown(() => store.close())
  const actors = Array.from({ length: count }, (_, order) => actorChange(charts, undefined, agent(order)))
  const nothing = { keys: [], audited: [], record: undefined, deliveries: [] }
  const change: Change = { organization: ORGANIZATION, by: { type: 'SYSTEM', id: 'test' }, at: 0, actors, ...nothing }
  await store.commit(change)
  return newQuery(store)
}

const isEven = ({ context }: Actor): boolean => context.order! % 2 === 0

test('a long list is filtered in steps, and read by one search at a time', async (t) => {
  const count = 1100
  const query = await withAgents(t, count)
  const wanted = { list: agentsOf(ORGANIZATION), limit: 600, offset: 0 }
  let rounds = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver && rounds < 10_000; rounds += 1) await nextRound()
  })()
  let switches = 0
  let last = 0
  const searches = [1, 2, 3].map((search) =>
    query.filtered(wanted, (actor) => {
      if (last !== search) switches += 1
      last = search
      return isEven(actor)
    }),
  )
  const pages = await Promise.all(searches)
  isOver = true
  await counting
  t.true(rounds >= 3 * 8, `${rounds} rounds`)
  t.is(switches, searches.length)
  const even = Array.from({ length: count / 2 }, (_, at) => `agent ${count - 2 - 2 * at}`)
  for (const page of pages) {
    t.deepEqual(
      page?.actors.map(({ context }) => context.name),
      even,
    )
    t.is(page?.total, count / 2)
  }
})

/** All pages of a search by cursor: the names found on each, and how many actors it looked at. */
async function sought(
  query: Query,
  limit: number,
  most: number,
  offset = 0,
): Promise<[names: string[], looked: number][]> {
  const pages: [string[], number][] = []
  let cursor: string | undefined
  do {
    let looked = 0
    const keep = (actor: Actor): boolean => {
      looked += 1
      return isEven(actor)
    }
    const page = await query.sought({ list: agentsOf(ORGANIZATION), limit, offset, cursor }, keep, most)
    pages.push([page!.actors.map(({ context }) => context.name), looked])
    cursor = page!.nextCursor
  } while (cursor !== undefined)
  return pages
}

test('a search ends at a full page or when it has looked at enough, and goes on at its cursor', async (t) => {
  const count = 100
  const query = await withAgents(t, count)
  const even = Array.from({ length: count / 2 }, (_, at) => `agent ${count - 2 - 2 * at}`)
  for (const [limit, most] of [
    [1000, 1000],
    [1000, 100],
    [1000, 99],
    [7, 1000],
    [50, 1000],
    [1000, 7],
    [4, 7],
    [1, 1],
  ] as const) {
    for (const offset of [0, 1, 17, 49, 50, 51]) {
      const pages = await sought(query, limit, most, offset)
      const said = `limit ${limit}, most ${most}, offset ${offset}`
      t.deepEqual(
        pages.flatMap(([names]) => names),
        even.slice(offset),
        said,
      )
      t.true(
        pages.every(([names, looked]) => names.length <= limit && looked <= most),
        said,
      )
      t.true(
        pages.slice(0, -1).every(([names, looked]) => names.length === limit || looked === most),
        `${said}: every page but the last is full, or has looked at enough`,
      )
    }
  }
})

test('searches go on in turn with other work, and so does what reads everything', async (t) => {
  const query = await withAgents(t, 300)
  let rounds = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver && rounds < 10_000; rounds += 1) await nextRound()
  })()
  /** Each actor takes a millisecond to look at. */
  const slow = (actor: Actor): boolean => {
    const began = performance.now()
    while (performance.now() - began < 1);
    return isEven(actor)
  }
  const wanted = { list: agentsOf(ORGANIZATION), limit: 100, offset: 0 }
  const found: Actor[] = []
  const reading = (async () => {
    for await (const actors of query.every({ list: agentsOf(ORGANIZATION) }, slow)) found.push(...actors)
  })()
  const pages = await Promise.all([query.sought(wanted, slow, 200), query.sought(wanted, slow, 200)])
  await reading
  isOver = true
  await counting
  t.deepEqual(
    pages.map((page) => page!.actors.length),
    [100, 100],
  )
  t.is(found.length, 150)
  t.true(rounds >= 300 / 10, `${rounds} rounds`)
})
