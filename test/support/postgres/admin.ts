// Statements by the superuser of a test's database server, each in a connection of its own. They never wait for a standby.
import { Client, type QueryResultRow } from 'pg'

export const SUPERUSER = 'postgres'
const DATABASE = 'bursar'
const PATIENCE_MS = 10_000

/** The rows that a statement returns at the server on this port. */
export async function asSuperuser<Row extends QueryResultRow>(
  port: number,
  statement: string,
  database = 'template1',
): Promise<Row[]> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    database,
    options: '-c synchronous_commit=local',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  // Said by a server that is killed; the statement fails as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Creates the database and its owner, who has its name and no other rights. */
export async function createDatabase(port: number): Promise<void> {
  await createOwner(port)
  await asSuperuser(port, `create database ${DATABASE} owner ${DATABASE}`)
}

/** Makes it of the one that is there already: each is 300 files, which take longer to copy than all that a test writes. */
export async function nameDatabase(port: number): Promise<void> {
  await createOwner(port)
  await asSuperuser(port, `alter database postgres rename to ${DATABASE}`)
  await asSuperuser(port, `alter database ${DATABASE} owner to ${DATABASE}`)
}

async function createOwner(port: number): Promise<void> {
  await asSuperuser(port, `create role ${DATABASE} login`)
}

/** Room for the tables of another installation, which a database of its own would be too slow for. */
export async function createSchema(port: number, name: string): Promise<void> {
  await asSuperuser(port, `create schema if not exists "${name}" authorization ${DATABASE}`, DATABASE)
}

/** The same database, with its tables in this schema. */
export function inSchema(url: string, name: string): string {
  return `${url}?options=${encodeURIComponent(`-csearch_path="${name}"`)}`
}

export function databaseUrl(port: number): string {
  return `postgres://${DATABASE}@127.0.0.1:${port}/${DATABASE}`
}

/** False for a server that does not answer, too. */
export async function isPrimaryAt(port: number): Promise<boolean> {
  const found = await asSuperuser(port, 'select 1 where not pg_is_in_recovery()').catch(() => [])
  return found.length > 0
}

/** Whether a primary has a standby for which its commits wait, and which keeps up. */
export async function hasStandbyAt(port: number): Promise<boolean> {
  const standbys = "select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'"
  return (await asSuperuser(port, standbys)).length > 0
}

const WAITING = "from pg_stat_activity where wait_event = 'SyncRep'"

/** How many commits wait for a standby. */
export async function waitsAt(port: number): Promise<number> {
  return (await asSuperuser(port, `select ${WAITING}`)).length
}

/** Cancels every wait for a standby, and returns how many there were: each client is told success, with a WARNING. */
export async function cancelWaitsAt(port: number): Promise<number> {
  return (await asSuperuser(port, `select pg_cancel_backend(pid) ${WAITING}`)).length
}
