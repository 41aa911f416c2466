// Looks at a data folder before the service opens it, in a process of its own: a damaged LMDB file can end the process
// that maps it (SIGBUS, SIGSEGV), and that must not be the service. It writes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPages } from './pages.js'
import { Store } from './store.js'

/** Records at either end of a table. */
const SAMPLE = 200
/** A file up to this size has all its records read. */
const SMALL_BYTES = 64 * 1024 * 1024
const PATIENCE_MS = 120_000

/** Rejects when the folder holds a store that cannot be read; a folder without one passes. */
export async function probe(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'data.mdb'))) return
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (status === 0) return
  const cause = complaint.trim().split('\n').at(-1) || `the probe ended with ${signal ?? status}`
  throw new Error(`The data folder ${folder} cannot be read, restore a backup: ${cause}`)
}

/** Checks the structure of the whole file, then records against their digests: the first and last, or all of a few. */
async function look(folder: string): Promise<void> {
  const file = join(folder, 'data.mdb')
  const store = new Store(() => '')
  store.open(folder, { readOnly: true })
  checkPages(file, store.lastTransaction)
  const limit = statSync(file).size > SMALL_BYTES ? { limit: SAMPLE } : {}
  for (const table of store.tables) {
    for (const reverse of [false, true]) for (const _ of table.range({ reverse, ...limit })) continue
  }
  await store.close()
}

const [, script, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  try {
    await look(folder)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
