// The memory that holds the rows of a commit: rows never lie over each other, and what has no room lies elsewhere.
import test from 'ava'
import { WriteArena } from '../../src/store/writeArena.js'
import { newFolder } from '../support/process.js'
import { nameOf, refOf, withStore } from '../support/openStore.js'

const BEFORE = 4
const TEXTS = ['', 'a', 'Zoë', '€uro', '\u{1f4b0}'.repeat(9), 'x'.repeat(40)]

function addedTo(bytes: WriteArena, texts: readonly string[]): Buffer[] {
  return texts.map((text, index) => {
    const row = bytes.add(BEFORE, text)
    row.writeUInt32LE(index)
    return row
  })
}

const shown = (rows: readonly Buffer[]) => rows.map((row) => [row.readUInt32LE(), row.subarray(BEFORE).toString()])

test('rows keep their bytes, with room for all, for some and for none', (t) => {
  for (let size = 0; size <= 300; size += 1) {
    const bytes = new WriteArena(size)
    const rows = addedTo(bytes, TEXTS)
    t.deepEqual(
      shown(rows),
      TEXTS.map((text, index) => [index, text]),
      `${size} bytes`,
    )
  }
})

test('the next commit writes over the rows of the last one', (t) => {
  const bytes = new WriteArena(300)
  const [old] = addedTo(bytes, ['old'])
  bytes.clear()
  const [next] = addedTo(bytes, ['new'])
  t.is(next!.byteOffset, old!.byteOffset)
  t.is(next!.buffer, old!.buffer)
  t.is(old!.subarray(BEFORE).toString(), 'new')
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
