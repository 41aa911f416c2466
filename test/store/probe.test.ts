// What the probe reports as damage, and what it must accept.
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { checkPages } from '../../src/store/check/lmdbPages.js'
import { probe } from '../../src/store/check/probe.js'
import { SCHEMA, SCHEMA_STEPS } from '../../src/store/migration/schema.js'
import { newFolder } from '../support/process.js'
import { nameOf, refOf, withStore, writeSchema } from '../support/openStore.js'

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
    await store.stored()
    // The last first, so that pages that are written meanwhile fit before the end.
    for (let index = RECORDS - 1; index > 0; index -= 1) {
      store.lookups.remove(nameOf(index))
      if (index % 100 === 0) await store.stored()
    }
    await store.stored()
    for (let round = 0; round < 5; round += 1) {
      store.lookups.put(nameOf(0), refOf(0))
      await store.stored()
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

test.serial('a folder of another schema is refused as such, and left as it is', async (t) => {
  const folder = newFolder(t)
  const tooEarly = Math.min(...Object.keys(SCHEMA_STEPS).map(Number)) - 1
  await writeSchema(folder, tooEarly)
  const before = readFileSync(join(folder, 'data.mdb'))
  const message = `The data folder ${folder} has schema ${tooEarly}; this version reads ${SCHEMA}`
  await t.throwsAsync(probe(folder, 'start'), { message })
  t.true(readFileSync(join(folder, 'data.mdb')).equals(before))
})
