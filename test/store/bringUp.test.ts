// A folder of an earlier schema: brought up table by table, also after a start that was interrupted; refused where no
// steps lead on from it, and where it is of a later one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { charts } from '../../machines/index.js'
import type { Json } from '../../src/domain/values/canonical.js'
import { NO_NETWORK } from '../../src/domain/parties/networkTotals.js'
import { bringUp } from '../../src/store/migration/bringUp.js'
import { SCHEMA, SCHEMA_STEPS, type SchemaSteps, type WrittenRow } from '../../src/store/migration/schema.js'
import { Store } from '../../src/store/store.js'
import { withStore, writeSchema } from '../support/openStore.js'
import { newFolder } from '../support/process.js'

/** More than a commit has. */
const ROWS = 1_200
const EARLIER = SCHEMA - 2
const keyOf = (index: number): string => `key${String(index).padStart(5, '0')}`
const AT_HALF = keyOf(ROWS / 2)

/** A folder of two schemas ago, with counters and an index of them. */
async function earlierFolder(t: ExecutionContext): Promise<string> {
  const folder = newFolder(t)
  await withStore(folder, async (store) => {
    for (let index = 0; index < ROWS; index += 1) store.counts.put(keyOf(index), index)
    for (let index = 0; index < ROWS; index += 1) store.expiries.put(keyOf(index), null)
  })
  await writeSchema(folder, EARLIER)
  return folder
}

/** Doubles the counters, moves the index under other keys into another table, and then adds one to the counters. */
function steps(onRow: (key: string) => void = () => {}): SchemaSteps {
  const doubled = (key: string, value: Json) => {
    onRow(key)
    return [{ table: 'counts', key, value: 2 * (value as number) }]
  }
  const moved = (key: string) => (key === keyOf(0) ? [] : [{ table: 'lookups', key: `a/${key}`, value: 'agent/a' }])
  const increased = (key: string, value: Json) => [{ table: 'counts', key, value: (value as number) + 1 }]
  return { [EARLIER]: { counts: doubled, expiries: moved }, [EARLIER + 1]: { counts: increased } }
}

async function checkDone(t: ExecutionContext, folder: string): Promise<void> {
  await withStore(folder, async (store) => {
    const counts = [...store.counts.range({})]
    t.deepEqual(
      counts,
      counts.map((_, index) => [keyOf(index), 2 * index + 1]),
    )
    t.is(counts.length, ROWS)
    t.is(store.expiries.size, 0)
    t.deepEqual([...store.lookups.keys({ limit: 1 })], [`a/${keyOf(1)}`])
    t.is(store.lookups.size, ROWS - 1)
  })
}

test('the rows of a folder of an earlier schema go through the steps to the present one', async (t) => {
  const folder = await earlierFolder(t)
  await bringUp(folder, steps())
  await checkDone(t, folder)
  await bringUp(folder, steps())
  await checkDone(t, folder)
})

test('a start that was interrupted goes on where it ended, and takes no row twice', async (t) => {
  const folder = await earlierFolder(t)
  const interrupting = steps((key) => {
    if (key === AT_HALF) throw new Error('Interrupted')
  })
  await t.throwsAsync(bringUp(folder, interrupting), { message: 'Interrupted' })
  t.throws(() => new Store((bytes) => new Uint8Array(bytes), charts).open(folder), { message: /has schema/ })
  const taken: string[] = []
  await bringUp(
    folder,
    steps((key) => void taken.push(key)),
  )
  t.true(taken.length < ROWS, String(taken.length))
  t.true(taken.includes(AT_HALF))
  await checkDone(t, folder)
})

test('a folder is refused where a step is missing, and left as it is', async (t) => {
  const folder = await earlierFolder(t)
  const before = readFileSync(join(folder, 'data.mdb'))
  const { [EARLIER]: first } = steps()
  const message = `The data folder ${folder} has schema ${EARLIER}; this version reads ${SCHEMA}`
  await t.throwsAsync(bringUp(folder, { [EARLIER]: first! }), { message })
  t.true(readFileSync(join(folder, 'data.mdb')).equals(before))
})

test('of an address that few had paid, what a day began with counts as nothing where it was not kept', (t) => {
  const few = { transactionCount: 3, organizationCount: 2, day: 20_000, before: null }
  const many = { ...few, before: { transactionCount: 9, organizationCount: 6 } }
  const step = SCHEMA_STEPS[13]!['network']!
  const [{ value }] = step('0xa', few) as [WrittenRow]
  t.like(value, { ...few, before: NO_NETWORK })
  t.deepEqual(step('0xb', many), [{ table: 'network', key: '0xb', value: many }])
})

test('a folder of a later schema is refused with both, and what to do', async (t) => {
  const folder = newFolder(t)
  await writeSchema(folder, SCHEMA + 1)
  const message =
    `The data folder ${folder} has schema ${SCHEMA + 1}; this version of Bursar reads up to ${SCHEMA}: ` +
    'start the version that wrote it, or restore a backup from before'
  await t.throwsAsync(bringUp(folder), { message })
  t.throws(() => new Store((bytes) => new Uint8Array(bytes), charts).open(folder), { message })
})
