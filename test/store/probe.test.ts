// What the probe reports as damage, and what it must accept.
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import { checkPages } from '../../src/store/lmdbPages.js'
import { probe, type Progress } from '../../src/store/probe.js'
import { SCHEMA } from '../../src/store/store.js'
import { Table } from '../../src/store/table.js'
import { Writer } from '../../src/store/writer.js'
import { bursar } from '../cli/bursar.js'
import { newFolder, startService } from '../service/service.js'
import { nameOf, refOf, withStore } from './opened.js'

const PAGE = 4096
const RECORDS = 500
const LEAF = 2
/** Where the file says how many pages it has. */
const DESCRIPTIONS = [0, PAGE / 2, PAGE]
const LAST_PAGE_AT = 144
const LONG_AGO = 0

/** Adds records and removes all but the first, so that most of the file is free. */
async function emptied(folder: string): Promise<void> {
  await withStore(folder, async (store) => {
    for (let index = 0; index < RECORDS; index += 1) store.lookups.put(nameOf(index), refOf(index))
    await store.flushed()
    // The last first, so that pages that are written meanwhile fit before the end.
    for (let index = RECORDS - 1; index > 0; index -= 1) {
      store.lookups.remove(nameOf(index))
      if (index % 100 === 0) await store.flushed()
    }
    await store.flushed()
    for (let round = 0; round < 5; round += 1) {
      store.lookups.put(nameOf(0), refOf(0))
      await store.flushed()
    }
  })
}

const sizeOf = (folder: string): number => statSync(join(folder, 'data.mdb')).size

/** A copy of the folder whose data file lacks its last pages. */
function without(t: ExecutionContext, folder: string, pages: number): string {
  const copy = newFolder(t)
  mkdirSync(copy)
  copyFileSync(join(folder, 'data.mdb'), join(copy, 'data.mdb'))
  truncateSync(join(copy, 'data.mdb'), sizeOf(folder) - pages * PAGE)
  return copy
}

test.serial('a folder without a file, and one with an empty file, pass', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder)
  await t.notThrowsAsync(probe(folder, 'start'))
  writeFileSync(join(folder, 'data.mdb'), '')
  await t.notThrowsAsync(probe(folder, 'start'))
  await withStore(folder, (store) => store.flushed())
  await t.notThrowsAsync(probe(folder, 'start'))
})

test.serial('a file may lack pages at its end if they are free', async (t) => {
  const folder = newFolder(t)
  await emptied(folder)
  await t.notThrowsAsync(probe(folder, 'start'))
  for (const pages of [1, 10]) {
    const copy = without(t, folder, pages)
    await t.notThrowsAsync(probe(copy, 'start'))
    await withStore(copy, async (store) => {
      t.is(store.lookups.get(nameOf(0)), refOf(0))
      for (let index = 1; index < RECORDS; index += 1) store.lookups.put(nameOf(index), refOf(index))
      await store.flushed()
      t.is([...store.lookups.keys({})].length, RECORDS)
    })
    await t.notThrowsAsync(probe(copy, 'start'))
  }
})

test.serial('a file that lacks a page in use is damaged', async (t) => {
  const folder = newFolder(t)
  await emptied(folder)
  const pages = sizeOf(folder) / PAGE
  const message = /is damaged, restore a backup: page \d+ is missing$/
  await t.throwsAsync(probe(without(t, folder, pages - 3), 'start'), { message })
})

test.serial('the probe does not change the file', async (t) => {
  const folder = newFolder(t)
  await emptied(folder)
  const before = statSync(join(folder, 'data.mdb'))
  await probe(folder, 'start')
  const { size, mtimeMs } = statSync(join(folder, 'data.mdb'))
  t.deepEqual({ size, mtimeMs }, { size: before.size, mtimeMs: before.mtimeMs })
})

