// Databases under Patroni keep what they acknowledge when it fails over, and commits wait until both are there again.
import test from 'ava'
import { lent } from '../../support/postgres/lent.js'
import { startPatroni } from '../../support/postgres/patroni.js'
import { connected, insert, insertUntilKilled, rowsOf, waitingInsert } from './inserts.js'

test.serial(
  'Patroni fails over to the standby with every acknowledged row, and takes the old leader back',
  async (t) => {
    t.timeout(170_000)
    const database = await lent(t, startPatroni)
    if (database === undefined) return
    const before = await database.waitForPrimary()
    const client = await connected(t, before)
    const inserted = insertUntilKilled(client, 0)
    await insert(await connected(t, before), 10_000).acknowledged
    await database.killLeader()
    const ids = [10_000, ...(await inserted)]
    const primary = await database.waitForPrimary()
    t.not(primary, before)
    t.deepEqual([primary, before].sort(), database.urls.toSorted())
    const promoted = await connected(t, primary)
    const kept = new Set(await rowsOf(promoted))
    t.deepEqual(
      ids.filter((id) => !kept.has(id)),
      [],
    )
    const waiting = await waitingInsert(database, promoted, 10_001)
    t.false(waiting.isAcknowledged())
    await database.rejoin()
    await waiting.acknowledged
    await insert(promoted, 10_002).acknowledged
    t.is(await database.waitForPrimary(), primary)
  },
)
