// A request at nodes beside the same at a service with its journal in a file; and at a node with a hot standby beside one
// without.
import { join } from 'node:path'
import { startFollowing } from '../../test/support/nodes.js'
import { loadName, RATIO_HEAD, ratioCells, takeTurn, warmUp, type Side, type Turn } from '../sideBySide.js'
import { markdown } from '../table.js'
import { inStep } from './applied.js'
import { fileSide, nodeSide, shardEnv, TURN_MS, untilExit, type JournalRun } from './run.js'

const CONNECTIONS = [1, 16, 64]
const ROUNDS = 2
const TURNS = 5

/** By connections; each with the turns of all sides, in their order. */
type Turns = Map<number, Turn[][]>

export async function measureThroughput(run: JournalRun): Promise<string> {
  const { rounds = ROUNDS, burstMs = TURN_MS, say } = run
  const turns: Turns = new Map(CONNECTIONS.map((connections) => [connections, []]))
  for (let round = 0; round < rounds; round += 1) {
    say(`requests: round ${round + 1} of ${rounds}`)
    const sides = await started(run, round)
    await warmUp(sides, burstMs)
    for (const [connections, list] of turns) {
      for (let turn = 0; turn < TURNS; turn += 1) {
        list.push(await takeTurn(sides, { first: turn + round, connections, ms: burstMs }))
      }
    }
    for (const side of sides) await side.end()
  }
  return [
    table('journal in PostgreSQL ÷ in a file', turns, [
      { name: 'one entry on its way', base: 0, of: 1 },
      { name: 'two entries', base: 0, of: 2 },
    ]),
    table('with a hot standby ÷ without', turns, [{ name: 'two entries', base: 2, of: 3 }]),
  ].join('\n\n')
}

/** Each with a shard of its own. */
async function started(run: JournalRun, round: number): Promise<Side[]> {
  return [
    await fileSide(run, `file-${round}`),
    await nodeSide(run, `one-${round}`, 1),
    await nodeSide(run, `two-${round}`, 2),
    await followedSide(run, `followed-${round}`),
  ]
}

async function followedSide(run: JournalRun, shard: string): Promise<Side> {
  const owner = await nodeSide(run, shard)
  const standby = await startFollowing(untilExit, join(run.folder, `${shard}-standby`), await shardEnv(run, shard))
  return {
    ...owner,
    // Or it would catch up while others are measured.
    settled: () => inStep(standby.url, owner.url),
    end: async () => {
      await standby.stop()
      await owner.end()
    },
  }
}

interface Comparison {
  name: string
  /** Indices of sides. */
  base: number
  of: number
}

function table(what: string, turns: Turns, comparisons: Comparison[]): string {
  const rows = comparisons.flatMap(({ name, base, of }) =>
    [...turns].map(([connections, list]) => {
      const pairs = list.map((sides) => [sides[base]!, sides[of]!] as const)
      return [`${name}, ${loadName(connections)}`, ...ratioCells(pairs)]
    }),
  )
  return markdown([what, ...RATIO_HEAD], rows)
}
