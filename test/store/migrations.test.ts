// Actors of earlier versions of their chart: read as the present version has them, written whole in its form, rewritten
// in the background, also after a kill; what a later version stored is refused.
import { cpSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { createMachine } from 'xstate'
import { charts } from '../../machines/index.js'
import { fieldsOf, type Actor, type Message } from '../../src/actor/actor.js'
import { deliver } from '../../src/actor/host.js'
import type { ChartBook, KernelChart } from '../../src/actor/turn.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import type { Json } from '../../src/domain/values/canonical.js'
import type { MigrationSteps } from '../../src/domain/values/migration.js'
import { startMigration } from '../../src/host/migration.js'
import type { StoredActor } from '../../src/store/records/actors.js'
import { replayJournal } from '../../src/store/journal/replay.js'
import { Store } from '../../src/store/store.js'
import { rowsIn } from '../support/integrity.js'
import { ask, fundedAgent } from '../support/payments.js'
import { withStore } from '../support/openStore.js'
import { newFolder } from '../support/process.js'
import { start } from '../support/service.js'
import { shelf, SHELF_STEPS, shelves } from '../support/shelves.js'
import { StoredHost } from '../support/storedHost.js'

const BY = { type: 'test', id: 'client' }
const ORDER = 5_000_000
/** More than are read at once. */
const MANY = 600
const PLAIN: Ref = 'shelf/plain'
const FULL: Ref = 'shelf/full'

async function opened(t: ExecutionContext, version: number): Promise<StoredHost> {
  const stored = new StoredHost(shelves(version))
  t.teardown(() => stored.close())
  await stored.taken
  return stored
}

/** Like a start of the service with this version of the chart. */
async function restarted(stored: StoredHost, book: ChartBook): Promise<void> {
  await stored.restart(book)
  await stored.taken
}

function tell({ host }: StoredHost, ref: Ref, type: 'MAKE' | 'SET', fields: object): Promise<unknown> {
  return deliver(host, BY, ref, { type, now: 5_000, organization: 'o', fields } as unknown as Message)
}

async function make({ host }: StoredHost, ref: Ref, fields: object = {}): Promise<void> {
  const id = ref.slice('shelf/'.length)
  const record = { id, organization: 'o', createdAt: 5_000, updatedAt: 5_000, order: ORDER }
  await deliver(host, BY, ref, {
    type: 'MAKE',
    now: 5_000,
    organization: 'o',
    fields: { ...record, ...fields },
  } as never)
}

/** Of the third version. */
function whole(ref: Ref, fields: object, revision = 1): Actor {
  const record = { id: ref.slice('shelf/'.length), organization: 'o', createdAt: 5_000, updatedAt: 5_000, order: ORDER }
  const context = { ...record, note: null, ...fields }
  return { ref, version: 3, revision, state: 'open', context } as unknown as Actor
}

const initialPayment = charts.payment.machine.config.context as object
const PLAIN_NOW = whole(PLAIN, { name: 'none', stock: { books: 0 }, colour: 'white' })

function rowOf(store: Store, ref: Ref, table = 'actors'): StoredActor | undefined {
  return new Map(rowsIn<StoredActor>(store, table)).get(ref)
}

function versionsIn(store: Store, table = 'actors'): number[] {
  return [...new Set(rowsIn<StoredActor>(store, table).map(([, { version }]) => version))].toSorted()
}

/** Rewrites everything, as the service does in the background; resolves with what failed. */
async function rewritten(store: Store): Promise<unknown[]> {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  await startMigration({ rewriting: store.rewriting, flushed: () => store.flushed(), onError }).done
  return errors
}

for (const version of [1, 2]) {
  test(`an actor of version ${version} is read as the third has it, and its rows stay as they are`, async (t) => {
    const stored = await opened(t, version)
    await make(stored, PLAIN)
    const named = version === 1 ? { label: 'Poems' } : { name: 'Poems', colour: 'grey' }
    await make(stored, FULL, { ...named, books: 7, note: 'full' })
    const before = [rowOf(stored.store, PLAIN), rowOf(stored.store, FULL)]
    await restarted(stored, shelves(3))
    t.deepEqual(stored.host.peek(PLAIN), PLAIN_NOW)
    const colour = version === 1 ? 'white' : 'grey'
    const full = whole(FULL, { name: 'Poems', stock: { books: 7 }, colour, note: 'full' })
    t.deepEqual(stored.host.peek(FULL), full)
    t.deepEqual(stored.store.committed(FULL), full)
    t.deepEqual(
      [...stored.store.everyActor()].map(({ ref }) => ref),
      [FULL, PLAIN],
    )
    t.deepEqual([rowOf(stored.store, PLAIN), rowOf(stored.store, FULL)], before)
  })

  test(`an actor of version ${version} is written whole in the form of the third`, async (t) => {
    const stored = await opened(t, version)
    await make(stored, PLAIN)
    await restarted(stored, shelves(3))
    await tell(stored, PLAIN, 'SET', { note: 'seen' })
    const context = {
      organization: 'o',
      order: ORDER,
      note: 'seen',
      name: 'none',
      stock: { books: 0 },
      colour: 'white',
    }
    t.deepEqual(rowOf(stored.store, PLAIN), { version: 3, revision: 2, state: 'open', context } as StoredActor)
    t.is(rowOf(stored.store, PLAIN, 'actorCounts'), undefined)
    await restarted(stored, shelves(3))
    t.deepEqual(stored.host.peek(PLAIN), whole(PLAIN, { ...fieldsOf(PLAIN_NOW), note: 'seen' }, 2))
  })
}

test('what is counted is stored apart from the next write on, though nothing else changes', async (t) => {
  const stored = await opened(t, 1)
  await make(stored, PLAIN)
  await restarted(stored, shelves(2))
  await tell(stored, PLAIN, 'SET', { books: 3 })
  const row = rowOf(stored.store, PLAIN)!
  t.deepEqual([row.version, row.revision, row.context['books']], [2, undefined, undefined])
  t.deepEqual(rowOf(stored.store, PLAIN, 'actorCounts') as unknown, { revision: 2, context: { books: 3 } })
  await tell(stored, PLAIN, 'SET', { books: 4 })
  t.deepEqual(rowOf(stored.store, PLAIN), row)
})

for (const version of [1, 2]) {
  test(`actors of version ${version} are rewritten in the background, and looked for only once`, async (t) => {
    const stored = await opened(t, version)
    for (let index = 0; index < MANY; index += 1) await make(stored, `shelf/${index}`)
    await restarted(stored, shelves(3))
    t.deepEqual(stored.store.rewriting.kinds, ['shelf'])
    await tell(stored, 'shelf/7', 'SET', { note: 'seen' })
    const before = [...stored.store.everyActor()]
    t.deepEqual(await rewritten(stored.store), [])
    t.deepEqual(versionsIn(stored.store), [3])
    t.is(rowsIn(stored.store, 'actorCounts').length, 0)
    t.deepEqual([...stored.store.everyActor()], before)
    await restarted(stored, shelves(3))
    t.deepEqual(stored.store.rewriting.kinds, [])
    t.deepEqual([...stored.store.everyActor()], before)
  })
}

test('after a kill in the middle every actor is read as before, and the rest is rewritten', async (t) => {
  const stored = await opened(t, 1)
  for (let index = 0; index < MANY; index += 1) await make(stored, `shelf/${index}`)
  await restarted(stored, shelves(3))
  const before = [...stored.store.everyActor()]
  const keys = [...stored.store.rewriting.keys('shelf')]
  t.is(keys.length, MANY)
  for (const key of keys.slice(0, MANY / 2)) stored.store.rewriting.renew('shelf', key)
  await stored.store.flushed()
  // All commits are done: the copy is what a kill leaves.
  const folder = newFolder(t)
  cpSync(stored.folder, folder, { recursive: true, filter: (path) => !path.endsWith('lock.mdb') })
  const store = new Store((bytes) => new Uint8Array(bytes), shelves(3))
  await replayJournal(folder)
  store.open(folder)
  await store.takeOver()
  t.deepEqual(versionsIn(store), [1, 3])
  t.deepEqual(store.rewriting.kinds, ['shelf'])
  t.deepEqual([...store.everyActor()], before)
  t.deepEqual(await rewritten(store), [])
  t.deepEqual(versionsIn(store), [3])
  t.deepEqual([...store.everyActor()], before)
  await store.close()
})

test('an actor that no step can take keeps no other from being rewritten, and is tried again', async (t) => {
  const stored = await opened(t, 1)
  for (const ref of [FULL, PLAIN, 'shelf/third'] as Ref[]) await make(stored, ref)
  const failing: MigrationSteps = {
    ...SHELF_STEPS,
    1: {
      ...SHELF_STEPS[1],
      step: (snapshot) => {
        if (snapshot.context['id'] === 'full') throw new Error('Too full')
        return SHELF_STEPS[1]!.step!(snapshot)
      },
    },
  }
  await restarted(stored, { shelf: shelf(3, failing) })
  t.deepEqual((await rewritten(stored.store)).map(String), ['Error: Too full'])
  t.deepEqual(
    [FULL, PLAIN, 'shelf/third' as Ref].map((ref) => rowOf(stored.store, ref)!.version),
    [1, 3, 3],
  )
  await restarted(stored, shelves(3))
  t.deepEqual(await rewritten(stored.store), [])
  t.deepEqual(versionsIn(stored.store), [3])
})

const PRESENT = charts.payment.version

/** The shipped charts, with a later version of payments: another default of the terms and of the record, a new field. */
const LATER_PAYMENTS: ChartBook = {
  ...charts,
  payment: {
    ...(charts.payment as KernelChart),
    machine: createMachine(
      { ...charts.payment.machine.config, context: { ...initialPayment, txHash: 'none' } } as never,
      charts.payment.machine.implementations as never,
    ),
    version: PRESENT + 1,
    steps: {
      ...charts.payment.steps,
      [PRESENT]: {
        defaults: { context: { txHash: null }, terms: { currency: 'EURC' }, record: { status: 201 } },
        step: ({ state, context, record }) => {
          const terms = context['terms'] as { [field: string]: Json }
          const changed = { ...context, terms: { ...terms, purpose: `in ${String(terms['currency'])}` } }
          return { state, context: changed, ...(record && { record: { ...record, bodyHash: 'hashed' } }) }
        },
      },
    },
  },
}

test('payments of an earlier version are read, rewritten and kept with their records', async (t) => {
  const service = await start(t)
  const agent = await fundedAgent(service.client)
  const asked = [1, 2, 3].map((amount) => ask(service.client, agent.key, amount, { idempotencyKey: `key-${amount}` }))
  const refs = (await Promise.all(asked)).map(({ body }) => `payment/${body.requestId}` as const)
  await service.stop()
  const [stored, first] = await withStore(
    service.folder,
    async (store) => {
      return [refs.map((ref) => store.actor(ref)!), store.idempotencyRecord(refs[0]!)!] as const
    },
    charts,
  )
  const expected = stored.map((payment) => {
    const terms = { ...payment.context.terms, currency: 'EURC', purpose: 'in EURC' }
    return { ...payment, version: PRESENT + 1, context: { ...payment.context, terms } }
  })
  for (const isRewritten of [false, true]) {
    await withStore(
      service.folder,
      async (store) => {
        t.deepEqual(versionsIn(store, 'payments'), [isRewritten ? PRESENT + 1 : PRESENT])
        t.deepEqual(refs.map((ref) => store.actor(ref)!) as unknown, expected)
        t.deepEqual(store.idempotencyRecord(refs[0]!), { ...first, status: 201, bodyHash: 'hashed' })
        t.deepEqual(await rewritten(store), [])
        t.deepEqual(versionsIn(store, 'payments'), [PRESENT + 1])
      },
      LATER_PAYMENTS,
    )
  }
})

test('a store that a later version has opened is refused with both versions, and left as it is', async (t) => {
  const stored = await opened(t, 2)
  await make(stored, PLAIN)
  await restarted(stored, shelves(3))
  await stored.restart(shelves(2))
  const message =
    `The data folder ${stored.folder} has shelf records of version 3; this version of Bursar reads up to 2: ` +
    'start the version that wrote it, or restore a backup from before'
  await t.throwsAsync(stored.taken, { message })
  t.is(rowOf(stored.store, PLAIN)!.version, 2)
})

test('an actor of a later version is not read', async (t) => {
  const stored = await opened(t, 3)
  await make(stored, PLAIN)
  await stored.restart(shelves(2))
  const message = /^shelf\/plain has version 3; this version of Bursar reads up to 2: /
  t.throws(() => stored.host.peek(PLAIN), { message })
  t.throws(() => [...stored.store.everyActor()], { message })
})

test('a store with a kind that this version does not know is refused', async (t) => {
  const stored = await opened(t, 1)
  await stored.restart({})
  const message = /has shelf records of version 1; this version of Bursar reads none: /
  await t.throwsAsync(stored.taken, { message })
})

test('a chart that lacks a step does not start', (t) => {
  const { 1: first } = SHELF_STEPS
  const message = 'The chart of shelf has no step from version 2 to 3'
  t.throws(() => new Store((bytes) => new Uint8Array(bytes), { shelf: shelf(3, { 1: first! }) }), { message })
})

test('a new store has nothing to rewrite', async (t) => {
  const folder = newFolder(t)
  const store = new Store((bytes) => new Uint8Array(bytes), shelves(3))
  store.open(folder)
  await store.takeOver()
  t.deepEqual(await rewritten(store), [])
  t.deepEqual(store.rewriting.kinds, [])
  await store.close()
})