/** Gives impossible bounds to every leaf page that contains the text. */
function damageLeavesOf(file: string, text: string): void {
  const bytes = readFileSync(file)
  for (let at = 2 * PAGE; at < bytes.length; at += PAGE) {
    const isLeaf = bytes.readUInt16LE(at + 18) === LEAF
    if (isLeaf && bytes.subarray(at, at + PAGE).includes(text)) bytes.writeUInt16LE(PAGE, at + 20)
  }
  writeFileSync(file, bytes)
}

/** Makes the file claim one more page. */
function promiseMore(file: string): void {
  const bytes = readFileSync(file)
  for (const at of DESCRIPTIONS) {
    const lastPage = bytes.readBigUInt64LE(at + LAST_PAGE_AT)
    if (lastPage > 0n) bytes.writeBigUInt64LE(lastPage + 1n, at + LAST_PAGE_AT)
  }
  writeFileSync(file, bytes)
}

test.serial('a check that is out of time skips the rest, unless pages in use are missing', async (t) => {
  const folder = newFolder(t)
  await emptied(folder)
  for (const pages of [0, 10]) {
    const file = join(without(t, folder, pages), 'data.mdb')
    damageLeavesOf(file, nameOf(0))
    t.throws(() => checkPages(file), { message: /impossible bounds$/ })
    t.notThrows(() => checkPages(file, LONG_AGO))
    promiseMore(file)
    t.throws(() => checkPages(file, LONG_AGO), { message: /impossible bounds$/ })
  }
})

/** Writes nothing but the schema. */
async function writeSchema(folder: string, schema: number): Promise<void> {
  const root = open({ path: folder, maxDbs: 32 })
  const writer = new Writer(
    (write) => Promise.all([root.batch(write), root.flushed]),
    () => {},
  )
  new Table<number>(root, 'meta', writer).put('schema', schema)
  await writer.flushed()
  await root.close()
}

test.serial('a folder of another schema is refused as such, and left as it is', async (t) => {
  const folder = newFolder(t)
  await writeSchema(folder, SCHEMA - 1)
  const before = readFileSync(join(folder, 'data.mdb'))
  const message = `The data folder ${folder} has schema ${SCHEMA - 1}; this version reads ${SCHEMA}`
  await t.throwsAsync(probe(folder, 'start'), { message })
  t.true(readFileSync(join(folder, 'data.mdb')).equals(before))
})

const MANY = 150_000
const MIDDLE = MANY / 2
const short = (index: number): string => `record/${String(index).padStart(8, '0')}`

/** A store that no start has time to read, with a flipped bit in a record in its middle. */
async function large(folder: string): Promise<void> {
  await withStore(folder, async (store) => {
    for (let index = 0; index < MANY; index += 1) store.lookups.put(short(index), `agent/x${index}x`)
    await store.flushed()
  })
  const file = join(folder, 'data.mdb')
  const bytes = readFileSync(file)
  const at = bytes.indexOf(`agent/x${MIDDLE}x`)
  bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

test.serial('a start reads a sample of a large store and says so; a copy is checked record by record', async (t) => {
  t.timeout(120_000)
  const folder = newFolder(t)
  await large(folder)
  t.false(await probe(folder, 'start'))
  const told: Progress[] = []
  const message = new RegExp(`is damaged, restore a backup: Record ${short(MIDDLE)} of lookups is not what was written`)
  await t.throwsAsync(
    probe(folder, 'whole', (at) => told.push(at)),
    { message },
  )
  t.deepEqual([...new Set(told.map(({ what }) => what))], ['pages', 'records'])
  for (const { done, total } of told) t.true(done <= total)
  const backup = await bursar(['backup', newFolder(t)], { env: { BURSAR_DATA_DIR: folder } })
  t.is(backup.status, 1)
  t.regex(backup.error, message)
  const service = await startService(t, folder)
  t.regex(service.output().stdout, /a sample of its records: bursar backup checks them all/)
})

test.serial('a small store is read whole at a start, which says nothing of it', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  await service.stop()
  t.true(await probe(folder, 'start'))
  t.notRegex(service.output().stdout, /sample/)
})
