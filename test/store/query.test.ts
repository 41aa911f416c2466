// Reads return only what is on disk, also when a write happens during the read.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import test from 'ava'
import { newId } from '../../src/domain/ids.js'
import { versionKey } from '../../src/store/keys.js'
import { Query } from '../../src/store/query.js'
import { Store } from '../../src/store/store.js'
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
