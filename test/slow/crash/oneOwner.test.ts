// One service decides on a folder, wherever the others run; one that lost its folder without noticing writes nothing.
import { fieldsOf } from '../../../src/actor/actor.js'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { notRun } from '../../support/notRun.js'
import { projectRoot } from '../../support/root.js'
import { withStore } from '../../support/openStore.js'
import { newClient, type Failure } from '../../support/client.js'
import {
  newFolder,
  NotStarted,
  ORGANIZATION_KEY,
  runToEnd,
  startService,
  type StartOptions,
} from '../../support/process.js'

const IN_USE = /^The data folder .* is in use by another process\n$/
const ELSEWHERE: [string, string[]][] = [
  ['another network namespace', ['--net']],
  // As in two containers, whose first processes both have the id 1.
  ['other namespaces with the same process id', ['--net', '--ipc', '--fork', '--pid', '--mount-proc', '--kill-child']],
]

const isolated = (flags: string[]): StartOptions => ({ shell: `exec unshare ${flags.join(' ')} "$@"` })
const mayIsolate = (flags: string[]): boolean => spawnSync('unshare', [...flags, 'true']).status === 0

for (const [where, flags] of ELSEWHERE) {
  test.serial(`a service in ${where} is refused while one runs, and starts once that was killed`, async (t) => {
    if (!mayIsolate(flags)) return notRun(t, `the privilege of unshare ${flags.join(' ')}`)
    const folder = newFolder(t)
    const holder = await startService(t, folder, isolated(flags))
    for (const options of [isolated(flags), {}]) t.regex((await runToEnd(t, folder, options)).stderr, IN_USE)
    t.deepEqual(holder.output().stderr, '')
    await holder.kill()
    await t.notThrowsAsync(startService(t, folder, isolated(flags)))
  })
}

test.serial('a service with another temporary folder, and one by another path, are refused', async (t) => {
  const [folder, temporary, link] = [newFolder(t), newFolder(t), newFolder(t)]
  mkdirSync(temporary)
  const service = await startService(t, folder)
  symlinkSync(folder, link)
  t.regex((await runToEnd(t, folder, { env: { TMPDIR: temporary } })).stderr, IN_USE)
  t.regex((await runToEnd(t, link)).stderr, IN_USE)
  t.is((await newClient(t, service.url).get('/api/agents', ORGANIZATION_KEY)).status, 200)
})

test.serial('of services that start at once on one folder at most one is ready', async (t) => {
  const folder = newFolder(t)
  await (await startService(t, folder)).stop()
  const starts = Array.from({ length: 4 }, () => startService(t, folder))
  const refusals = (await Promise.allSettled(starts)).filter(({ status }) => status === 'rejected')
  t.true(refusals.length >= 3)
  for (const { reason } of refusals as PromiseRejectedResult[]) t.regex((reason as NotStarted).exit.stderr, IN_USE)
})

/** Opens the store in another process, as a service does that was given the folder. */
function takeOverIn(folder: string): number | null {
  const moduleOf = (...path: string[]): string => JSON.stringify(join(projectRoot, 'dist', ...path))
  const script = `
    const { Store } = await import(${moduleOf('src', 'store', 'store.js')})
    const { replayJournal } = await import(${moduleOf('src', 'store', 'journal', 'replay.js')})
    const { charts } = await import(${moduleOf('machines', 'index.js')})
    const store = new Store((bytes) => new Uint8Array(bytes), charts)
    await replayJournal(process.argv[1])
    store.open(process.argv[1])
    await store.takeOver()
    await store.close()`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: 'inherit' }).status
}

test.serial('a service whose folder was taken over commits nothing more, and ends', async (t) => {
  const service = await startService(t, newFolder(t))
  const client = newClient(t, service.url)
  const agent = (name: string) => client.post<Failure>('/api/agents', ORGANIZATION_KEY, { name, agentType: 'CUSTOM' })
  t.is((await agent('Before')).status, 201)
  t.is(takeOverIn(service.folder), 0)
  const late = await agent('After')
  t.deepEqual([late.status, late.body.code], [503, 'UNAVAILABLE'])
  t.is((await client.get('/readyz', '')).status, 503)
  t.not((await service.exited).code, 0)
  // Whichever it notices first: the journal is not its own any more, or the file of it that the other removed.
  t.regex(service.output().stderr, /Another process has opened the data folder since|confirmed is missing/)
  await withStore(service.folder, async (store) => {
    const names = [...store.everyActor()].map((actor) => fieldsOf(actor)['name'])
    t.true(names.includes('Before'))
    t.false(names.includes('After'))
  })
})
