// Audit entries survive kills in the middle of their packing, while others are appended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { AuditLog } from '../../../src/store/audit/log.js'
import { GROUP } from '../../../src/store/audit/packs.js'
import type { Store } from '../../../src/store/store.js'
import { fill } from '../../support/auditChain.js'
import { withStore } from '../../support/openStore.js'
import { newFolder } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'

const LOG = 'cpacked'
const ENTRIES = 20_000
const KILLS = 6

/** Packs in a process of its own, and appends; it is killed after so long. */
async function packIn(folder: string, afterMs: number): Promise<void> {
  const moduleOf = (...path: string[]): string => JSON.stringify(join(projectRoot, 'dist', ...path))
  const script = `
    const { replayJournal } = await import(${moduleOf('src', 'store', 'journal', 'replay.js')})
    const { Store } = await import(${moduleOf('src', 'store', 'store.js')})
    const { charts } = await import(${moduleOf('machines', 'index.js')})
    const { fill } = await import(${moduleOf('test', 'support', 'auditChain.js')})
    const store = new Store((bytes) => new Uint8Array(bytes), charts)
    await replayJournal(process.argv[1])
    store.open(process.argv[1])
    await store.takeOver()
    console.log('begun')
    const last = store.lastSequence('${LOG}')
    for (let from = last; ; from += 50) await Promise.all([store.packing.next(), fill(store, '${LOG}', 50, from)])`
  const arguments_ = ['--input-type=module', '-e', script, folder]
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await closed
}

const singleIn = ({ audit }: Store): number => audit.countKeys({})

test('after every kill the log is whole and valid, and in the end all old groups are packed', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, (store) => fill(store, LOG, ENTRIES))
  let [known, rest] = [ENTRIES, ENTRIES]
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await packIn(folder, 30 * kill)
    await withStore(folder, async (store) => {
      const log = new AuditLog(store)
      const last = await log.last(LOG)
      t.true(last >= known)
      t.like(await log.verify(LOG), { valid: true, entries: last })
      const packed = Array.from(store.auditPacks.rows()).length
      t.is(packed + singleIn(store), last)
      ;[known, rest] = [last, last - packed]
    })
  }
  t.true(rest < known, 'nothing was packed')
  await withStore(folder, async (store) => {
    while ((await store.packing.next()) !== undefined);
    t.true(singleIn(store) < 2 * GROUP)
    t.like(await new AuditLog(store).verify(LOG), { valid: true, entries: known })
  })
})
