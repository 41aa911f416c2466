// Looks at a data folder before the service opens it, in a process of its own: a damaged LMDB file can end the process
// that maps it (SIGBUS, SIGSEGV), and that must not be the service. It writes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Store } from './store.js'

const SAMPLE = 200
const PATIENCE_MS = 20_000

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

/** Reads the first and last records of every table, each against its digest. */
async function readEnds(folder: string): Promise<void> {
  const store = new Store(() => '')
  store.open(folder, { readOnly: true })
  const tables = [store.actors, store.entries, store.lists, store.counts, store.lookups, store.timers, store.memories]
  for (const table of [...tables, store.audit, store.versions]) {
    for (const reverse of [false, true]) for (const _ of table.range({ reverse, limit: SAMPLE })) continue
  }
  await store.close()
}

const [, script, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  try {
    await readEnds(folder)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
