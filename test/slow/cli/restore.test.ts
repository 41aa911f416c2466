// Restoring: the backup stays as it is, and no service starts on a restore that is under way or was killed.
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { writeManifest } from '../../../src/cli/data/manifest.js'
import { LOCKS } from '../../../src/store/folder/files.js'
import { newFolder, runToEnd } from '../../support/process.js'
import { nameOf, refOf, withStore } from '../../support/openStore.js'
import { bursar, launch } from '../../support/commandLine.js'

const on = (folder: string) => ({ env: { BURSAR_DATA_DIR: folder } })
const filesOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, hash('sha256', readFileSync(join(folder, name)))])

/** Whatever was locked leaves the files of its lock. */
const contentsOf = (folder: string) => readdirSync(folder).filter((name) => !LOCKS.has(name))

function put(folder: string, index: number): Promise<void> {
  return withStore(folder, (store) => {
    store.lookups.put(nameOf(index), refOf(index))
    return store.flushed()
  })
}

/** A backup of a folder with a secret and a record. */
async function backedUp(t: ExecutionContext): Promise<string> {
  const [folder, backup] = [newFolder(t), newFolder(t)]
  await put(folder, 1)
  writeFileSync(join(folder, 'some.secret'), 'x')
  const { status, error } = await bursar(['backup', backup], on(folder))
  t.is(status, 0, error)
  return backup
}

test('a backup is restored as often as one likes, and stays as it is', async (t) => {
  const backup = await backedUp(t)
  const before = filesOf(backup)
  for (const folder of [newFolder(t), newFolder(t)]) {
    const { status, error } = await bursar(['restore', backup], on(folder))
    t.is(status, 0, error)
    t.deepEqual(filesOf(backup), before)
    t.deepEqual(contentsOf(folder), ['data.mdb', 'some.secret'])
    await withStore(folder, async ({ lookups }) => void t.deepEqual([...lookups.keys({})], [nameOf(1)]))
  }
})

test('a data folder and its backup may have a dot in their names', async (t) => {
  const dotted = (name: string) => join(newFolder(t), name)
  const folder = dotted('bursar.d')
  await put(folder, 1)
  for (const flags of [[], ['--compact']]) {
    const [backup, restored] = [dotted('2026.11.23'), dotted('bursar.restored')]
    const made = await bursar(['backup', backup, ...flags], on(folder))
    t.is(made.status, 0, made.error)
    const back = await bursar(['restore', backup], on(restored))
    t.is(back.status, 0, back.error)
    await withStore(restored, async ({ lookups }) => void t.deepEqual([...lookups.keys({})], [nameOf(1)]))
  }
})

test('no service starts during a restore, nor after one that was killed', async (t) => {
  const backup = await backedUp(t)
  const folder = newFolder(t)
  const { child, ended } = launch(['restore', backup], on(folder))
  t.teardown(() => child.kill('SIGKILL'))
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver && !existsSync(join(folder, 'restore-unfinished'))) await pause(1)
  t.false(isOver)
  child.kill('SIGSTOP')
  t.false(existsSync(join(folder, 'data.mdb')))
  const early = await runToEnd(t, folder)
  t.is(early.code, 1)
  t.regex(early.stderr, /is in use by another process/)
  child.kill('SIGKILL')
  await ended
  const late = await runToEnd(t, folder)
  t.is(late.code, 1)
  t.is(late.stderr.trimEnd().split('\n').length, 1)
  t.regex(late.stderr, /contains an unfinished restore: empty it and restore again/)
  t.regex((await bursar(['restore', backup], on(folder))).error, /contains an unfinished restore/)
  t.deepEqual(contentsOf(folder), ['restore-unfinished'])
})

test('a database that cannot be read is not restored and leaves the folder empty', async (t) => {
  const backup = await backedUp(t)
  const folder = newFolder(t)
  truncateSync(join(backup, 'data.mdb'), 20_000)
  await writeManifest(backup)
  const { status, error } = await bursar(['restore', backup], on(folder))
  t.is(status, 1)
  t.true(error.startsWith(`${backup} cannot be restored: `), error)
  t.deepEqual(contentsOf(folder), [])
})

test('a backup that does not exist is named in the error', async (t) => {
  const [missing, folder] = [newFolder(t), newFolder(t)]
  const { status, error } = await bursar(['restore', missing], on(folder))
  t.deepEqual([status, error], [1, `${missing} does not exist: name the folder of a backup\n`])
})
