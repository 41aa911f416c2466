// How long a client has no answer when the owner of a shard ends: by kill -9, and in order.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../test/support/chain.js'
import { owning, startFollowing } from '../../test/support/nodes.js'
import { ORGANIZATION_KEY, type Service } from '../../test/support/process.js'
import { median } from '../median.js'
import { agentUnder, lasting } from '../setup.js'
import { markdown } from '../table.js'
import { inStep } from './applied.js'
import { shardEnv, untilExit, type JournalRun } from './run.js'
import { SteadyClient } from './steadyClient.js'

const TIMES = 5
const LEASE_MS = 1_000
/** The owner ends at any time within its beats. */
const QUIET_MS = { least: 300, more: 500 }
/** Answers by the next owner. */
const ENOUGH = 20

const ENDS: { [name: string]: (owner: Service) => Promise<unknown> } = {
  'kill -9': (owner) => owner.kill(),
  SIGTERM: (owner) => owner.stop(),
}

interface Pair {
  owner: Service
  standby: Service
}

export async function measureGaps(run: JournalRun): Promise<string> {
  const env = { ...(await shardEnv(run, 'gaps')), BURSAR_LEASE_MS: String(LEASE_MS) }
  const start = (place: string): Promise<Service> => startFollowing(untilExit, place, env)
  const owner = await owning(await start(join(run.folder, 'gaps-0')))
  const server = { url: owner.url, firstKey: ORGANIZATION_KEY }
  await lasting(server)
  const { key } = await agentUnder(server)
  let pair: Pair = { owner, standby: await start(join(run.folder, 'gaps-1')) }
  const rows: string[][] = []
  for (const [name, end] of Object.entries(ENDS)) {
    const gaps: number[] = []
    while (gaps.length < (run.rounds ?? TIMES)) {
      run.say(`${name}, ${gaps.length + 1}`)
      gaps.push(await gapOf(pair, key, end))
      pair = { owner: pair.standby, standby: await start(pair.owner.folder) }
    }
    rows.push([`owner ended by ${name}`, ...figures(gaps)])
  }
  await pair.standby.stop()
  await pair.owner.stop()
  return markdown([`lease of ${LEASE_MS} ms`, 'times', 'median gap, ms', 'longest gap, ms', 'median ÷ lease'], rows)
}

async function gapOf(
  { owner, standby }: Pair,
  key: string,
  end: (owner: Service) => Promise<unknown>,
): Promise<number> {
  await inStep(standby.url, owner.url)
  const client = new SteadyClient(key, [owner.url, standby.url])
  await setTimeout(QUIET_MS.least + QUIET_MS.more * Math.random())
  await Promise.all([end(owner), owning(standby)])
  const wanted = client.answered + ENOUGH
  await until(async () => client.answered >= wanted || undefined, 'the next owner does not answer')
  return client.end()
}

function figures(gaps: number[]): string[] {
  const middle = median(gaps)
  return [String(gaps.length), middle.toFixed(0), Math.max(...gaps).toFixed(0), (middle / LEASE_MS).toFixed(2)]
}
