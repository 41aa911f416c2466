// A table of the store: its values before and after the commit that writes them.
import test from 'ava'
import type { Ref } from '../../src/domain/limits/gate.js'
import { newFolder } from '../support/process.js'
import { withStore } from '../support/openStore.js'

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

test('the latest keys include rows that are on their way to the disk, and no removed ones', async (t) => {
  await withStore(newFolder(t), async (store) => {
    const { rows: lists } = store.lists
    const latest = (limit = 10): string[] => lists.latest({ start: 'a/', end: 'a/:', limit })
    for (const key of ['a/1', 'a/3', 'a/5', 'b/9']) lists.put(key, null)
    t.deepEqual(latest(), ['a/5', 'a/3', 'a/1'])
    await store.flushed()
    lists.remove('a/5')
    lists.put('a/4', null)
    // The commit of these begins; the next ones are queued behind it.
    await new Promise(setImmediate)
    lists.put('a/2', null)
    lists.remove('a/3')
    t.deepEqual(latest(), ['a/4', 'a/2', 'a/1'])
    t.deepEqual(latest(2), ['a/4', 'a/2'])
    t.deepEqual(latest(0), [])
    await store.flushed()
    t.deepEqual(latest(), ['a/4', 'a/2', 'a/1'])
  })
})
