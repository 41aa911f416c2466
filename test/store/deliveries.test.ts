// The rows of deliveries: pages, what is waiting, counts, and what is forgotten.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { DELIVERY_STATUSES, endpointName, type Delivery } from '../../src/domain/delivery.js'
import { newId, orderedId } from '../../src/domain/ids.js'
import { Store } from '../../src/store/store.js'
import { newFolder } from '../service/service.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 86_400_000
const [ONE, TWO] = [newId(randomBytes), newId(randomBytes)]

function open(t: ExecutionContext): Store {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(() => newId(randomBytes))
  store.open(folder)
  t.teardown(() => store.close())
  return store
}

function row(at: number, organization = ONE, agentId: string | null = null): Delivery {
  const id = orderedId(at * 1000, randomBytes)
  const told = { id, organization, agentId, event: 'policy.deleted', at, data: '{}', target: 'https://bursar.zz/' }
  return { ...told, status: 'PENDING', attempts: [], dueAt: at, createdAt: at }
}

async function add(store: Store, rows: Delivery[]): Promise<void> {
  for (const one of rows) store.deliveries.add(one)
  await store.flushed()
}

async function end(store: Store, rows: Delivery[], status: 'DELIVERED' | 'FAILED'): Promise<void> {
  for (const one of rows) store.deliveries.change(one, { ...one, status, dueAt: null })
  await store.flushed()
}

test('what waits is found by endpoint, the longest first, until it ended', async (t) => {
  const store = open(t)
  const [late, early] = [row(NOON + 5), row(NOON)]
  const [agent, other] = [row(NOON, ONE, newId(randomBytes)), row(NOON, TWO)]
  await add(store, [late, early, agent, other])
  const names = [late, agent, other].map(({ organization, agentId }) => endpointName(organization, agentId))
  t.deepEqual([...store.deliveries.endpoints()].sort(), names.sort())
  const own = endpointName(ONE, null)
  t.deepEqual(store.deliveries.waiting(own, 10).map(({ id }) => id), [early.id, late.id])
  t.deepEqual(store.deliveries.waiting(own, 1), [{ id: early.id, at: NOON }])
  store.deliveries.change(early, { ...early, attempts: [], dueAt: NOON + 10 })
  await store.flushed()
  t.deepEqual(store.deliveries.waiting(own, 10), [{ id: late.id, at: NOON + 5 }, { id: early.id, at: NOON + 10 }])
  await end(store, [{ ...early, dueAt: NOON + 10 }, late], 'DELIVERED')
  t.deepEqual(store.deliveries.waiting(own, 10), [])
  t.deepEqual([...store.deliveries.endpoints()].sort(), names.filter((name) => name !== own).sort())
})

test('pages are newest first, by offset and by cursor, of one status or of all', async (t) => {
  const store = open(t)
  const rows = Array.from({ length: 25 }, (_, at) => row(NOON + at))
  await add(store, [...rows, row(NOON, TWO)])
  await end(store, rows.slice(0, 10), 'DELIVERED')
  const ids = rows.map(({ id }) => id).reverse()
  const list = (query: object) => store.deliveries.page({ organization: ONE, limit: 10, offset: 0, ...query })!
  t.deepEqual(list({ offset: 20 }).deliveries.map(({ id }) => id), ids.slice(20))
  const seen: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = list(cursor === '' ? {} : { cursor })
    t.is(page.total, 25)
    seen.push(...page.deliveries.map(({ id }) => id))
    cursor = page.nextCursor
  }
  t.deepEqual(seen, ids)
  t.deepEqual(list({ status: 'DELIVERED', limit: 100 }).deliveries.map(({ id }) => id), ids.slice(15))
  t.deepEqual([list({ status: 'DELIVERED' }).total, list({ status: 'PENDING' }).total, list({ status: 'FAILED' }).total], [10, 15, 0])
  t.is(store.deliveries.page({ organization: ONE, limit: 1, offset: 0, cursor: 'nonsense' }), undefined)
})

test('what ended and is old is forgotten, so many at a time; what is not old stays', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 5 }, (_, at) => row(NOON + at))
  const [waiting, fresh, other] = [row(NOON + DAY_MS), row(NOON + DAY_MS), row(NOON, TWO)]
  await add(store, [...old, waiting, fresh, other])
  await end(store, [...old, fresh, other], 'FAILED')
  const forget = async (limit: number): Promise<number> => {
    const removed = store.deliveries.forget(NOON + DAY_MS, limit)
    await store.flushed()
    return removed
  }
  t.is(await forget(2), 2)
  t.is(await forget(100), 4)
  t.is(await forget(100), 0)
  const left = store.deliveries.page({ organization: ONE, limit: 10, offset: 0 })!
  t.deepEqual(left.deliveries.map(({ id }) => id).sort(), [waiting.id, fresh.id].sort())
  t.is(left.total, 2)
  t.is(store.deliveries.page({ organization: ONE, status: 'FAILED', limit: 10, offset: 0 })!.total, 1)
  t.is(store.deliveries.page({ organization: TWO, limit: 10, offset: 0 })!.total, 0)
})

const totals = (store: Store): number[] =>
  [undefined, ...DELIVERY_STATUSES].map((status) => {
    const list = { organization: ONE, limit: 1, offset: 0, ...(status && { status }) }
    return store.deliveries.page(list)!.total
  })

test('what waits for too long is given up, is not sent any more, and is forgotten then', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 3 }, (_, at) => row(NOON + at))
  const fresh = row(NOON + DAY_MS)
  await add(store, [...old, fresh])
  t.is(store.deliveries.forget(NOON + DAY_MS, 100), 3)
  await store.flushed()
  t.like(store.deliveries.get(ONE, old[0]!.id), { status: 'FAILED', dueAt: null })
  t.deepEqual(store.deliveries.waiting(endpointName(ONE, null), 10).map(({ id }) => id), [fresh.id])
  // An attempt that was under way changes nothing now.
  store.deliveries.change(old[0]!, { ...old[0]!, status: 'DELIVERED', dueAt: null })
  await store.flushed()
  t.deepEqual(totals(store), [4, 1, 0, 3])
  t.is(store.deliveries.forget(NOON + DAY_MS, 100), 3)
  store.deliveries.change(old[0]!, { ...old[0]!, status: 'DELIVERED', dueAt: null })
  await store.flushed()
  t.deepEqual(totals(store), [1, 1, 0, 0])
  t.is(store.deliveries.get(ONE, old[0]!.id), undefined)
})

test('what is forgotten is not forgotten again before the commit', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 6 }, (_, at) => row(NOON + at))
  await add(store, old)
  await end(store, old, 'DELIVERED')
  t.deepEqual([4, 4, 4].map((limit) => store.deliveries.forget(NOON + DAY_MS, limit)), [4, 2, 0])
  const page = store.deliveries.page({ organization: ONE, limit: 10, offset: 0 })!
  t.deepEqual(page.deliveries, [])
  await store.flushed()
  t.deepEqual(totals(store), [0, 0, 0, 0])
})
