// Services beside each other: each in processes of its own on a new folder, all with the same requests in turn, so that
// other work of the machine affects all of them. Their figures are compared within a turn.
import { startLoad } from './loadProcess.js'
import type { Measured } from './load.js'
import { median } from './median.js'
import { CpuMeter } from './processes.js'
import { APPROVED } from './service/start.js'
import { agentKeys, lasting, ruled } from './setup.js'
import { postOf } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const RULES = 5
const LEAD_IN_MS = 200
const WARM_UPS = 4
const WARM_UP_CONNECTIONS = 16

/** One of those that are compared, with a load of its own. */
export interface Side {
  url: string
  burst(connections: number, ms: number): Promise<Turn>
  /** Resolves when nothing is left to be done for its requests. */
  settled?(): Promise<void>
  end(): Promise<void>
}

export interface Turn extends Measured {
  /** CPU of the main thread, microseconds for each request. */
  mainMicros: number
}

/** A service on a new folder. */
export interface NewService {
  url: string
  pid: number
  firstKey?: string | undefined
  end(signal: 'SIGTERM'): Promise<unknown>
}

export async function sideOf({ url, pid, firstKey, end }: NewService, agents: number): Promise<Side> {
  const server = { url, firstKey: firstKey! }
  await ruled(server, RULES)
  await lasting(server)
  const requests = (await agentKeys(server, agents)).map((key) => postOf(REQUEST_PATH, WISH, key))
  const exchange = { port: Number(new URL(url).port), requests, expected: APPROVED }
  const load = startLoad()
  const meter = new CpuMeter(pid)
  const main = (): number => meter.micros((thread) => thread === String(pid))
  return {
    url,
    burst: async (connections, ms) => {
      const before = main()
      const found = await load.burst({ ...exchange, connections, ms })
      return { ...found, mainMicros: (main() - before) / found.requests }
    },
    end: async () => {
      await load.end()
      await end('SIGTERM')
    },
  }
}

export async function warmUp(sides: readonly Side[], ms: number): Promise<void> {
  for (let turn = 0; turn < WARM_UPS; turn += 1) for (const side of sides) await side.burst(WARM_UP_CONNECTIONS, ms)
}

/** After a moment of the same load: one that rested while others were measured is slow at first. */
export async function ledIn(side: Side, connections: number, ms: number): Promise<Turn> {
  await side.burst(connections, LEAD_IN_MS)
  return side.burst(connections, ms)
}

interface TurnOptions {
  /** The index of the side that begins: over the turns each as often as the others. */
  first: number
  connections: number
  ms: number
}

/** The figures of all sides, in their order. */
export async function takeTurn(sides: readonly Side[], { first, connections, ms }: TurnOptions): Promise<Turn[]> {
  const turns: Turn[] = []
  for (const step of sides.keys()) {
    const at = (first + step) % sides.length
    turns[at] = await ledIn(sides[at]!, connections, ms)
    await sides[at]!.settled?.()
  }
  return turns
}

export const rateOf = ({ requests, seconds }: Measured): number => requests / seconds

export const loadName = (connections: number): string => `${connections} connection${connections === 1 ? '' : 's'}`

export const RATIO_HEAD = ['requests/s', 'p50', 'p99', 'main thread']

/** Cells below that head: medians of what the second of each pair has of the first. */
export function ratioCells(pairs: readonly (readonly [Turn, Turn])[]): string[] {
  const ratio = (of: (turn: Turn) => number): string =>
    median(pairs.map(([one, other]) => of(other) / of(one))).toFixed(2)
  return [rateOf, ({ p50Ms }: Turn) => p50Ms, ({ p99Ms }: Turn) => p99Ms, ({ mainMicros }: Turn) => mainMicros].map(
    ratio,
  )
}
