// The bytes that one request commits: the rows that a request changed in the service's tables, found by comparing the
// tables before and after.
import { charts } from '../../machines/index.js'
import { join } from 'node:path'
import { open, type Database } from 'lmdb'
import { startChild } from '../../src/cli/terminal/child.js'
import { noRandom } from '../../src/domain/values/ids.js'
import { Store } from '../../src/store/store.js'
import { agentUnder, ruled, send } from '../setup.js'
import { REQUEST_PATH, WISH } from '../wish.js'

export interface RequestRow {
  table: string
  key: string
  /** Base 64. */
  value: string
  /** False if the request overwrites a row of an earlier one. */
  isNew: boolean
}

const RULES = 5

type Rows = Map<string, { table: string; key: string; value: string }>

export async function rowsOfRequest(scratch: string): Promise<RequestRow[]> {
  const folder = join(scratch, 'one')
  const first = await startChild(folder, { BURSAR_RATE_LIMITS: 'off' })
  const server = { url: first.url, firstKey: first.firstKey! }
  await ruled(server, RULES)
  const { key } = await agentUnder(server)
  await asked(server.url, key, 'first')
  await first.end('SIGTERM')
  const before = await rowsIn(folder)
  const second = await startChild(folder, { BURSAR_RATE_LIMITS: 'off' })
  await asked(second.url, key, 'second')
  await second.end('SIGTERM')
  const after = await rowsIn(folder)
  const written = [...after].filter(([name, { value }]) => before.get(name)?.value !== value)
  return written.map(([name, row]) => ({ ...row, isNew: !before.has(name) }))
}

async function asked(url: string, key: string, idempotencyKey: string): Promise<void> {
  const answer = await send({ url, firstKey: '' }, key, 'POST', REQUEST_PATH, { ...WISH, idempotencyKey })
  if (!answer.ok) throw new Error(`A request answered ${answer.status}: ${await answer.text()}`)
}

async function rowsIn(folder: string): Promise<Rows> {
  const names = await tablesIn(folder)
  const root = open({ path: folder, maxDbs: 32, readOnly: true })
  const rows: Rows = new Map()
  for (const table of names) {
    const rowsOfTable: Database<Buffer, string> = root.openDB({ name: table, encoding: 'binary' })
    for (const { key, value } of rowsOfTable.getRange()) {
      rows.set(`${table} ${key}`, { table, key, value: value.toString('base64') })
    }
  }
  await root.close()
  return rows
}

async function tablesIn(folder: string): Promise<string[]> {
  const store = new Store(noRandom, charts)
  store.open(folder)
  await store.close()
  return store.tables.map(({ name }) => name)
}
