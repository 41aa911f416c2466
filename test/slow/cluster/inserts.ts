// Rows that a test inserts into a database, and whether it was told that they are there.
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import { until } from '../../support/chain.js'

export async function connected(t: ExecutionContext, url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Its server is killed, or the proxy ends.
  client.on('error', () => {})
  t.teardown(() => client.end())
  await client.connect()
  await client.query('create table if not exists rows (id int primary key)')
  return client
}

interface Insert {
  acknowledged: Promise<void>
  isAcknowledged(): boolean
}

export function insert(client: Client, id: number): Insert {
  let isAcknowledged = false
  const query = client.query('insert into rows values ($1)', [id])
  const acknowledged = query.then(() => void (isAcknowledged = true))
  // Some tests kill its server first and look at it later.
  acknowledged.catch(() => {})
  return { acknowledged, isAcknowledged: () => isAcknowledged }
}

interface Waiting {
  /** How many commits wait for a standby. */
  waits(): Promise<number>
}

/** An insert whose commit waits for the standby. */
export async function waitingInsert(database: Waiting, client: Client, id: number): Promise<Insert> {
  const before = await database.waits()
  const waiting = insert(client, id)
  await until(async () => (await database.waits()) > before || undefined, 'no commit waits')
  return waiting
}

export async function rowsOf(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>('select id from rows order by id')
  return rows.map(({ id }) => id)
}

/** Inserts one row after the other, and returns those that were acknowledged before the connection was lost. */
export async function insertUntilKilled(client: Client, from: number): Promise<number[]> {
  const acknowledged: number[] = []
  for (let id = from; id < from + 1_000; id += 1) {
    try {
      await insert(client, id).acknowledged
      acknowledged.push(id)
    } catch {
      break
    }
  }
  return acknowledged
}
