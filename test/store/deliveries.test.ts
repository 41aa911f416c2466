// The rows of deliveries: pages, pending deliveries, counts and removal.
import { charts } from '../../machines/index.js'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { open as openRoot } from 'lmdb'
import {
  DELIVERY_STATUSES,
  endpointName,
  type Delivery,
  type DeliveryStatus,
} from '../../src/domain/outcomes/delivery.js'
import { newId, orderedId } from '../../src/domain/values/ids.js'
import { NEWEST } from '../../src/store/freshDeliveries.js'
import { Store } from '../../src/store/store.js'
import { runs } from '../support/depth.js'
import { newFolder } from '../support/process.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 86_400_000
const [ONE, TWO] = [newId(randomBytes), newId(randomBytes)]

function open(t: ExecutionContext, folder = newFolder(t)): Store {
  mkdirSync(folder, { recursive: true })
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  t.teardown(() => store.close())
  return store
}

function row(at: number, organization = ONE, agentId: string | null = null): Delivery {
  const id = orderedId(at * 1000, randomBytes)
  const fields = { id, organization, agentId, event: 'policy.deleted', at, data: '{}', target: 'https://bursar.zz/' }
  return { ...fields, status: 'PENDING', attempts: [], dueAt: at, createdAt: at }
}

async function add(store: Store, rows: Delivery[]): Promise<void> {
  for (const one of rows) store.deliveries.add(one)
  await store.flushed()
}

async function end(store: Store, rows: Delivery[], status: 'DELIVERED' | 'FAILED'): Promise<void> {
  for (const one of rows) store.deliveries.change(one, { ...one, status, dueAt: null })
  await store.flushed()
}

test('pending deliveries are found by endpoint, the earliest due first, until they end', async (t) => {
  const store = open(t)
  const [late, early] = [row(NOON + 5), row(NOON)]
  const [agent, other] = [row(NOON, ONE, newId(randomBytes)), row(NOON, TWO)]
  await add(store, [late, early, agent, other])
  const names = [late, agent, other].map(({ organization, agentId }) => endpointName(organization, agentId))
  t.deepEqual([...store.deliveries.endpoints()].sort(), names.sort())
  const own = endpointName(ONE, null)
  t.deepEqual(
    store.deliveries.waiting(own, 10).map(({ id }) => id),
    [early.id, late.id],
  )
  t.deepEqual(store.deliveries.waiting(own, 1), [{ id: early.id, at: NOON }])
  store.deliveries.change(early, { ...early, attempts: [], dueAt: NOON + 10 })
  await store.flushed()
  t.deepEqual(store.deliveries.waiting(own, 10), [
    { id: late.id, at: NOON + 5 },
    { id: early.id, at: NOON + 10 },
  ])
  await end(store, [{ ...early, dueAt: NOON + 10 }, late], 'DELIVERED')
  t.deepEqual(store.deliveries.waiting(own, 10), [])
  t.deepEqual([...store.deliveries.endpoints()].sort(), names.filter((name) => name !== own).sort())
})

test('pages are newest first, by offset and by cursor, for one status and for all', async (t) => {
  const store = open(t)
  const rows = Array.from({ length: 25 }, (_, at) => row(NOON + at))
  await add(store, [...rows, row(NOON, TWO)])
  await end(store, rows.slice(0, 10), 'DELIVERED')
  const ids = rows.map(({ id }) => id).reverse()
  const list = (query: object) => store.deliveries.page({ organization: ONE, limit: 10, offset: 0, ...query })!
  t.deepEqual(
    list({ offset: 20 }).deliveries.map(({ id }) => id),
    ids.slice(20),
  )
  const seen: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = list(cursor === '' ? {} : { cursor })
    t.is(page.total, 25)
    seen.push(...page.deliveries.map(({ id }) => id))
    cursor = page.nextCursor
  }
  t.deepEqual(seen, ids)
  t.deepEqual(
    list({ status: 'DELIVERED', limit: 100 }).deliveries.map(({ id }) => id),
    ids.slice(15),
  )
  t.deepEqual(
    [list({ status: 'DELIVERED' }).total, list({ status: 'PENDING' }).total, list({ status: 'FAILED' }).total],
    [10, 15, 0],
  )
  t.is(store.deliveries.page({ organization: ONE, limit: 1, offset: 0, cursor: 'nonsense' }), undefined)
})

