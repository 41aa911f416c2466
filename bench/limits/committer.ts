// Writes the rows of a request over and over, for the given number of callers, and reports how fast.
import { open, type Database } from 'lmdb'
import { latenciesOf } from '../latencies.js'
import { endWithParent } from '../listening.js'
import type { RequestRow } from './requestRows.js'

const MOST = 1_000_000
const DIGITS = 12
const [folder, json] = process.argv.slice(2)
const root = open({ path: folder!, maxDbs: 32 })
const tables = new Map<string, Database<Buffer, string>>()
const rows = (JSON.parse(json!) as RequestRow[]).map(({ table, key, value, isNew }) => {
  if (!tables.has(table)) tables.set(table, root.openDB({ name: table, encoding: 'binary' }))
  return { table: tables.get(table)!, key, value: Buffer.from(value, 'base64'), isNew }
})
let number = 0

/** A key of the same length, and a different one each time if the row is a new one. */
function keyOf(key: string): string {
  const digits = String(number).padStart(DIGITS, '0')
  return key.length > DIGITS ? key.slice(0, -DIGITS) + digits : digits
}

async function commit(): Promise<void> {
  number += 1
  for (const { table, key, value, isNew } of rows) void table.put(isNew ? keyOf(key) : key, value)
  await root.flushed
}

async function run({ callers, ms }: { callers: number; ms: number }): Promise<void> {
  const latencies = new Float64Array(MOST)
  const startedAt = performance.now()
  let done = 0
  const call = async (): Promise<void> => {
    for (let at = performance.now(); at - startedAt < ms; at = performance.now()) {
      await commit()
      latencies[done] = performance.now() - at
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  const seconds = (performance.now() - startedAt) / 1000
  process.send?.({ requests: done, seconds, ...latenciesOf(latencies.subarray(0, done)) })
}

process.on('message', (wanted: { callers: number; ms: number }) => void run(wanted))
endWithParent()
process.send?.({ port: 0 })
