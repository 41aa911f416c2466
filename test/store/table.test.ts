// A table of the store: its values before and after the commit that writes them.
import test from 'ava'
import type { Ref } from '../../src/domain/gate.js'
import { newFolder } from '../service/service.js'
import { withStore } from './opened.js'

test('a value that is queued as JSON reads like one that is queued itself, before and after its commit', async (t) => {
  await withStore(newFolder(t), async (store) => {
    const { lookups } = store
    const value: Ref = 'agent/"Zoë"'
    lookups.put('itself', value)
    lookups.putJson('as JSON', () => JSON.stringify(value))
    lookups.putJson('removed', () => JSON.stringify(value))
    lookups.remove('removed')
    for (const key of ['itself', 'as JSON']) t.is(lookups.get(key), value)
    t.is(lookups.get('removed'), undefined)
    await store.flushed()
    for (const key of ['itself', 'as JSON']) t.is(lookups.committed(key), value)
    t.deepEqual([...lookups.keys({})], ['as JSON', 'itself'])
  })
})
