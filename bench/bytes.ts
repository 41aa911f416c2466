// What a payment takes of the data folder, table by table, and of PostgreSQL's tables and log: of a new folder with one
// organization, by ten agents, over many payments.
import { join } from 'node:path'
import { startChild } from '../src/cli/terminal/child.js'
import { startLoad, type Load } from './loadProcess.js'
import type { Options } from './options.js'
import { postgresSizes } from './rivals/sizes.js'
import { APPROVED } from './service/start.js'
import { agentUnder, lasting, ruled } from './setup.js'
import { tableSizes, type TableSize } from './stored/pages.js'
import { markdown } from './table.js'
import { NotRun, postOf } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const AGENTS = 10
const RULES = 5
const SETTINGS = { BURSAR_RATE_LIMITS: 'off' }
const CONNECTIONS = 32
const BURST_MS = 1_000
/** A table with less is counted among the others. */
const LEAST_BYTES = 10

/** A way for a payment to go, and what its answer says. */
const WAYS: { [name: string]: { body: object; expected: string } } = {
  requested: { body: WISH, expected: APPROVED },
  'executed at once': { body: { ...WISH, autoExecute: true }, expected: '"status":"EXECUTED"' },
  'denied for two reasons': { body: { ...WISH, amount: 5_000 }, expected: '"status":"DENIED"' },
}

type Say = (text: string) => void

export async function measureBytes({ stored }: Options, folder: string, say: Say): Promise<string> {
  const load = startLoad()
  try {
    const rows: string[][] = []
    for (const way of Object.keys(WAYS)) {
      say(`${stored} payments, ${way}`)
      rows.push(...rowsOf(way, await taken(load, join(folder, `bytes-${rows.length}`), way, stored)))
    }
    rows.push(...(await ofPostgres(load, stored)))
    return markdown(['', 'new rows', 'bytes'], rows)
  } finally {
    await load.end()
  }
}

interface Taken {
  payments: number
  before: Map<string, TableSize>
  after: Map<string, TableSize>
}

async function taken(load: Load, folder: string, way: string, stored: number): Promise<Taken> {
  const keys = await populated(folder)
  const before = await tableSizes(folder)
  const { body, expected } = WAYS[way]!
  const service = await startChild(folder, SETTINGS)
  const requests = keys.map((key) => postOf(REQUEST_PATH, body, key))
  const exchange = { port: Number(new URL(service.url).port), requests, expected }
  let payments = 0
  while (payments < stored) {
    payments += (await load.burst({ ...exchange, connections: CONNECTIONS, ms: BURST_MS })).requests
  }
  await service.end('SIGTERM')
  return { payments, before, after: await tableSizes(folder) }
}

/** One organization; returns the keys of its agents. */
async function populated(folder: string): Promise<string[]> {
  const { url, firstKey, end } = await startChild(folder, SETTINGS)
  const server = { url, firstKey: firstKey! }
  await ruled(server, RULES)
  await lasting(server)
  const keys: string[] = []
  while (keys.length < AGENTS) keys.push((await agentUnder(server, `agent ${keys.length}`)).key)
  await end('SIGTERM')
  return keys
}

/** A line for each table that grew, and their sum. */
function rowsOf(way: string, { payments, before, after }: Taken): string[][] {
  const grown = [...after].map(([name, { bytes, rows }]) => {
    const was = before.get(name) ?? { bytes: 0, rows: 0 }
    return { name, bytes: (bytes - was.bytes) / payments, rows: (rows - was.rows) / payments }
  })
  const sum = (of: 'bytes' | 'rows'): number => grown.reduce((all, one) => all + one[of], 0)
  const shown = grown.filter(({ bytes }) => bytes >= LEAST_BYTES).toSorted((one, other) => other.bytes - one.bytes)
  return [
    [way, sum('rows').toFixed(1), sum('bytes').toFixed(0)],
    ...shown.map(({ name, rows, bytes }) => [`– ${name}`, rows.toFixed(1), bytes.toFixed(0)]),
  ]
}

/** The same request, APPROVED by its function. */
async function ofPostgres(load: Load, stored: number): Promise<string[][]> {
  try {
    const { tables, log } = await postgresSizes(load, CONNECTIONS, BURST_MS, stored)
    return [
      ['PostgreSQL, requested: tables and indexes', '', tables.toFixed(0)],
      ['PostgreSQL, requested: log (WAL)', '', log.toFixed(0)],
    ]
  } catch (error) {
    if (error instanceof NotRun) return [[`PostgreSQL: NOT RUN, ${error.message}`, '', '']]
    throw error
  }
}