/** Forgets what is older than a day after noon, where nothing is damaged. */
function forgotten(store: Store, limit: number): number {
  return store.deliveries.forget(NOON + DAY_MS, limit, (error) => {
    throw error
  })
}

test('what receivers named is known until the outcome, however it ends, and as long as the channel sends', async (t) => {
  const store = open(t)
  const [channelId, subject] = [newId(randomBytes), 'request']
  const about = (event: string, more: object = {}) => ({ ...row(NOON), channelId, subject, event, ...more })
  const ended = async (one: Delivery, status: 'DELIVERED' | 'FAILED', receipt?: string) => {
    await add(store, [one])
    store.deliveries.change(one, { ...one, status, dueAt: null }, receipt)
    await store.flushed()
    return store.deliveries.receipts(one)
  }
  const requested = about('approval.requested')
  t.deepEqual(await ended(requested, 'DELIVERED', 'first'), ['first'])
  t.deepEqual(await ended(about('approval.escalated'), 'FAILED'), ['first'])
  t.deepEqual(await ended(about('approval.escalated'), 'DELIVERED', 'second'), ['first', 'second'])
  t.deepEqual(await ended(about('approval.decided'), 'FAILED'), [])
  t.deepEqual(await ended(about('approval.requested'), 'DELIVERED', 'third'), ['third'])
  t.deepEqual(await ended(about('approval.expired'), 'DELIVERED'), [])
  const other = about('approval.requested', { channelId: newId(randomBytes) })
  await ended(about('approval.requested'), 'DELIVERED', 'fourth')
  await ended(other, 'DELIVERED', 'fifth')
  store.deliveries.forgetReceipts(ONE, channelId)
  await store.flushed()
  t.deepEqual([store.deliveries.receipts(requested), store.deliveries.receipts(other)], [[], ['fifth']])
})

test('old deliveries that ended are removed, a limited number at a time; newer ones stay', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 5 }, (_, at) => row(NOON + at))
  const [waiting, fresh, other] = [row(NOON + DAY_MS), row(NOON + DAY_MS), row(NOON, TWO)]
  await add(store, [...old, waiting, fresh, other])
  await end(store, [...old, fresh, other], 'FAILED')
  const forget = async (limit: number): Promise<number> => {
    const removed = forgotten(store, limit)
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

test('a delivery that is pending for too long fails, is not sent any more, and is later removed', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 3 }, (_, at) => row(NOON + at))
  const fresh = row(NOON + DAY_MS)
  await add(store, [...old, fresh])
  t.is(forgotten(store, 100), 3)
  await store.flushed()
  t.like(store.deliveries.get(ONE, old[0]!.id), { status: 'FAILED', dueAt: null })
  t.deepEqual(
    store.deliveries.waiting(endpointName(ONE, null), 10).map(({ id }) => id),
    [fresh.id],
  )
  // An attempt that was in progress changes nothing now.
  store.deliveries.change(old[0]!, { ...old[0]!, status: 'DELIVERED', dueAt: null })
  await store.flushed()
  t.deepEqual(totals(store), [4, 1, 0, 3])
  t.is(forgotten(store, 100), 3)
  store.deliveries.change(old[0]!, { ...old[0]!, status: 'DELIVERED', dueAt: null })
  await store.flushed()
  t.deepEqual(totals(store), [1, 1, 0, 0])
  t.is(store.deliveries.get(ONE, old[0]!.id), undefined)
})

test('removed deliveries are not removed again before the commit', async (t) => {
  const store = open(t)
  const old = Array.from({ length: 6 }, (_, at) => row(NOON + at))
  await add(store, old)
  await end(store, old, 'DELIVERED')
  t.deepEqual(
    [4, 4, 4].map((limit) => forgotten(store, limit)),
    [4, 2, 0],
  )
  const page = store.deliveries.page({ organization: ONE, limit: 10, offset: 0 })!
  t.deepEqual(page.deliveries, [])
  await store.flushed()
  t.deepEqual(totals(store), [0, 0, 0, 0])
})

