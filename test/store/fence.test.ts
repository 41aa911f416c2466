// The fencing number of a store: who has taken it over last writes, and nobody else.
import { charts } from '../../machines/index.js'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Unavailable } from '../../src/actor/host.js'
import { Fenced } from '../../src/store/folder/fence.js'
import { readLmdbMeta } from '../../src/store/check/lmdbMeta.js'
import { Store } from '../../src/store/store.js'
import { newFolder } from '../support/process.js'
import { start } from '../support/service.js'
import { nameOf, refOf } from '../support/openStore.js'
import { replayJournal } from '../../src/store/journal/replay.js'

const zeros = (bytes: number) => new Uint8Array(bytes)

function opened(folder: string): Store {
  const store = new Store(zeros, charts)
  store.open(folder)
  return store
}

test('once a store is taken over, who had it before writes nothing', async (t) => {
  const folder = newFolder(t)
  const first = opened(folder)
  await first.takeOver()
  first.lookups.put(nameOf(1), refOf(1))
  await t.notThrowsAsync(first.flushed())
  await replayJournal(folder)
  const late = async (): Promise<void> => {
    first.lookups.put(nameOf(2), refOf(2))
    await first.flushed()
  }
  const failure = await t.throwsAsync(late, { instanceOf: Unavailable })
  t.true(failure.cause instanceof Fenced)
  t.is(first.failure, failure)
  const second = opened(folder)
  await second.takeOver()
  second.lookups.put(nameOf(3), refOf(3))
  await second.flushed()
  t.deepEqual([...second.lookups.keys({})], [nameOf(1), nameOf(3)])
  await second.close()
})

test('a store whose journal was not replayed cannot be taken over', async (t) => {
  const folder = newFolder(t)
  const first = opened(folder)
  await first.takeOver()
  await t.throwsAsync(opened(folder).takeOver(), { instanceOf: Fenced })
})

test('who opened a store before it was ever taken over writes nothing afterwards', async (t) => {
  const folder = newFolder(t)
  const [first, second] = [opened(folder), opened(folder)]
  await second.takeOver()
  first.lookups.put(nameOf(1), refOf(1))
  await t.throwsAsync(first.flushed(), { instanceOf: Unavailable })
  t.deepEqual([...second.lookups.keys({})], [])
  await second.close()
})

/** The number of the last transaction in the file. */
function lastTransaction(folder: string): number {
  const file = openSync(join(folder, 'data.mdb'), 'r')
  try {
    return readLmdbMeta(file).txnId
  } finally {
    closeSync(file)
  }
}

test('a start commits before it answers: that syncs what the process before it may have left unsynced', async (t) => {
  const folder = newFolder(t)
  await (await start(t, { folder })).stop()
  const before = lastTransaction(folder)
  await start(t, { folder })
  t.true(lastTransaction(folder) > before)
})
