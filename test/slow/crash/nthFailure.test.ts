// The disk fails once a store has done any number of writes or syncs: whatever was durable by then is there afterwards.
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runs } from '../../support/depth.js'
import { notRun } from '../../support/notRun.js'
import { withStore } from '../../support/openStore.js'
import { newFolder } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'
import { failingDisk, type FailingDisk } from '../../support/failingDisk.js'

const CALLS = 200
const STEP = CALLS / Math.min(CALLS, runs(20))
const ROWS = 250
const FAULTS: [call: string, file: string][] = [
  ['write', '.segment'],
  ['sync', '.segment'],
  ['write', '/confirmed'],
  ['write', 'data.mdb'],
  ['sync', 'data.mdb'],
  ['metawrite', 'data.mdb'],
]

const moduleOf = (...path: string[]): string => JSON.stringify(join(projectRoot, 'dist', ...path))

/** Writes rows one after the other, so large that segments are used again, and says which are durable. */
const WRITING = `
  const { writeSync } = await import('node:fs')
  const { Store } = await import(${moduleOf('src', 'store', 'store.js')})
  const { charts } = await import(${moduleOf('machines', 'index.js')})
  const store = new Store((bytes) => new Uint8Array(bytes), charts, () => process.exit(1))
  store.open(process.argv[1])
  await store.takeOver()
  for (let row = 0; row < ${ROWS}; row += 1) {
    store.lookups.put('row/' + row, 'agent/' + row + 'x'.repeat(50_000))
    await store.flushed()
    writeSync(1, row + '\\n')
  }
  await store.close()`

/** The rows that a process has said to be durable, on a disk that fails from a call on. */
function durableRows(folder: string, { env }: FailingDisk): number {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 24 } as const
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', WRITING, folder], options)
  return stdout.trim() === '' ? 0 : stdout.trim().split('\n').length
}

async function endsWith(t: ExecutionContext, folder: string, durable: number, what: string): Promise<void> {
  await withStore(folder, async ({ lookups }) => {
    const found = [...lookups.keys({ start: 'row/', end: 'row/:' })].length
    t.true(found >= durable && found <= durable + 1, `${what}: ${found} rows, ${durable} were durable`)
    for (let row = 0; row < found; row += 1) t.true(lookups.get(`row/${row}`)?.startsWith(`agent/${row}x`))
  })
}

for (const [call, file] of FAULTS) {
  test.serial(`whatever was durable before a ${call} of ${file} failed is there after the next start`, async (t) => {
    t.timeout(600_000)
    const disk = failingDisk(t)
    if (!disk) return notRun(t, 'a C compiler, with which a failing disk is made')
    const folder = newFolder(t)
    await withStore(folder, (store) => store.stored())
    let least = ROWS
    for (let first = 1; first <= CALLS; first += STEP) {
      const copy = newFolder(t)
      cpSync(folder, copy, { recursive: true })
      disk.fail(call, constants.errno.EIO, file, Math.floor(first))
      const durable = durableRows(copy, disk)
      least = Math.min(least, durable)
      await endsWith(t, copy, durable, `${call} ${Math.floor(first)} of ${file}`)
    }
    t.true(least < ROWS)
  })
}
