// What bursar doctor finds out about a journal in PostgreSQL. It changes nothing.
import { ConfigError } from '../../config/failure.js'
import type { Replication } from '../../store/journal/postgres/replication.js'
import type { ShardUpkeep } from '../../store/journal/postgres/shardUpkeep.js'
import { failedCheck, passedCheck, warning, type Finding } from '../data/finding.js'
import type { CommandContext } from '../terminal/command.js'
import { REPLICATION_TEXTS, withShard } from './shard.js'

const NAME = 'journal'

export async function journalFindings(context: CommandContext): Promise<Finding[]> {
  try {
    return await withShard(context, async (upkeep, { maySingle }) => {
      return [replicationFinding(await upkeep.replication(), maySingle), await ownerFinding(upkeep)]
    })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    return [failedCheck(NAME, (error as Error).message)]
  }
}

function replicationFinding(replication: Replication, maySingle: boolean): Finding {
  const text = REPLICATION_TEXTS[replication]
  if (replication === 'NONE') return maySingle ? warning(NAME, text) : failedCheck(NAME, text)
  return replication === 'WAITING' ? warning(NAME, text) : passedCheck(NAME, text)
}

async function ownerFinding(upkeep: ShardUpkeep): Promise<Finding> {
  const lease = await upkeep.journal.lease.row()
  if (lease.owner === null) return warning(NAME, 'no node owns the shard: start one')
  return (await upkeep.hearsOwner(lease))
    ? passedCheck(NAME, `${lease.owner} owns the shard and is heard of`)
    : warning(NAME, `${lease.owner} owns the shard and is not heard of: start a node`)
}
