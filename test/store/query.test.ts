// Reads return only what is on disk, also when a write happens during the read. A damaged list is not read.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import test from 'ava'
import { newId } from '../../src/domain/ids.js'
import { listKey, versionKey } from '../../src/store/keys.js'
import { Query } from '../../src/store/query.js'
import { Store } from '../../src/store/store.js'
import { DamagedRecord } from '../../src/store/table.js'
import { newFolder } from '../service/service.js'

test('a version that is written during a read is not returned before it is on disk', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(() => newId(randomBytes))
  store.open(folder)
  t.teardown(() => store.close())
  await store.flushed()
  const query = new Query(store)
  const reading = query.version('policy', 1)
  const key = versionKey('policy', 1)
  store.versions.put(key, { policyId: 'policy', version: 1 } as never)
  const [found, onDisk] = [await reading, store.versions.committed(key)]
  t.true(found === undefined || onDisk !== undefined)
  t.like(await query.version('policy', 1), { version: 1 })
  t.like(store.versions.committed(key), { version: 1 })
})

test('a list with other rows than were counted is not read', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const store = new Store(() => newId(randomBytes))
  store.open(folder)
  t.teardown(() => store.close())
  const [one, other] = [listKey('list', 1, 'policy/one'), listKey('list', 2, 'policy/other')]
  store.lists.put(one, null)
  store.counts.put('list', 1)
  await store.flushed()
  t.deepEqual(new Query(store).refs('list'), ['policy/one'])
  store.shortLists.changing('list')
  store.lists.put(other, null)
  await store.flushed()
  t.throws(() => new Query(store).refs('list'), { instanceOf: DamagedRecord })
  store.lists.remove(one)
  store.lists.remove(other)
  await store.flushed()
  t.throws(() => new Query(store).refs('list'), { instanceOf: DamagedRecord })
  t.deepEqual(new Query(store).refs('another'), [])
})
