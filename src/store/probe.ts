// Checks a data folder in a child process before the service opens it: LMDB trusts its file, and a damaged one can end
// the process that maps it (SIGBUS, SIGSEGV). The probe checks the structure of the file, then opens the folder as the
// service does, and leaves it as it is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isKnownLayout } from './lmdbMeta.js'
import { checkPages } from './lmdbPages.js'
import { OtherSchema, Store } from './store.js'
import type { Table } from './table.js'

/** How much of a file is checked: whole, or as much of each table as a start has time for. */
export type Extent = 'whole' | 'start'

/** Time for the structure at a start: enough for a gigabyte or two in the system's page cache. */
const STRUCTURE_MS = 1_500
/** Time for reading records: a small store is read whole, a large one at the beginning and the end of each table. */
const READING_MS = 1_000
/** Timeout of a probe, and the rate to add for the file's size: even a slow disk with a cold cache reads faster. */
const TIMEOUT_MS = 20_000
const SLOWEST_BYTES_PER_MS = 20_000
/** Exit code for a sound store that another version wrote. */
const OTHER_SCHEMA = 2

/** Rejects when the folder holds a store that is damaged or has another schema; a folder without one passes. */
export async function probe(folder: string, extent: Extent): Promise<void> {
  const file = statSync(join(folder, 'data.mdb'), { throwIfNoEntry: false })
  if (!file) return
  const timeout = TIMEOUT_MS + Math.ceil(file.size / SLOWEST_BYTES_PER_MS)
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder, extent], {
    timeout,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (status === 0) return
  if (signal === 'SIGTERM') {
    throw new Error(`The data folder ${folder} was not read within ${timeout / 1000} s: the disk is slow, try again`)
  }
  if (status === OTHER_SCHEMA) throw new Error(complaint.trim())
  const cause = complaint.trim().split('\n').at(-1) || `reading it ended with ${signal ?? status}`
  throw new Error(`The data folder ${folder} is damaged, restore a backup: ${cause}`)
}

/** Reads records from one end until `deadline` and checks their checksums; returns how many, or undefined if not all. */
function read(table: Table<unknown>, reverse: boolean, deadline: number): number | undefined {
  let count = 0
  let last: string | undefined
  for (const [key] of table.range({ reverse })) {
    if (last !== undefined && key > last === reverse) throw new Error(`${table.name} is out of order at ${key}`)
    last = key
    count += 1
    if (performance.now() > deadline) return undefined
  }
  return count
}

function checkFile(folder: string, extent: string | undefined): void {
  const file = join(folder, 'data.mdb')
  // A first start may have ended before anything was written.
  if (statSync(file).size === 0 || !isKnownLayout) return
  checkPages(file, extent === 'start' ? performance.now() + STRUCTURE_MS : Infinity)
}

async function readStore(folder: string): Promise<void> {
  const store = new Store(() => '')
  store.open(folder)
  const share = READING_MS / (2 * store.tables.length)
  for (const table of store.tables) {
    const count = read(table, false, performance.now() + share)
    if (count === undefined) read(table, true, performance.now() + share)
    else if (count !== table.size) throw new Error(`${table.name} has ${count} of its ${table.size} records`)
  }
  store.rehearse()
  await store.close()
}

const [, script, folder, extent] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  try {
    checkFile(folder, extent)
    await readStore(folder)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = error instanceof OtherSchema ? OTHER_SCHEMA : 1
  }
}
