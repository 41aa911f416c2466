// Folders between two versions: a real kill in the middle of a migration, and a folder that a later version has opened.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { charts } from '../../../machines/index.js'
import type { Message } from '../../../src/actor/actor.js'
import { deliver } from '../../../src/actor/host.js'
import type { KernelChart } from '../../../src/actor/turn.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import type { StoredActor } from '../../../src/store/records/actors.js'
import { Store } from '../../../src/store/store.js'
import { rowsIn } from '../../support/integrity.js'
import { withStore } from '../../support/openStore.js'
import { newFolder, runToEnd, startService } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'
import { shelves } from '../../support/shelves.js'

const ACTORS = 20_000
const KILLS = 5

async function makeActors(store: Store): Promise<void> {
  const host = new EmbeddedHost(shelves(1), store, { hotActors: 10 })
  const made = Array.from({ length: ACTORS }, (_, index) => {
    const fields = { id: `${index}`, organization: 'o', order: index, books: index, note: 'x'.repeat(200) }
    const message = { type: 'MAKE', now: 0, organization: 'o', fields } as unknown as Message
    return deliver(host, { type: 'test', id: 'client' }, `shelf/${index}`, message)
  })
  await Promise.all(made)
}

/** Rewrites in a process of its own; with `afterMs` it is killed. Returns the signal that ended it. */
async function rewriteIn(folder: string, afterMs?: number): Promise<string | null> {
  const moduleOf = (...path: string[]): string => JSON.stringify(join(projectRoot, 'dist', ...path))
  const script = `
    const { replayJournal } = await import(${moduleOf('src', 'store', 'journal', 'replay.js')})
    const { Store } = await import(${moduleOf('src', 'store', 'store.js')})
    const { startMigration } = await import(${moduleOf('src', 'host', 'migration.js')})
    const { shelves } = await import(${moduleOf('test', 'support', 'shelves.js')})
    const store = new Store((bytes) => new Uint8Array(bytes), shelves(3))
    await replayJournal(process.argv[1])
    store.open(process.argv[1])
    await store.takeOver()
    const flushed = () => store.flushed()
    const onError = (error) => { throw error }
    console.log('begun')
    await startMigration({ rewriting: store.rewriting, flushed, onError }).done
    await store.close()`
  const arguments_ = ['--input-type=module', '-e', script, folder]
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  if (afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs)
  const [, signal] = (await closed) as [number | null, string | null]
  return signal
}

function versionsOf(store: Store): { [version: number]: number } {
  const counts: { [version: number]: number } = {}
  for (const [, { version }] of rowsIn<StoredActor>(store, 'actors')) counts[version] = (counts[version] ?? 0) + 1
  return counts
}

test.serial('actors are the same after every kill of a migration, and it ends', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, makeActors, shelves(1))
  const actorsIn = (store: Store): Promise<unknown[]> => Promise.resolve([...store.everyActor()])
  const before = await withStore(folder, actorsIn, shelves(3))
  t.is(before.length, ACTORS)
  let rest = ACTORS
  for (let kill = 1; kill <= KILLS; kill += 1) {
    t.is(await rewriteIn(folder, 20 * kill), 'SIGKILL')
    await withStore(
      folder,
      async (store) => {
        const { 1: left = 0, 3: done = 0 } = versionsOf(store)
        t.is(left + done, ACTORS)
        t.true(left > 0 && left <= rest)
        rest = left
        t.deepEqual([...store.everyActor()], before)
      },
      shelves(3),
    )
  }
  t.true(rest < ACTORS)
  t.is(await rewriteIn(folder), null)
  await withStore(
    folder,
    async (store) => {
      t.deepEqual(versionsOf(store), { 3: ACTORS })
      t.deepEqual([...store.everyActor()], before)
      t.deepEqual(store.rewriting.kinds, [])
    },
    shelves(3),
  )
})

test.serial(
  'a folder that a later version has opened does not start, and says both versions in one line',
  async (t) => {
    const folder = newFolder(t)
    await (await startService(t, folder)).stop()
    const later = { ...(charts.agent as KernelChart), version: 2, steps: { 1: {} } }
    await withStore(folder, async () => {}, { ...charts, agent: later })
    const { code, stdout, stderr } = await runToEnd(t, folder)
    const message =
      `The data folder ${folder} has agent records of version 2; this version of Bursar reads up to 1: ` +
      'start the version that wrote it, or restore a backup from before\n'
    t.deepEqual([code, stdout, stderr], [1, '', message])
  },
)
