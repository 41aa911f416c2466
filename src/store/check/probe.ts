// Checks a data folder in a child process before the service opens it: LMDB trusts its file, and a damaged one can end
// the process that maps it (SIGBUS, SIGSEGV). The probe checks the structure of the file, then opens the folder as the
// service does, and leaves it as it is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DATABASE, DATABASE_LOCK, refuseForbidden } from '../folder/files.js'
import { isKnownLayout } from './lmdbMeta.js'
import { checkPages } from './lmdbPages.js'
import { LaterVersion } from '../migration/laterVersion.js'
import { OtherSchema, SCHEMA_STEPS } from '../migration/schema.js'
import { Store } from '../store.js'
import { systemMessage } from '../folder/systemErrors.js'
import type { Table } from '../table.js'
import { noRandom } from '../../domain/values/ids.js'

/** How much of a file is checked: whole, or as much of each table as a start has time for. */
export type Extent = 'whole' | 'start'

export interface ProbeProgress {
  what: 'pages' | 'records'
  done: number
  total: number
}

/** Time for the structure at a start: enough for a gigabyte or two in the system's page cache. */
const STRUCTURE_MS = 1_500
/** Time for reading records: a small store is read whole, a large one at the beginning and the end of each table. */
const READING_MS = 1_000
/** How often a probe says how far it is, and how long it may say nothing: the disk does not answer. */
const SAYS_EVERY_MS = 250
const SILENCE_MS = 20_000

/** Exit codes for what is no damage: another version's store, and errors of the system. */
const OTHER_SCHEMA = 2
const UNUSABLE = 3
/** The last thing that a probe says that has not read everything. */
const IN_PART = 'in part'

/**
 * Resolves to whether everything was read. Rejects when the folder holds a store that is damaged, cannot be read or has
 * another schema; a folder without one passes.
 */
export async function probe(
  folder: string,
  extent: Extent,
  onProgress?: (at: ProbeProgress) => void,
): Promise<boolean> {
  if (!statSync(join(folder, DATABASE), { throwIfNoEntry: false })) return true
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder, extent], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
  let isWhole = true
  createInterface(child.stdout).on('line', (line) => {
    silence.refresh()
    if (line === IN_PART) isWhole = false
    else onProgress?.(JSON.parse(line) as ProbeProgress)
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(silence)
  if (status === 0) return isWhole
  throw new Error(verdict(folder, status, signal, complaint.trim()))
}

function verdict(folder: string, status: number | null, signal: string | null, complaint: string): string {
  if (status === OTHER_SCHEMA) return complaint
  const cause = complaint.split('\n').at(-1) || `reading it ended with ${signal ?? status}`
  if (status === UNUSABLE) return `The data folder ${folder} cannot be used: ${cause}`
  if (signal === 'SIGKILL') {
    return `The data folder ${folder} was not read, nothing for ${SILENCE_MS / 1000} s: the disk is slow, try again`
  }
  return `The data folder ${folder} is damaged, restore a backup: ${cause}`
}

/** Says how far the check is, now and then. */
function sayer(what: ProbeProgress['what']): (done: number, total: number) => void {
  let next = 0
  return (done, total) => {
    const now = performance.now()
    if (now < next) return
    next = now + SAYS_EVERY_MS
    say(JSON.stringify({ what, done, total }))
  }
}

/** At once, because the check never returns to the event loop. */
function say(line: string): void {
  writeSync(process.stdout.fd, `${line}\n`)
}

/** Checks records from one end until `deadline`; returns how many, or undefined if not all. */
function read(table: Table<unknown>, reverse: boolean, deadline: number, onRecord: () => void): number | undefined {
  let count = 0
  let last: string | undefined
  for (const key of table.checkedKeys({ reverse })) {
    if (last !== undefined && key > last === reverse) throw new Error(`${table.name} is out of order at ${key}`)
    last = key
    count += 1
    onRecord()
    if (performance.now() > deadline) return undefined
  }
  return count
}

/** True when all of the file's structure was checked. */
function checkFile(folder: string, extent: Extent): boolean {
  const file = join(folder, DATABASE)
  // A first start may have ended before anything was written.
  if (statSync(file).size === 0 || !isKnownLayout) return true
  return checkPages(file, extent === 'start' ? performance.now() + STRUCTURE_MS : Infinity, sayer('pages'))
}

/** True when all records were checked. */
async function readStore(folder: string, extent: Extent): Promise<boolean> {
  // It reads rows, and no actors.
  const store = new Store(noRandom, {})
  store.open(folder, SCHEMA_STEPS)
  const total = store.tables.reduce((sum, { size }) => sum + size, 0)
  const saying = sayer('records')
  let done = 0
  const onRecord = (): void => saying((done += 1), total)
  const share = extent === 'start' ? READING_MS / (2 * store.tables.length) : Infinity
  let isWhole = true
  for (const table of store.tables) {
    const count = read(table, false, performance.now() + share, onRecord)
    if (count === undefined) read(table, true, performance.now() + share, onRecord)
    else if (count !== table.size) throw new Error(`${table.name} has ${count} of its ${table.size} records`)
    isWhole &&= count !== undefined
  }
  store.rehearse()
  await store.close()
  return isWhole
}

async function check(folder: string, extent: Extent): Promise<void> {
  refuseForbidden(folder, [DATABASE, DATABASE_LOCK])
  const isWhole = checkFile(folder, extent)
  if (!(await readStore(folder, extent)) || !isWhole) say(IN_PART)
}

const [, script, folder, extent] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  await check(folder, extent as Extent).catch((error: unknown) => {
    const said = systemMessage(error)
    process.stderr.write(`${said ?? (error instanceof Error ? error.message : String(error))}\n`)
    const isOther = error instanceof OtherSchema || error instanceof LaterVersion
    process.exitCode = isOther ? OTHER_SCHEMA : said === undefined ? 1 : UNUSABLE
  })
}
