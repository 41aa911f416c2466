// Whether a commit is on two machines when the database acknowledges it.
import { Unacknowledged, type DatabaseConnection } from './connection.js'
import { SERVER, STANDBYS } from './statements.js'

/**
 * `ITSELF`: the database replicates by itself. `STANDBY`: commits wait for a synchronous standby. `WAITING`: the same, and
 * none is connected. `UNSEEN`: the same, and this user is not shown who is. `NONE`: a commit is on one machine.
 */
export type Replication = 'ITSELF' | 'STANDBY' | 'WAITING' | 'UNSEEN' | 'NONE'

const PATIENCE_MS = 2_500
/** Databases that replicate by themselves, by what they call themselves. */
const REPLICATING = /cockroach|yugabyte/i
/** Commits wait for standbys in these states. */
const WAITED_FOR: ReadonlySet<string | null> = new Set(['sync', 'quorum'])

/** As the server is set up, whatever is connected. */
export async function intendedReplication(connection: DatabaseConnection): Promise<'ITSELF' | 'STANDBY' | 'NONE'> {
  type Server = { version: string; standbys: string | null }
  const [server] = await connection.query<Server>(SERVER, [], PATIENCE_MS)
  if (REPLICATING.test(server!.version)) return 'ITSELF'
  return (server!.standbys ?? '') === '' ? 'NONE' : 'STANDBY'
}

export async function presentReplication(connection: DatabaseConnection): Promise<Replication> {
  const intended = await intendedReplication(connection)
  return intended === 'STANDBY' ? standbysOf(connection) : intended
}

async function standbysOf(connection: DatabaseConnection): Promise<Replication> {
  try {
    const rows = await connection.query<{ state: string | null }>(STANDBYS, [], PATIENCE_MS)
    if (rows.some(({ state }) => WAITED_FOR.has(state))) return 'STANDBY'
    return rows.some(({ state }) => state === null) ? 'UNSEEN' : 'WAITING'
  } catch (error) {
    if (error instanceof Unacknowledged) return 'UNSEEN'
    throw error
  }
}
