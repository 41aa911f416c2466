// A folder that follows a journal has its rows, its place in it, and the layout of its tables.
import test from 'ava'
import { EntryWriter, seal } from '../../src/store/journal/entry.js'
import { Replica, type FollowedEntry } from '../../src/store/journal/replica.js'
import { SCHEMA } from '../../src/store/migration/schema.js'
import { newFolder } from '../support/process.js'
import { writeSchema } from '../support/openStore.js'

type Row = [table: string, key: string, value: unknown]

function entry(sequence: number, epoch: number, rows: readonly Row[]): FollowedEntry {
  const written = new EntryWriter(sequence, Buffer.alloc(2 ** 10))
  for (const [table, key, value] of rows) {
    written.table(table, 1)
    if (value === undefined) written.removal(key)
    else written.value(key, 4, JSON.stringify(value))
  }
  const bytes = written.bytes.subarray(0, written.end)
  seal(bytes, sequence, 0)
  return { sequence, epoch, bytes }
}

test('entries are stored with the place of the last one, also by the next process', async (t) => {
  const folder = newFolder(t)
  const first = new Replica(folder, 'j')
  await first.store([
    entry(1, 1, []),
    entry(2, 1, [
      ['lookups', 'a', 'x'],
      ['lookups', 'b', 'y'],
    ]),
  ])
  await first.store([
    entry(3, 2, [
      ['lookups', 'a', undefined],
      ['lookups', 'b', 'z'],
    ]),
  ])
  t.deepEqual(first.place, { sequence: 3, shared: { journal: 'j', epoch: 2 } })
  await first.close()
  const second = new Replica(folder, 'j')
  t.deepEqual(second.place, { sequence: 3, shared: { journal: 'j', epoch: 2 } })
  t.deepEqual([...second.rows('lookups')], [{ key: 'b', value: 'z' }])
  await second.close()
})

test('an entry of a later layout is not stored, and those before it are', async (t) => {
  const replica = new Replica(newFolder(t), 'j')
  await replica.store([entry(1, 1, [['meta', 'schema', SCHEMA]])])
  const later = [entry(2, 1, [['lookups', 'a', 'x']]), entry(3, 2, [['meta', 'schema', SCHEMA + 1]])]
  await t.throwsAsync(replica.store(later), { message: new RegExp(`goes on with schema ${SCHEMA + 1}`) })
  t.is(replica.place.sequence, 2)
  await replica.close()
})

test('a folder of an earlier layout is brought up where its journal goes on with the present one', async (t) => {
  const folder = newFolder(t)
  await writeSchema(folder, SCHEMA - 1)
  const replica = new Replica(folder, 'j')
  await replica.store([entry(1, 1, [['lookups', 'a', 'x']]), entry(2, 2, [['meta', 'schema', SCHEMA]])])
  t.deepEqual([...replica.rows('meta')].find(({ key }) => key === 'schema')?.value, SCHEMA)
  t.is(replica.place.sequence, 2)
  await replica.close()
})