/** Overwrites a record with bytes that do not match its checksum. */
async function damage(folder: string, name: string, key: string): Promise<void> {
  const root = openRoot({ path: folder, maxDbs: 32 })
  await root.openDB<Buffer, string>({ name, encoding: 'binary' }).put(key, Buffer.from('damaged'))
  await root.close()
}

test('a damaged delivery is reported, and old deliveries behind it are removed', async (t) => {
  const folder = newFolder(t)
  const store = open(t, folder)
  const [first, second, other] = [row(NOON), row(NOON + 1), row(NOON, TWO)]
  await add(store, [first, second, other])
  await end(store, [first, second, other], 'FAILED')
  const key = `${ONE}/FAILED/${first.id}`
  await store.stored()
  await damage(folder, 'deliveryStates', key)
  const errors: Error[] = []
  t.is(
    store.deliveries.forget(NOON + DAY_MS, 100, (error) => errors.push(error as Error)),
    2,
  )
  t.is(errors.length, 1)
  t.true(errors[0]!.message.includes(key))
  t.deepEqual([store.deliveries.get(ONE, second.id), store.deliveries.get(TWO, other.id)], [undefined, undefined])
})

test('a damaged count is reported a limited number of times, and old deliveries of others are removed', async (t) => {
  const folder = newFolder(t)
  const store = open(t, folder)
  const rows = [...Array.from({ length: 150 }, (_, at) => row(NOON + at)), row(NOON, TWO)]
  await add(store, rows)
  await end(store, rows, 'FAILED')
  await store.stored()
  await damage(folder, 'counts', `deliveries/${ONE}/FAILED`)
  const errors: unknown[] = []
  t.is(
    store.deliveries.forget(NOON + DAY_MS, 500, (error) => errors.push(error)),
    1,
  )
  t.is(errors.length, 100)
})

test('due deliveries are found even if an uncommitted change moves an earlier one', async (t) => {
  const store = open(t)
  const rows = Array.from({ length: 4 }, (_, at) => row(NOON + at))
  await add(store, rows)
  const retry = (one: Delivery, dueAt: number): void => store.deliveries.change(one, { ...one, attempts: [], dueAt })
  for (const one of rows) retry(one, one.dueAt! + 10)
  await store.flushed()
  // Not yet committed.
  retry({ ...rows[0]!, dueAt: NOON + 10 }, NOON + DAY_MS)
  const found = store.deliveries.waiting(endpointName(ONE, null), 2).map(({ at }) => at)
  t.deepEqual(found, [NOON + 10, NOON + 11])
})

test('pages of pending deliveries show each of them once, whatever failed last', async (t) => {
  const store = open(t)
  const rows = Array.from({ length: 10 }, (_, at) => row(NOON + at))
  await add(store, rows)
  for (const one of rows) {
    store.deliveries.change(one, { ...one, attempts: [], dueAt: NOON + DAY_MS })
    await store.flushed()
  }
  const page = (offset: number): string[] =>
    store.deliveries.page({ organization: ONE, status: 'PENDING', limit: 3, offset })!.deliveries.map(({ id }) => id)
  t.deepEqual([0, 3, 6, 9].flatMap(page), rows.map(({ id }) => id).reverse())
})

/** Ids by status, newest first; pages by cursor and by offset must give the same. */
function listed(store: Store, status: DeliveryStatus | undefined, limit: number): string[] {
  const query = { organization: ONE, limit, ...(status && { status }) }
  const byOffset: string[] = []
  const byCursor: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = store.deliveries.page({ ...query, offset: 0, cursor })!
    byCursor.push(...page.deliveries.map(({ id }) => id))
    byOffset.push(
      ...store.deliveries
        .page({ ...query, offset: byOffset.length, cursor: undefined })!
        .deliveries.map(({ id }) => id),
    )
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return byOffset.join() === byCursor.join() && byCursor.length === totalOf(store, status) ? byCursor : ['pages differ']
}

function totalOf(store: Store, status: DeliveryStatus | undefined): number {
  return store.deliveries.page({ organization: ONE, limit: 1, offset: 0, ...(status && { status }) })!.total
}

type Step = { do: 'add' | 'retry' | 'deliver' | 'fail' | 'reopen'; at: number }

const steps = fc.array(
  fc.record<Step>({ do: fc.constantFrom('add', 'add', 'add', 'retry', 'deliver', 'fail', 'reopen'), at: fc.nat(40) }),
  { maxLength: 40 },
)

