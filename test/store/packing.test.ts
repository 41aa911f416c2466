// Packed audit entries are read as they were, at any moment and by every reader.
import { randomBytes } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import { lastDecision } from '../../src/cli/journal/endOfRebuild.js'
import { AuditChains } from '../../src/store/audit/append.js'
import { AuditEntries } from '../../src/store/audit/entries.js'
import { AuditLog } from '../../src/store/audit/log.js'
import { GROUP, MOST_PACKED_BYTES } from '../../src/store/audit/packs.js'
import { Replica } from '../../src/store/journal/replica.js'
import { auditKey } from '../../src/store/records/keys.js'
import type { Store } from '../../src/store/store.js'
import type { Table } from '../../src/store/table.js'
import { fill, overwrite, STARTED, unchained } from '../support/auditChain.js'
import { openBare, type Bare } from '../support/commands.js'
import { packAll, readingsOf } from '../support/packing.js'
import { newFolder } from '../support/process.js'

const LENGTHS = { cfirst: 10 * GROUP + 60, csecond: 2 * GROUP, cthird: 2 * GROUP - 1, cfourth: 1 }
const [LOG] = Object.keys(LENGTHS) as ['cfirst']

async function filled(t: ExecutionContext): Promise<Bare> {
  const bare = openBare(t)
  for (const [organization, length] of Object.entries(LENGTHS)) await fill(bare.store, organization, length)
  return bare
}

const readings = (store: Store): Promise<unknown[]> =>
  Promise.all(Object.keys(LENGTHS).map((organization) => readingsOf(store, organization)))

const countOf = ({ audit }: Store, organization: string): number =>
  audit.countKeys({ start: `${organization}/`, end: `${organization}0` })

test('whole groups are packed but for the last entries, and everything reads as before, also after a start', async (t) => {
  const { store, folder, close } = await filled(t)
  const before = await readings(store)
  const everyEntry = [...store.everyEntry()]
  await packAll(store)
  const left = Object.keys(LENGTHS).map((organization) => countOf(store, organization))
  t.deepEqual(left, [GROUP + 60, GROUP, 2 * GROUP - 1, 1])
  t.deepEqual(await readings(store), before)
  t.deepEqual([...store.everyEntry()], everyEntry)
  await close()
  const again = openBare(t, folder).store
  t.deepEqual(await readings(again), before)
  await fill(again, LOG, GROUP, LENGTHS[LOG])
  await packAll(again)
  t.is(countOf(again, LOG), GROUP + 60)
  t.like(await new AuditLog(again).verify(LOG), { valid: true, entries: LENGTHS[LOG] + GROUP })
})

test('packing goes on where the process before it ended', async (t) => {
  const { store, folder, close } = await filled(t)
  const before = await readings(store)
  for (let group = 1; group <= 3; group += 1) await store.packing.next()
  const packed = LENGTHS[LOG] - countOf(store, LOG) + LENGTHS.csecond - countOf(store, 'csecond')
  t.true(packed > 0 && packed <= 3 * GROUP, `${packed}`)
  await close()
  const again = openBare(t, folder).store
  t.deepEqual(await readings(again), before)
  await packAll(again)
  t.is(countOf(again, LOG), GROUP + 60)
  t.deepEqual(await readings(again), before)
})

test('each entry is there in every turn of the event loop, while its group is packed and others are appended', async (t) => {
  const { store } = openBare(t)
  const entries = new AuditEntries(store)
  const chains = new AuditChains(store.audit, randomBytes)
  const seen = { single: 0, packed: 0 }
  let [last, isDone] = [0, false]
  const append = async (): Promise<void> => {
    for (let batch = 0; batch < 30; batch += 1) {
      for (let more = 0; more < 40; more += 1) {
        const sequence = chains.append(LOG, () => unchained(sequence - 1))
        store.packing.note(LOG, sequence)
      }
      await store.flushed()
      last = chains.last(LOG)
    }
  }
  const pack = async (): Promise<void> => {
    while (!isDone) if ((await store.packing.next()) === undefined) await pause()
  }
  const read = async (): Promise<void> => {
    for (let from = 1; !isDone; from = (from % 7) + 1, await pause()) {
      for (let sequence = from; sequence <= last; sequence += 7) {
        const id = entries.at(LOG, sequence)?.id
        if (id !== unchained(sequence - 1).id) return t.fail(`Entry ${sequence} of ${last} is ${id}`)
        seen[store.audit.isOnDisk(auditKey(LOG, sequence)) ? 'single' : 'packed'] += 1
      }
    }
  }
  await Promise.all([append().finally(() => (isDone = true)), pack(), read()])
  t.true(seen.single > 0 && seen.packed > 0, JSON.stringify(seen))
  await packAll(store)
  t.true(countOf(store, LOG) < 3 * GROUP)
  t.like(await new AuditLog(store).verify(LOG), { valid: true, entries: 1200 })
})

