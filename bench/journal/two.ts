// Two services beside one on the same machine, each with a load of its own: with journals in files, and as the nodes of
// two shards. The loads share the processors with them.
import { median } from '../median.js'
import { ledIn, rateOf, warmUp, type Side } from '../sideBySide.js'
import { markdown } from '../table.js'
import { fileSide, shardSides, TURN_MS, type JournalRun } from './run.js'

const CONNECTIONS = 64
const TURNS = 6

/** Requests per second of a turn. */
interface Rates {
  one: number
  /** Of both together. */
  two: number
}

export async function measureTwo(run: JournalRun): Promise<string> {
  const { burstMs = TURN_MS, say } = run
  say('two processes beside one')
  const kinds: { [name: string]: Side[] } = {
    'services with journals in files': [await fileSide(run, 'plain-a'), await fileSide(run, 'plain-b')],
    'nodes of two shards': await shardSides(run),
  }
  await warmUp(Object.values(kinds).flat(), burstMs)
  const found = new Map<string, Rates[]>(Object.keys(kinds).map((name) => [name, []]))
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, sides] of Object.entries(kinds)) found.get(name)!.push(await ratesOf(sides, turn, burstMs))
  }
  for (const side of Object.values(kinds).flat()) await side.end()
  return markdown(['64 connections each', 'one, req/s', 'two together', 'two ÷ one'], [...found].map(cells))
}

/** Each is alone as often as the other, and as often before as behind both. */
async function ratesOf(sides: readonly Side[], turn: number, ms: number): Promise<Rates> {
  const at = (side: Side): Promise<number> => ledIn(side, CONNECTIONS, ms).then(rateOf)
  const together = async (): Promise<number> => (await Promise.all(sides.map(at))).reduce((sum, rate) => sum + rate)
  const alone = sides[turn % sides.length]!
  const isFirst = turn % 4 < 2
  const before = isFirst ? undefined : await together()
  const one = await at(alone)
  return { one, two: before ?? (await together()) }
}

function cells([name, rates]: [string, Rates[]]): string[] {
  const of = (figure: (rates: Rates) => number): number => median(rates.map(figure))
  const [one, two] = [of((rates) => rates.one), of((rates) => rates.two)]
  return [name, one.toFixed(0), two.toFixed(0), of((rates) => rates.two / rates.one).toFixed(2)]
}
