// What the measurements of the journal in PostgreSQL share: the database, and services to be compared.
import { join } from 'node:path'
import { startChild } from '../../src/cli/terminal/child.js'
import { nodeEnv } from '../../test/support/nodes.js'
import type { ReplicatedDatabase } from '../../test/support/postgres/replicated.js'
import type { Scope } from '../../test/support/process.js'
import type { Options } from '../options.js'
import { sideOf, type Side } from '../sideBySide.js'

export interface JournalRun extends Pick<Options, 'rounds' | 'burstMs' | 'stored'> {
  database: ReplicatedDatabase
  /** For data folders. */
  folder: string
  say: (text: string) => void
}

export const TURN_MS = 500
const NO_LIMITS = { BURSAR_RATE_LIMITS: 'off' }
/** Longer than a busy machine holds a beat back: none of these nodes is lost. */
const LASTING = { BURSAR_LEASE_MS: '10000' }

/** What is started ends with this process, if not before. */
export const untilExit: Scope = { teardown: () => {} }

/** A service with its journal in a file. */
export async function fileSide({ folder }: JournalRun, name: string): Promise<Side> {
  return sideOf(await startChild(join(folder, name), NO_LIMITS), 1)
}

/** The settings of all nodes of a shard. */
export function shardEnv({ database }: JournalRun, shard: string, width = 2): { [name: string]: string } {
  const own = { BURSAR_SHARD: shard, BURSAR_JOURNAL_WIDTH: String(width) }
  return nodeEnv(database.urls, { ...NO_LIMITS, ...LASTING, ...own })
}

/** A node that owns the shard, which is new. */
export async function nodeSide(run: JournalRun, shard: string, width?: number): Promise<Side> {
  return sideOf(await startChild(join(run.folder, shard), shardEnv(run, shard, width)), 1)
}