async function changePack(folder: string, key: string, change: (pack: Buffer) => Buffer): Promise<void> {
  const root = open({ path: folder, maxDbs: 32 })
  const packs = root.openDB<Buffer, string>({ name: 'auditPacks', encoding: 'binary' })
  await packs.put(key, change(packs.getBinary(key)!))
  await root.close()
}

function flipped(pack: Buffer): Buffer {
  pack[pack.length >> 1]! ^= 1
  return pack
}

/** The second group's entries, and only those, are gaps. */
async function secondGroupIsMissing(t: ExecutionContext, folder: string, before: string): Promise<void> {
  const { store, close } = openBare(t, folder)
  const log = new AuditLog(store)
  t.like(await log.verify(LOG), { valid: false, firstBrokenSequence: GROUP + 1 })
  t.deepEqual(await log.tree(LOG), { broken: GROUP + 1 })
  const { lines } = await readingsOf(store, LOG)
  const expected = before.split('\n').map((line, at) => {
    const gap = { error: 'This entry cannot be read: the data file is damaged', sequence: at + 1 }
    return at >= GROUP && at < 2 * GROUP ? JSON.stringify(gap) : line
  })
  t.deepEqual(lines.split('\n'), expected)
  await close()
}

test('a damaged pack is a gap of its entries, and so is one with a right checksum that is none', async (t) => {
  const { store, folder, close } = openBare(t)
  await fill(store, LOG, 5 * GROUP)
  const { lines } = await readingsOf(store, LOG)
  // Without a tree, as in a folder that nobody asked for one.
  for (const key of store.auditTiles.keys({})) store.auditTiles.remove(key)
  for (const key of store.auditSummaries.keys({})) store.auditSummaries.remove(key)
  await packAll(store)
  await close()
  const key = auditKey(LOG, 1)
  await changePack(folder, key, flipped)
  await secondGroupIsMissing(t, folder, lines)
  await changePack(folder, key, flipped)
  const again = openBare(t, folder)
  t.like(await new AuditLog(again.store).verify(LOG), { valid: true })
  const packs = again.store.tables.find(({ name }) => name === 'auditPacks') as Table<Buffer>
  packs.put(key, Buffer.from('no pack'))
  await again.close()
  await secondGroupIsMissing(t, folder, lines)
})

test('a group that is too large, damaged or not whole stays as it is, and those after it are packed', async (t) => {
  const { store, folder, close } = openBare(t)
  await fill(store, LOG, GROUP)
  await fill(store, LOG, 1, GROUP, MOST_PACKED_BYTES)
  await fill(store, LOG, 4 * GROUP - 1, GROUP + 1)
  const [removed, other] = [2 * GROUP + 5, 3 * GROUP + 5]
  await overwrite(store, LOG, removed, undefined)
  const before = await readingsOf(store, LOG)
  await close()
  const root = open({ path: folder, maxDbs: 32 })
  const rows = root.openDB<Buffer, string>({ name: 'audit', encoding: 'binary' })
  await rows.put(auditKey(LOG, other), flipped(rows.getBinary(auditKey(LOG, other))!))
  await root.close()
  for (let start = 1; start <= 2; start += 1) {
    const again = openBare(t, folder)
    await fill(again.store, LOG, start * GROUP, (4 + start) * GROUP)
    await packAll(again.store)
    t.is(Array.from(again.store.auditPacks.rows()).length, 2 * start * GROUP)
    const { verified, lines } = await readingsOf(again.store, LOG)
    t.like(verified, { valid: false, firstBrokenSequence: removed })
    t.is(lines.split('\n')[removed], before.lines.split('\n')[removed])
    await again.close()
  }
})

test('the last decision of a folder is that of any of its entries', async (t) => {
  const { store, folder, close } = openBare(t)
  // The clock was set back.
  await fill(store, LOG, GROUP, 10_000)
  await fill(store, LOG, GROUP, 0)
  await packAll(store)
  t.is(countOf(store, LOG), GROUP)
  await close()
  const replica = new Replica(folder, 'j')
  t.is(lastDecision(replica), STARTED + (10_000 + GROUP - 1) * 1000)
  await replica.close()
})

test('an entry is appended behind packed ones by the next process', async (t) => {
  const folder = newFolder(t)
  for (let start = 0; start < 5; start += 1) {
    const { store, close } = openBare(t, folder)
    await fill(store, LOG, GROUP, start * GROUP)
    await packAll(store)
    t.like(await new AuditLog(store).verify(LOG), { valid: true, entries: (start + 1) * GROUP })
    await close()
  }
})
