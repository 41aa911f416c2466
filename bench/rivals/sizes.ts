// What a payment takes of PostgreSQL's tables and of its log.
import { startServer } from '../childServer.js'
import type { Load } from '../loadProcess.js'
import { APPROVED } from '../service/start.js'
import { httpTarget, postOf } from '../target.js'
import { REQUEST_PATH, WISH } from '../wish.js'
import { rivalModule, type Postgres } from './clients.js'
import { BENCH_KEY } from './scene.js'
import { startPostgres } from './servers.js'

/** Bytes for each payment. */
export interface PostgresSizes {
  tables: number
  log: number
}

const SIZES = `SELECT pg_database_size(current_database())::float8 AS tables,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log`

/** Throws NotRun where PostgreSQL or its client is not installed. */
export async function postgresSizes(
  load: Load,
  connections: number,
  ms: number,
  stored: number,
): Promise<PostgresSizes> {
  const { Pool } = rivalModule<Postgres>('pg')
  const server = await startPostgres()
  const front = await startServer(new URL('postgresFront.js', import.meta.url), String(server.port))
  try {
    const settings = { host: '127.0.0.1', port: server.port, user: 'bench', database: 'postgres' }
    const pool = new Pool({ ...settings, idleTimeoutMillis: 1 })
    const sizes = async (): Promise<PostgresSizes> => (await pool.query<PostgresSizes>(SIZES)).rows[0]!
    const requests = [postOf(REQUEST_PATH, WISH, BENCH_KEY)]
    const exchange = { name: 'postgresFunction', port: front.ports['function']!, requests, expected: APPROVED }
    const target = httpTarget(load, { ...exchange, cpuMicros: () => 0 })
    const before = await sizes()
    let payments = 0
    while (payments < stored) payments += (await target.burst(connections, ms)).requests
    const after = await sizes()
    return { tables: (after.tables - before.tables) / payments, log: (after.log - before.log) / payments }
  } finally {
    await front.end()
    await server.end()
  }
}
