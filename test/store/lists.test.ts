// Lists in the store: short ones are counted on disk, long ones when somebody asks.
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import { longListOf, listOf, NOWHERE, type List } from '../../src/domain/values/lists.js'
import { fieldsOf } from '../../src/actor/actor.js'
import type { Store } from '../../src/store/store.js'
import { withStore } from '../support/openStore.js'
import { newFolder } from '../support/process.js'

const LONG = longListOf('p/organization')
const SHORT = listOf('agents/organization')

function actorAt(order: number, kind = 'payment'): Actor {
  return { ref: `${kind}/c${order}`, version: 1, revision: 1, state: 'made', context: { order } as never }
}

const move = (store: Store, actor: Actor, from: readonly List[], to: readonly List[]): string[] =>
  store.lists.move(actor, { from: { ...NOWHERE, lists: from }, to: { ...NOWHERE, lists: to } })

test('a long list has the size of its rows, with and without those that are on their way to the disk', async (t) => {
  await withStore(newFolder(t), async (store) => {
    const { lists } = store
    const sizes = (): number[] => [lists.size(LONG), lists.sizeOnDisk(LONG)]
    for (let order = 1; order <= 3; order += 1) move(store, actorAt(order), [], [LONG])
    // Counted while its rows are queued.
    t.deepEqual(sizes(), [3, 0])
    await store.flushed()
    t.deepEqual(sizes(), [3, 3])
    move(store, actorAt(2), [LONG], [])
    move(store, actorAt(4), [], [LONG])
    move(store, actorAt(5), [], [LONG])
    t.deepEqual(sizes(), [4, 3])
    // The commit of these begins, and more is queued behind it.
    await new Promise(setImmediate)
    move(store, actorAt(6), [], [LONG])
    t.is(lists.size(LONG), 5)
    await store.flushed()
    t.deepEqual(sizes(), [5, 5])
    t.is([...lists.rows.keys({})].length, 5)
    t.is(store.counts.size, 0)
  })
})

test('a long list is counted anew after a restart', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, async (store) => {
    for (let order = 1; order <= 3; order += 1) move(store, actorAt(order), [], [LONG])
    await store.flushed()
  })
  await withStore(folder, async (store) => {
    move(store, actorAt(4), [], [LONG])
    t.deepEqual([store.lists.size(LONG), store.lists.sizeOnDisk(LONG)], [4, 3])
    await store.flushed()
    t.is(store.lists.sizeOnDisk(LONG), 4)
  })
})

test('a short list is counted on disk, in the commit of its rows', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, async (store) => {
    const changed = move(store, actorAt(1, 'agent'), [], [SHORT, LONG])
    t.deepEqual(changed, [SHORT])
    t.deepEqual([store.lists.size(SHORT), store.lists.sizeOnDisk(SHORT)], [1, 0])
    await store.flushed()
  })
  await withStore(folder, async (store) => {
    t.is(store.lists.sizeOnDisk(SHORT), 1)
    t.deepEqual(store.lists.refs(SHORT), ['agent/c1'])
  })
})

test('no two payments have one order: the second is not written, and the store ends', async (t) => {
  await withStore(newFolder(t), async (store) => {
    const payment = (id: string): Actor => {
      const fields = { id, organization: 'o', order: 7, createdAt: 1, updatedAt: 1, gates: [], holds: [] }
      return { ref: `payment/${id}`, version: 1, revision: 1, state: 'denied', context: fields as never }
    }
    const change = (after: Actor) => ({ before: undefined, after, ...NO_WAKES })
    const commit = (after: Actor) => store.commit({ ...NO_CHANGE, actors: [change(after)] })
    await commit(payment('one'))
    await t.throwsAsync(commit(payment('other')))
    t.is(store.committed('payment/other'), undefined)
    t.is(fieldsOf(store.committed('payment/one')!)['id'], 'one')
  })
})

const NO_WAKES = { wakeBefore: undefined, wakeAfter: undefined, metaBefore: undefined, metaAfter: {}, moved: undefined }
const NO_CHANGE = {
  organization: 'o',
  by: { type: 'SYSTEM', id: 'test' },
  at: 1,
  keys: [],
  audited: [],
  deliveries: [],
  record: undefined,
}