test('lists and pending deliveries match the rows after any changes and restarts', async (t) => {
  const agents = [null, newId(randomBytes)]
  const property = fc.asyncProperty(steps, async (todo) => {
    const folder = newFolder(t)
    let store = open(t, folder)
    let rows: Delivery[] = []
    for (const [number, { do: what, at }] of todo.entries()) {
      const pending = rows.filter(({ status }) => status === 'PENDING')
      const one = pending[at % Math.max(1, pending.length)]
      // Not in the order of creation, as after the clock was set back.
      if (what === 'add') rows.push(row(NOON + ((at * 7) % 40) * 50 + number, ONE, agents[at % 2]!))
      if (what === 'add') store.deliveries.add(rows.at(-1)!)
      if (what === 'reopen') {
        await store.close()
        store = open(t, folder)
      }
      if (one === undefined || what === 'add' || what === 'reopen') continue
      const dueAt = what === 'retry' ? NOON + at * 3 : null
      const status = what === 'retry' ? 'PENDING' : what === 'deliver' ? 'DELIVERED' : 'FAILED'
      const progress = {
        target: `https://bursar.zz/${number}`,
        status,
        attempts: [{ at, durationMs: 1 }],
        dueAt,
      } as const
      store.deliveries.change(one, { ...progress, attempts: [...progress.attempts] })
      rows = rows.map((each) => (each === one ? { ...each, ...progress, attempts: [...progress.attempts] } : each))
    }
    await store.flushed()
    const newest = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    for (const status of [undefined, ...DELIVERY_STATUSES]) {
      const expected = newest.filter((each) => status === undefined || each.status === status).map(({ id }) => id)
      t.deepEqual(listed(store, status, 3), expected)
    }
    for (const each of rows) t.deepEqual(store.deliveries.get(ONE, each.id), each)
    for (const agentId of agents) {
      const waits = rows.filter((each) => each.dueAt !== null && each.agentId === agentId)
      const due = store.deliveries.waiting(endpointName(ONE, agentId), 100)
      const key = ({ id, at }: { id: string; at: number }): string => `${at} ${id}`
      t.deepEqual(due.map(key).sort(), waits.map(({ id, dueAt }) => key({ id, at: dueAt! })).sort())
      t.deepEqual(
        due.map(({ at }) => at),
        due.map(({ at }) => at).toSorted((a, b) => a - b),
      )
      t.is([...store.deliveries.endpoints()].includes(endpointName(ONE, agentId)), waits.length > 0)
    }
  })
  await fc.assert(property, { numRuns: runs(25) })
})

test('deliveries that move from memory to the index stay listed before and after commit and restart', async (t) => {
  const folder = newFolder(t)
  let store = open(t, folder)
  const rows = Array.from({ length: NEWEST }, (_, at) => row(NOON + at))
  await add(store, rows)
  await end(store, rows.slice(3), 'DELIVERED')
  await store.close()
  store = open(t, folder)
  const waiting = (of: Store): string[] => of.deliveries.waiting(endpointName(ONE, null), 10).map(({ id }) => id)
  const ids = rows.slice(0, 3).map(({ id }) => id)
  t.deepEqual(waiting(store), ids)
  // These take the places of the pending ones, which move to the index; it is not on disk yet.
  const later = Array.from({ length: NEWEST + 1 }, (_, at) => row(NOON + DAY_MS + at, TWO))
  for (const one of later) store.deliveries.add(one)
  t.deepEqual(waiting(store), ids)
  t.deepEqual(listed(store, 'PENDING', 2), ids.toReversed())
  t.deepEqual(store.deliveries.waiting(endpointName(TWO, null), 10), [])
  await store.flushed()
  t.is(store.deliveries.waiting(endpointName(TWO, null), 10).length, 10)
  t.deepEqual(waiting(store), ids)
  await end(store, [rows[1]!], 'FAILED')
  await end(store, later, 'DELIVERED')
  await store.close()
  const again = open(t, folder)
  t.deepEqual(waiting(again), [ids[0], ids[2]])
  t.deepEqual(listed(again, 'PENDING', 2), [ids[2], ids[0]])
  t.deepEqual([...again.deliveries.endpoints()], [endpointName(ONE, null)])
})
