// What a request takes of the journal, by how many share an entry; and how fast an empty folder is rebuilt from these
// entries.
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../../test/support/chain.js'
import { inSchema } from '../../test/support/postgres/admin.js'
import { startFollowing } from '../../test/support/nodes.js'
import { loadName, type Side } from '../sideBySide.js'
import { markdown } from '../table.js'
import { appliedAt } from './applied.js'
import { nodeSide, shardEnv, TURN_MS, untilExit, type JournalRun } from './run.js'

const SHARD = 'entries'
/** With one connection a tenth of the requests. */
const LOADS = [
  { connections: 1, share: 0.1 },
  { connections: 16, share: 1 },
  { connections: 64, share: 1 },
]
/** The last entries are known to be durable only with the next ones, or the next beat. */
const UNKNOWN = 2

/** So far; bytes. */
interface Sizes {
  entries: number
  /** As the owner has written them. */
  written: number
  /** Their rows' columns, compressed. */
  compressed: number
  /** The table, with its index and what lies apart. */
  table: number
  /** The database's own log, of all that it does. */
  log: number
}

const SIZES = `select count(*)::float8 as entries, coalesce(sum(octet_length(bytes)), 0)::float8 as written,
  coalesce(sum(pg_column_size(bytes)), 0)::float8 as compressed,
  pg_total_relation_size('bursar_journal')::float8 as "table",
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log
  from bursar_journal where shard = $1`

export async function measureEntries(run: JournalRun): Promise<string> {
  run.say('bytes of entries')
  const client = new pg.Client(inSchema(run.database.primaryUrl, SHARD))
  await client.connect()
  const sizes = async (): Promise<Sizes> => (await client.query<Sizes>(SIZES, [SHARD])).rows[0]!
  const node = await nodeSide(run, SHARD)
  try {
    const rows: string[][] = []
    let payments = 0
    for (const { connections, share } of LOADS) {
      const before = await sizes()
      const requests = await requested(run, node, connections, share * run.stored)
      rows.push(bytesRow(connections, requests, before, await sizes()))
      payments += requests
    }
    const { entries, written } = await sizes()
    const bytes = markdown(BYTES_HEAD, rows)
    return `${bytes}\n\n${await caughtUp(run, node, { payments, entries, megabytes: written / 1e6 })}`
  } finally {
    await node.end()
    await client.end()
  }
}

/** Bursts until there are so many requests; returns how many there were. */
async function requested(run: JournalRun, node: Side, connections: number, wanted: number): Promise<number> {
  let requests = 0
  while (requests < wanted) requests += (await node.burst(connections, run.burstMs ?? TURN_MS)).requests
  return requests
}

const BYTES_HEAD = ['bytes for each request', 'requests/entry', 'entry', 'compressed', 'table and index', 'WAL']

function bytesRow(connections: number, requests: number, before: Sizes, after: Sizes): string[] {
  const each = (of: keyof Sizes): string => ((after[of] - before[of]) / requests).toFixed(0)
  const shared = (requests / (after.entries - before.entries)).toFixed(1)
  return [loadName(connections), shared, each('written'), each('compressed'), each('table'), each('log')]
}

interface Content {
  payments: number
  entries: number
  megabytes: number
}

/** While the owner has nothing to do. */
async function caughtUp(run: JournalRun, node: Side, { payments, entries, megabytes }: Content): Promise<string> {
  run.say('an empty folder catches up')
  const wanted = (await appliedAt(node.url)) - UNKNOWN
  const standby = await startFollowing(untilExit, join(run.folder, 'rebuilt'), await shardEnv(run, SHARD))
  const startedAt = performance.now()
  await until(async () => (await appliedAt(standby.url)) >= wanted || undefined, 'the folder does not catch up')
  const seconds = (performance.now() - startedAt) / 1_000
  await standby.stop()
  const row = [entries, entries / seconds, payments / seconds, megabytes / seconds]
  const head = ['an empty folder from the journal', 'seconds', 'entries', 'entries/s', 'requests/s', 'MB/s']
  return markdown(head, [[`${payments} requests`, seconds.toFixed(1), ...row.map((figure) => figure.toFixed(0))]])
}
