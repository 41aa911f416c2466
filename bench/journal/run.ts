// What the measurements of the journal in PostgreSQL share: the database, and services to be compared.
import { join } from 'node:path'
import { startChild } from '../../src/cli/terminal/child.js'
import { nodeEnv } from '../../test/support/nodes.js'
import type { ReplicatedDatabase } from '../../test/support/postgres/replicated.js'
import type { Scope } from '../../test/support/process.js'
import type { Options } from '../options.js'
import { otherOrganization } from '../setup.js'
import { sideOf, type Side } from '../sideBySide.js'

export interface JournalRun extends Pick<Options, 'rounds' | 'burstMs' | 'stored'> {
  database: ReplicatedDatabase
  /** For data folders. */
  folder: string
  say: (text: string) => void
}

export const TURN_MS = 500
const OPERATOR_KEY = 'the-operator-of-two-shards-of-the-bench'
const NO_LIMITS = { BURSAR_RATE_LIMITS: 'off' }
/** Longer than a busy machine holds a beat back: none of these nodes is lost. */
const LASTING = { BURSAR_LEASE_MS: '10000' }

/** What is started ends with this process, if not before. */
export const untilExit: Scope = { teardown: () => {} }

/** A service with its journal in a file. */
export async function fileSide({ folder }: JournalRun, name: string): Promise<Side> {
  return sideOf(await startChild(join(folder, name), NO_LIMITS), 1)
}

/** The settings of all nodes of a shard, the only one of its installation. */
export async function shardEnv(
  { database }: JournalRun,
  shard: string,
  width = 2,
): Promise<{ [name: string]: string }> {
  const own = { BURSAR_SHARD: shard, BURSAR_JOURNAL_WIDTH: String(width) }
  return nodeEnv(await database.installation(shard), { ...NO_LIMITS, ...LASTING, ...own })
}

/** The owners of two shards of an installation; the second has an organization that any node was asked for. */
export async function shardSides(run: JournalRun): Promise<Side[]> {
  const env = { ...(await shardEnv(run, 'a')), BURSAR_OPERATOR_KEY: OPERATOR_KEY }
  const first = await startChild(join(run.folder, 'a'), env)
  const second = await startChild(join(run.folder, 'b'), { ...env, BURSAR_SHARD: 'b' })
  const other = await otherOrganization({ url: first.url, firstKey: first.firstKey! }, OPERATOR_KEY)
  return [await sideOf(first, 1), await sideOf({ ...second, firstKey: other.firstKey }, 1)]
}

/** A node that owns the shard, which is new. */
export async function nodeSide(run: JournalRun, shard: string, width?: number): Promise<Side> {
  return sideOf(await startChild(join(run.folder, shard), await shardEnv(run, shard, width)), 1)
}
