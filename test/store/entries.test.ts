// Entries of the journal: rows never lie over each other, and an entry is read as it was written.
import test from 'ava'
import { EntryWriter, entryAt, rowsIn, seal, type JournalRow } from '../../src/store/journal/entry.js'
import { newFolder } from '../support/process.js'
import { nameOf, refOf, withStore } from '../support/openStore.js'

const BEFORE = 4
const TEXTS = ['', 'a', 'Zoë', '€uro', '\u{1f4b0}'.repeat(9), 'x'.repeat(40)]
const SEED = 7

function written(size: number): Buffer {
  const entry = new EntryWriter(9, Buffer.alloc(size))
  entry.table('texts', TEXTS.length + 1)
  for (const text of TEXTS) entry.value(`key of ${text}`, BEFORE, text)
  entry.removal('gone')
  entry.table('names', 1)
  entry.value('name', 1, '')
  const bytes = entry.bytes.subarray(0, entry.end)
  seal(bytes, 9, SEED)
  return bytes
}

const shown = ({ table, key, value }: JournalRow) => [table, key, value?.subarray(BEFORE).toString()]

test('rows keep their bytes, with room for all, for some and for none', (t) => {
  for (let size = 16; size <= 700; size += 1) {
    const entry = entryAt(written(size), 0, SEED)
    t.is(entry?.sequence, 9)
    t.deepEqual(
      Array.from(rowsIn(entry!.bytes), shown),
      [...TEXTS.map((text) => ['texts', `key of ${text}`, text]), ['texts', 'gone', undefined], ['names', 'name', '']],
      `${size} bytes`,
    )
  }
})

test('an entry with any bit changed, cut off or of another journal is none', (t) => {
  const bytes = written(700)
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    t.is(entryAt(damaged, 0, SEED), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < bytes.length; length += 1) t.is(entryAt(bytes.subarray(0, length), 0, SEED), undefined)
  t.is(entryAt(bytes, 0, SEED + 1), undefined)
  t.is(entryAt(Buffer.alloc(1000), 0, SEED), undefined)
})

test('rows of many commits in a row are on disk as they were queued, also those that a commit has no room for', async (t) => {
  const folder = newFolder(t)
  const COMMITS = 30
  const ROWS = 200
  const long = 'y'.repeat(3 * 2 ** 20)
  await withStore(folder, async (store) => {
    for (let commit = 0; commit < COMMITS; commit += 1) {
      for (let row = 0; row < ROWS; row += 1) store.lookups.put(nameOf(commit * ROWS + row), refOf(commit + row))
      if (commit % 10 === 0) store.lookups.put(`long/${commit}`, `agent/${long}${commit}`)
      const flushed = store.flushed()
      store.lookups.put(`beside/${commit}`, refOf(commit))
      await flushed
    }
  })
  await withStore(folder, async ({ lookups }) => {
    for (let commit = 0; commit < COMMITS; commit += 1) {
      for (let row = 0; row < ROWS; row += 1) t.is(lookups.get(nameOf(commit * ROWS + row)), refOf(commit + row))
      t.is(lookups.get(`beside/${commit}`), refOf(commit))
    }
    for (const commit of [0, 10, 20]) t.is(lookups.get(`long/${commit}`), `agent/${long}${commit}`)
  })
})
