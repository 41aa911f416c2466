// A store that is opened for one piece of work, and records whose keys are long enough to fill pages.
import { open } from 'lmdb'
import { charts } from '../../machines/index.js'
import type { ChartBook } from '../../src/actor/turn.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { Fence } from '../../src/store/folder/fence.js'
import { noJournal } from '../../src/store/journal/journal.js'
import { replayJournal } from '../../src/store/journal/replay.js'
import { Store } from '../../src/store/store.js'
import { Table } from '../../src/store/table.js'
import { Writer } from '../../src/store/writer.js'

/** Does its work in a store that is open meanwhile; `book` has the charts of its actors. */
export async function withStore<Read>(
  folder: string,
  work: (store: Store) => Promise<Read>,
  book: ChartBook = charts,
): Promise<Read> {
  const store = new Store((bytes) => new Uint8Array(bytes), book)
  await replayJournal(folder)
  store.open(folder)
  await store.takeOver()
  const read = await work(store)
  await store.close()
  return read
}

/** Writes nothing but the schema. */
export async function writeSchema(folder: string, schema: number): Promise<void> {
  const root = open({ path: folder, noSubdir: false, maxDbs: 32 })
  const fence = new Fence(root)
  fence.raise()
  const writer = new Writer(() => {})
  const store = (_: number, write: () => void): Promise<void> => fence.commit(fence.place, write)
  writer.begin({ journal: noJournal, width: 1, sequence: 0, store, isHeld: () => true })
  new Table<number>(root, 'meta', writer).put('schema', schema)
  await writer.stored()
  await root.close()
}

export const nameOf = (index: number): string => `name/${String(index).padStart(1000, '0')}`
export const refOf = (index: number): Ref => `agent/c${index}`
