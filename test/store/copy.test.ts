// Copies of a store whose file is mostly free.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Ref } from '../../src/domain/gate.js'
import { compactCopy, copyDatabase, DATABASE } from '../../src/store/copy.js'
import { Store } from '../../src/store/store.js'

const RECORDS = 500
const KEPT = 20

function newFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function withStore(folder: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = new Store(() => '')
  store.open(folder)
  await work(store)
  await store.close()
}

const nameOf = (index: number) => `name/${String(index).padStart(1000, '0')}`
const refOf = (index: number): Ref => `agent/c${index}`
const sizeOf = (folder: string): number => statSync(join(folder, DATABASE)).size

test('a compacted copy has the same records in less room, and takes more', async (t) => {
  const folder = newFolder(t)
  const target = join(newFolder(t), 'copy')
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
