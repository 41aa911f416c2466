// Copies of a store whose file is mostly free.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { compactCopy, copyDatabase } from '../../src/store/backup/copy.js'
import { DATABASE } from '../../src/store/folder/files.js'
import { newFolder } from '../support/process.js'
import { nameOf, refOf, withStore } from '../support/openStore.js'

const RECORDS = 500
const KEPT = 20

const sizeOf = (folder: string): number => statSync(join(folder, DATABASE)).size

test('a compacted copy has the same records in less space, and accepts more', async (t) => {
  const folder = newFolder(t)
  const target = newFolder(t)
  await withStore(folder, async (store) => {
    for (let index = 0; index < RECORDS; index += 1) store.lookups.put(nameOf(index), refOf(index))
    await store.stored()
    for (let index = KEPT; index < RECORDS; index += 1) store.lookups.remove(nameOf(index))
    await store.flushed()
  })
  await copyDatabase(folder, target)
  t.is(sizeOf(target), sizeOf(folder))
  await compactCopy(target)
  t.true(sizeOf(target) < sizeOf(folder) / 3, `${sizeOf(target)} of ${sizeOf(folder)}`)
  t.deepEqual(readdirSync(target), [DATABASE])
  t.is(statSync(join(target, DATABASE)).mode & 0o777, 0o600)
  await withStore(target, async (store) => {
    for (let index = 0; index < KEPT; index += 1) t.is(store.lookups.get(nameOf(index)), refOf(index))
    t.is(store.lookups.size, KEPT)
    for (let index = KEPT; index < RECORDS; index += 1) store.lookups.put(nameOf(index), refOf(index))
    await store.flushed()
    t.is(store.lookups.countKeys({}), RECORDS)
  })
})
