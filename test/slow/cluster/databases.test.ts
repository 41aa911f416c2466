// The databases that the tests of a cluster start behave as those of its users: what they acknowledge is on both, except
// where a wait was cancelled, and they say so.
import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/chain.js'
import { lent } from '../../support/postgres/lent.js'
import { DatabaseProxy } from '../../support/postgres/proxy.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { startSingle, type SingleDatabase } from '../../support/postgres/single.js'
import { wholeFile } from '../../support/process.js'
import { connected, insert, insertUntilKilled, rowsOf, waitingInsert } from './inserts.js'

const scope = wholeFile(test)
const starting: { replicated?: Promise<ReplicatedDatabase>; single?: Promise<SingleDatabase> } = {}

/** One for all tests, each of which leaves it with a primary and a standby. */
function replicated(t: ExecutionContext): Promise<ReplicatedDatabase | undefined> {
  return lent(t, () => (starting.replicated ??= startReplicated()), scope)
}

function single(t: ExecutionContext): Promise<SingleDatabase | undefined> {
  return lent(t, () => (starting.single ??= startSingle()), scope)
}

test.serial('a commit waits while the standby is stopped, and is acknowledged when it is back', async (t) => {
  const database = await replicated(t)
  if (database === undefined) return
  const client = await connected(t, database.primaryUrl)
  await insert(client, 101).acknowledged
  await database.stopStandby()
  const waiting = await waitingInsert(database, client, 102)
  const other = await connected(t, database.primaryUrl)
  t.deepEqual(await rowsOf(other), [101])
  t.false(waiting.isAcknowledged())
  await database.startStandby()
  await waiting.acknowledged
  t.deepEqual(await rowsOf(client), [101, 102])
  t.is(await database.waits(), 0)
})

test.serial('a cancelled wait reports success with a WARNING', async (t) => {
  const database = await replicated(t)
  if (database === undefined) return
  const client = await connected(t, database.primaryUrl)
  const warnings: (string | undefined)[][] = []
  client.on('notice', ({ severity, code }) => warnings.push([severity, code]))
  await insert(client, 201).acknowledged
  t.deepEqual(warnings, [])
  await database.stopStandby()
  const waiting = await waitingInsert(database, client, 202)
  t.is(await database.cancelWaits(), 1)
  await waiting.acknowledged
  t.deepEqual(warnings, [['WARNING', '01000']])
  await database.startStandby()
})

test.serial('a fail-over keeps every acknowledged row, and commits go on when the old primary is back', async (t) => {
  const database = await replicated(t)
  if (database === undefined) return
  const before = database.primaryUrl
  const clients = await Promise.all([1, 2, 3, 4].map(() => connected(t, before)))
  const acknowledged = clients.map((client, at) => insertUntilKilled(client, 1_000 * (at + 1)))
  await until(async () => (await rowsOf(clients[0]!)).length > 200 || undefined, 'too few rows')
  await database.failOver({ rejoin: false })
  const ids = (await Promise.all(acknowledged)).flat()
  t.true(ids.length > 100)
  t.not(database.primaryUrl, before)
  t.true(database.urls.includes(database.primaryUrl))
  const client = await connected(t, database.primaryUrl)
  const kept = new Set(await rowsOf(client))
  t.deepEqual(
    ids.filter((id) => !kept.has(id)),
    [],
  )
  const waiting = await waitingInsert(database, client, 301)
  t.false(waiting.isAcknowledged())
  await database.rejoin()
  await waiting.acknowledged
  await database.failOver({ rejoin: true })
  t.is(database.primaryUrl, before)
  const back = await connected(t, before)
  await insert(back, 302).acknowledged
  const all = new Set(await rowsOf(back))
  t.true([...ids, 301, 302].every((id) => all.has(id)))
})

test.serial('an old primary beside its promoted standby acknowledges nothing', async (t) => {
  const database = await replicated(t)
  if (database === undefined) return
  await database.failOver({ rejoin: false })
  await database.startOldPrimary()
  const old = await connected(t, database.otherUrl)
  const { rows } = await old.query<{ pg_is_in_recovery: boolean }>('select pg_is_in_recovery()')
  t.deepEqual(rows, [{ pg_is_in_recovery: false }])
  const waiting = await waitingInsert(database, old, 401)
  await database.rejoin()
  await t.throwsAsync(waiting.acknowledged)
  const client = await connected(t, database.primaryUrl)
  await insert(client, 402).acknowledged
  const ids = await rowsOf(client)
  t.false(ids.includes(401))
  t.true(ids.includes(402))
})

test.serial('the proxy cuts all or only the answers, and what it held back arrives when it is mended', async (t) => {
  const database = await single(t)
  if (database === undefined) return
  const proxy = await DatabaseProxy.open([database.url])
  t.teardown(() => proxy.end())
  const client = await connected(t, proxy.url(database.url))
  const direct = await connected(t, database.url)
  proxy.cut()
  const first = insert(client, 1)
  await insert(direct, 2).acknowledged
  t.deepEqual(await rowsOf(direct), [2])
  t.false(first.isAcknowledged())
  proxy.mend()
  await first.acknowledged
  proxy.cut('answers')
  const second = insert(client, 3)
  await until(async () => (await rowsOf(direct)).includes(3) || undefined, 'the row does not arrive')
  t.false(second.isAcknowledged())
  proxy.mend()
  await second.acknowledged
  t.deepEqual(await rowsOf(client), [1, 2, 3])
})

test.serial('the proxy delays each direction, and shows when the database has ended', async (t) => {
  const database = await single(t)
  if (database === undefined) return
  const proxy = await DatabaseProxy.open([database.url])
  t.teardown(() => proxy.end())
  const client = await connected(t, proxy.url(database.url))
  proxy.delay(100)
  const sentAt = performance.now()
  await insert(client, 4).acknowledged
  // Timers may be a little early.
  t.true(performance.now() - sentAt > 195)
  proxy.delay(0)
  await database.kill()
  await t.throwsAsync(insert(client, 5).acknowledged)
  await t.throwsAsync(connected(t, proxy.url(database.url)))
  await database.start()
  const again = await connected(t, proxy.url(database.url))
  const ids = await rowsOf(again)
  t.true(ids.includes(4))
  t.false(ids.includes(5))
})
