// Data folders with payments in them, created once and kept in the cache, which git ignores. One that was written with
// another layout of the tables or other charts is not used.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { charts } from '../../machines/index.js'
import { noRandom } from '../../src/domain/values/ids.js'
import { SCHEMA } from '../../src/store/migration/schema.js'
import { Store } from '../../src/store/store.js'
import { projectRoot } from '../../test/support/root.js'
import { writeHistory } from './history.js'
import { populate, type Population } from './population.js'

export interface DataSet extends Population {
  folder: string
  payments: number
  /** Made for one server: removed when the server ends. */
  isCopy?: true
}

export const AGENTS = 1_000
/** The days of the past over which the payments are spread. */
const DAYS = 365
const DAY_MS = 86_400_000
/** The version of the data sets; to be raised when their content changes. */
const VERSION = 2
const MARK = 'bench.json'
const CACHE = join(projectRoot, '.cache', 'bench-data')

interface Mark extends Population {
  payments: number
  madeBy: string
}

const CHARTS = Object.entries(charts).map(([kind, { version }]) => `${kind} ${version}`)
const MADE_BY = JSON.stringify([VERSION, SCHEMA, CHARTS])

/** The cached data set of this many payments, or, as text, the reason why there is none. */
export function cached(payments: number): DataSet | string {
  const folder = folderOf(payments)
  const found = existsSync(join(folder, MARK)) ? readMark(folder) : undefined
  const remedy = 'npm run bench -- --prepare'
  if (found === undefined) return `no data set of ${payments} payments in .cache/bench-data: ${remedy}`
  if (found.madeBy !== MADE_BY) return `the data set of ${payments} payments is of another version: ${remedy}`
  return { ...found, folder }
}

type Say = (text: string) => void

/** The same, created if it is missing or of another version. */
export async function prepared(payments: number, say: Say): Promise<DataSet> {
  const found = cached(payments)
  return typeof found === 'string' ? madeIn(folderOf(payments), { payments, agents: AGENTS, say }) : found
}

export interface Size {
  payments: number
  agents: number
  say: Say
}

/** Creates a data set in place of whatever is there. */
export async function madeIn(folder: string, { payments, agents, say }: Size): Promise<DataSet> {
  // Without a dot, because with one the store would take it for a file.
  const building = `${folder}-part`
  for (const old of [folder, building]) rmSync(old, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  const startedAt = performance.now()
  say(`making a data set of ${payments} payments`)
  const population = await populate(building, agents, DAYS)
  const now = Date.now()
  const samples = population.agents.map(({ paymentId }) => paymentId)
  // The payments that were requested over HTTP count, too.
  const missing = Math.max(0, payments - samples.length)
  const span = { from: now - (DAYS - 1) * DAY_MS, to: now }
  await writeHistory(building, { samples, payments: missing, span, onProgress: (made) => say(`${made} payments`) })
  const mark: Mark = { ...population, payments: missing + samples.length, madeBy: MADE_BY }
  writeFileSync(join(building, MARK), JSON.stringify(mark))
  renameSync(building, folder)
  say(`made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return { ...mark, folder }
}

/** A copy that can be written to. */
export function copied(dataSet: DataSet, folder: string): DataSet {
  cpSync(dataSet.folder, folder, { recursive: true })
  return { ...dataSet, folder, isCopy: true }
}

/**
 * Reads where the payments lie, so that this is in memory as it is after some time of service. Reading the whole file
 * would slow all writes to it: the system reads ahead in large blocks, and where one of them is in memory, ext4 goes
 * through all of it for every page that is written.
 */
export async function readPlaces({ folder }: DataSet): Promise<void> {
  const store = new Store(noRandom, charts)
  store.open(folder)
  const places = store.tables.find(({ name }) => name === 'places')!
  for (const _key of places.keys({}));
  await store.close()
}

function folderOf(payments: number): string {
  return join(CACHE, String(payments))
}

function readMark(folder: string): Mark {
  return JSON.parse(readFileSync(join(folder, MARK), 'utf8')) as Mark
}
