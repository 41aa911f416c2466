// A table of the store: its values before and after the commit that writes them.
import test, { type ExecutionContext } from 'ava'
import type { Ref } from '../../src/domain/limits/gate.js'
import type { Store } from '../../src/store/store.js'
import { Random } from '../support/random.js'
import { newFolder } from '../support/process.js'
import { refOf, withStore } from '../support/openStore.js'

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

/** What reads show, against a map that is kept beside. */
function shows(t: ExecutionContext, { lookups }: Store, rows: ReadonlyMap<string, Ref>, random: Random): void {
  const keys = [...rows.keys()].sort()
  const [low, high] = [random.below(NAMES), random.below(NAMES)].sort((a, b) => a - b).map((at) => `name/${at + 100}`)
  const within = keys.filter((key) => key >= low! && key < high!)
  const downwards = keys.filter((key) => key > low! && key <= high!).reverse()
  const [offset, limit] = [random.below(4), random.below(6)]
  const upwards = { start: low!, end: high! }
  t.deepEqual([...lookups.keys({})], keys)
  t.deepEqual([...lookups.keys(upwards)], within)
  t.deepEqual([...lookups.keys({ ...upwards, offset, limit })], within.slice(offset, offset + limit))
  t.deepEqual([...lookups.keys({ start: high!, end: low!, reverse: true, limit })], downwards.slice(0, limit))
  t.deepEqual(
    [...lookups.range(upwards)],
    within.map((key) => [key, rows.get(key)]),
  )
  t.is(lookups.countKeys(upwards), within.length)
  for (const key of [low!, high!]) {
    t.is(lookups.committed(key), rows.get(key))
    t.is(lookups.sized(key)?.value, rows.get(key))
    t.is(lookups.isOnDisk(key), rows.has(key))
  }
}

const NAMES = 40

test('reads show what is durable, wherever it is, and `get` what is queued', async (t) => {
  const random = new Random(7)
  await withStore(newFolder(t), async (store) => {
    const { lookups } = store
    const rows = new Map<string, Ref>()
    let made = 0
    for (let round = 0; round < 300; round += 1) {
      const durable = new Map(rows)
      for (let writes = random.below(6); writes > 0; writes -= 1) {
        const key = `name/${random.below(NAMES) + 100}`
        const value = refOf((made += 1))
        if (random.chance(0.3)) lookups.remove(key)
        else lookups.put(key, value)
        if (lookups.get(key) === undefined) rows.delete(key)
        else rows.set(key, value)
      }
      shows(t, store, durable, random)
      t.deepEqual(
        lookups.latest({ start: 'name/', end: 'name/:', limit: 9 }),
        [...rows.keys()].sort().reverse().slice(0, 9),
      )
      for (const key of rows.keys()) t.is(lookups.get(key), rows.get(key))
      await (random.chance(0.2) ? store.stored() : store.flushed())
      shows(t, store, rows, random)
    }
  })
})

test('a range goes on with what it began with, whatever is stored meanwhile', async (t) => {
  await withStore(newFolder(t), async (store) => {
    const { lookups } = store
    for (let index = 0; index < 9; index += 1) lookups.put(`name/${index}`, refOf(index))
    await store.flushed()
    const range = lookups.range({})
    t.deepEqual(range.next().value, ['name/0', refOf(0)])
    for (let index = 0; index < 9; index += 1) {
      lookups.put(`name/${index}`, refOf(index + 100))
      await store.stored()
    }
    t.deepEqual(
      [...range],
      [1, 2, 3, 4, 5, 6, 7, 8].map((index) => [`name/${index}`, refOf(index)]),
    )
  })
})
