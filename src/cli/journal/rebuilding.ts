// Brings a folder up to an entry of the journal, as a standby does: no further than what is known to be durable.
import { mkdirSync } from 'node:fs'
import { Failure } from '../../config/failure.js'
import { entriesFrom } from '../../nodes/continuation.js'
import type { EntryPlace, ShardJournal } from '../../store/journal/postgres/shardJournal.js'
import { Replica } from '../../store/journal/replica.js'
import { restoreInto } from '../data/backup.js'
import type { CommandContext } from '../terminal/command.js'
import { lastDecision, upTo, type EndOfRebuild } from './endOfRebuild.js'
import { placeInJournal } from './shard.js'

const TO_THE_END: EndOfRebuild = { sequence: Infinity, time: Infinity }
const REMEDY = 'name the newest backup of a node'

export interface RebuildPlan {
  journal: ShardJournal
  /** The journal's own name. */
  name: string
  /** Empty, or not there yet. */
  folder: string
  /** Begins with a copy of it, or else with the first entry. */
  backup: string | undefined
  /** All entries up to it are known to be durable. */
  confirmed: number
  /** Absent for all that are durable. */
  to?: EndOfRebuild
  progress: CommandContext['progress']
}

/** Rejects with a Failure where the journal does not reach that far back, or forth. Then does `work` with the folder. */
export async function rebuilt<Value>(
  plan: RebuildPlan,
  work: (replica: Replica, at: EntryPlace) => Value,
): Promise<Value> {
  const { folder, backup, name, progress } = plan
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (backup !== undefined) await restoreInto(backup, folder, progress)
  const replica = new Replica(folder, name)
  try {
    if (backup !== undefined) {
      refuseLater(backup, placeInJournal(backup, replica.place, name), plan)
      refuseDecidedLater(backup, replica, plan)
    }
    return work(replica, await brought(replica, plan))
  } finally {
    await replica.close()
  }
}

function refuseLater(backup: string, { sequence }: EntryPlace, { to = TO_THE_END }: RebuildPlan): void {
  if (sequence <= to.sequence) return
  throw new Failure(`${backup} ends with entry ${sequence}, after ${to.sequence}: name an earlier backup`)
}

function refuseDecidedLater(backup: string, replica: Replica, { to: { time } = TO_THE_END }: RebuildPlan): void {
  if (time === Infinity || lastDecision(replica) <= time) return
  throw new Failure(`${backup} has what was decided after that time: name an earlier backup`)
}

async function brought(
  replica: Replica,
  { journal, to = TO_THE_END, progress, ...known }: RebuildPlan,
): Promise<EntryPlace> {
  let { confirmed } = known
  for (;;) {
    const { sequence, shared } = replica.place
    const at = { sequence, epoch: shared?.epoch ?? 0 }
    const next = await entriesFrom(journal, at, REMEDY)
    confirmed = Math.max(confirmed, ...next.map((entry) => entry.confirmed))
    const durable = next.filter((entry) => entry.sequence <= confirmed)
    const wanted = upTo(durable, to)
    if (wanted.length === 0) return reached(at, to)
    await replica.store(wanted)
    const shown = [replica.place.sequence, Math.min(confirmed, to.sequence)].map((count) => count.toLocaleString('en'))
    progress(`Rebuilding: entry ${shown[0]} of ${shown[1]} …`)
  }
}

function reached(at: EntryPlace, { sequence }: EndOfRebuild): EntryPlace {
  if (at.sequence >= sequence || sequence === Infinity) return at
  throw new Failure(`The journal ends with entry ${at.sequence}, before ${sequence}`)
}
