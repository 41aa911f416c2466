// The shard that a command is about, by the settings of a node, and what its database says as one line for people.
import { ConfigError, Failure } from '../../config/failure.js'
import { readJournal, readNode, type JournalSettings, type NodeSettings } from '../../config/nodes.js'
import { readSettlement } from '../../config/settlement.js'
import type { JournalPlace } from '../../store/folder/fence.js'
import { Unacknowledged } from '../../store/journal/postgres/connection.js'
import type { Replication } from '../../store/journal/postgres/replication.js'
import { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import type { CommandContext } from '../terminal/command.js'

/** SQLSTATE of a table that does not exist. */
const NO_TABLE = '42P01'
const UNSET =
  'BURSAR_JOURNAL is missing: set it to the database of the nodes, like postgres://user:password@host/database'
const BEGIN = 'the first node that starts begins it, or bursar journal attach'

export const REPLICATION_TEXTS: { readonly [replication in Replication]: string } = {
  ITSELF: 'the database replicates by itself',
  STANDBY: 'commits wait for a synchronous standby, which is connected',
  WAITING: 'synchronous_standby_names is set and no synchronous standby is connected: commits wait until one is',
  UNSEEN: 'synchronous_standby_names is set; grant pg_monitor to see whether a synchronous standby is connected',
  NONE: 'commits are on one machine: set synchronous_standby_names in the database',
}

/** What `work` says of the shard; rejects with a Failure where its database is not reached, or has no such shard. */
export async function withShard<Value>(
  { env }: CommandContext,
  work: (upkeep: ShardUpkeep, settings: JournalSettings) => Promise<Value>,
): Promise<Value> {
  const settings = readJournal(env)
  if (!settings) throw new ConfigError(UNSET)
  const upkeep = new ShardUpkeep(settings)
  try {
    return await work(upkeep, settings)
  } catch (error) {
    throw error instanceof Unacknowledged ? said(error) : error
  } finally {
    upkeep.close()
  }
}

function said({ message, cause }: Unacknowledged): Failure {
  const isMissing = (cause as { code?: string } | undefined)?.code === NO_TABLE
  return new Failure(isMissing ? `The database has no journal: ${BEGIN}` : `The journal cannot be used: ${message}`)
}

/** With BURSAR_KEYSTORE_KEY, which seals what nodes share. */
export function nodeSettings({ env }: CommandContext): NodeSettings {
  const settings = readNode(env, readSettlement(env).keystoreKey)
  if (!settings) throw new ConfigError(UNSET)
  return settings
}

/** The place in this journal; throws a Failure that names the folder where that follows another one, or none. */
export function placeInJournal(
  folder: string,
  { sequence, shared }: JournalPlace,
  journal: string,
): { sequence: number; epoch: number } {
  if (!shared) throw new Failure(`${folder} follows no journal`)
  if (shared.journal !== journal) throw new Failure(`${folder} follows another journal than that of BURSAR_JOURNAL`)
  return { sequence, epoch: shared.epoch }
}
