// Copies of a store whose file is mostly free.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { compactCopy, copyDatabase, DATABASE } from '../../src/store/copy.js'
import { lockFolder } from '../../src/store/lock.js'
import { reboot, unsynced } from '../service/powerLoss.js'
import { newFolder } from '../service/service.js'
import { nameOf, refOf, withStore } from './opened.js'

const RECORDS = 500
const KEPT = 20

const sizeOf = (folder: string): number => statSync(join(folder, DATABASE)).size

test('a compacted copy has the same records in less space, and accepts more', async (t) => {
  const folder = newFolder(t)
  const target = newFolder(t)
  await withStore(folder, async (store) => {
    for (let index = 0; index < RECORDS; index += 1) store.lookups.put(nameOf(index), refOf(index))
    await store.flushed()
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
    t.is(store.lookups.size, RECORDS)
  })
})

test('no service starts while a folder is copied, and one that runs is no obstacle', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, (store) => store.flushed())
  const copying = copyDatabase(folder, newFolder(t))
  await t.throwsAsync(lockFolder(folder), { message: /is in use by another process$/ })
  await copying
  const unlock = await lockFolder(folder)
  await t.notThrowsAsync(copyDatabase(folder, newFolder(t)))
  unlock()
})

test('after a power failure, a service that is starting opens the folder before it is copied', async (t) => {
  const folder = newFolder(t)
  const file = join(folder, DATABASE)
  const put = (): Promise<void> =>
    withStore(folder, (store) => {
      store.lookups.put(nameOf(1), refOf(1))
      return store.flushed()
    })
  await put()
  await unsynced(file, put)
  reboot(file)
  const unlock = await lockFolder(folder)
  await t.throwsAsync(copyDatabase(folder, newFolder(t)), { message: /is being opened by another process: try again$/ })
  await withStore(folder, async () => {
    await t.notThrowsAsync(copyDatabase(folder, newFolder(t)))
  })
  unlock()
})
