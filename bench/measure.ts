// The rounds: every target at every number of connections, taking turns, so that what else the machine does falls on
// all of them; and the figures that the rounds amount to.
import type { Load } from './loadProcess.js'
import type { Target } from './target.js'

export interface Row {
  name: string
  connections: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerRequest: number
  /** Events that arrived meanwhile; 0 where none are sent. */
  deliveriesPerSecond: number
}

export interface Figures {
  rows: Row[]
  /** Throughput of a request as a share of the echo's. */
  /** And CPU time of a request while events are delivered as a share of one while none are. */
  ratios: { echo64: number; deliver64: number }
}

export interface Plan {
  rounds: number
  burstMs: number
  warmUpMs: number
}

export const FULL: Plan = { rounds: 3, burstMs: 3_000, warmUpMs: 4_000 }
export const QUICK: Plan = { rounds: 1, burstMs: 600, warmUpMs: 1_000 }

const CONNECTIONS = [1, 16, 64, 256]
const MOST = 500_000

export interface Bench {
  targets: Target[]
  load: Load
  say: (text: string) => void
}

/** One row for each target and number of connections: the median of the rounds, figure by figure. */
export async function measure({ targets, load, say }: Bench, { rounds, burstMs, warmUpMs }: Plan): Promise<Row[]> {
  say('warming up')
  for (const target of targets) await burst(load, target, 64, warmUpMs)
  const found = new Map<string, Row[]>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      say(`round ${round} of ${rounds}, ${connections} connections`)
      for (const target of targets) {
        const row = await burst(load, target, connections, burstMs)
        const key = `${row.name} ${connections}`
        found.set(key, [...(found.get(key) ?? []), row])
      }
    }
  }
  return [...found.values()].map(medians)
}

async function burst(load: Load, target: Target, connections: number, ms: number): Promise<Row> {
  const { name, port, requests, expected } = target
  const before = await target.cpuMicros()
  const deliveredBefore = (await target.delivered?.()) ?? 0
  const measured = await load.burst({ port, requests, expected, connections, ms, most: MOST })
  const used = (await target.cpuMicros()) - before
  const delivered = ((await target.delivered?.()) ?? 0) - deliveredBefore
  const { requests: answered, seconds, p50Ms, p99Ms } = measured
  const requestsPerSecond = answered / seconds
  const deliveriesPerSecond = delivered / seconds
  const cpuMicrosPerRequest = used / answered
  return { name, connections, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest, deliveriesPerSecond }
}

function medians(rows: Row[]): Row {
  const { name, connections } = rows[0]!
  const of = (figure: Exclude<keyof Row, 'name'>): number => round(median(rows.map((row) => row[figure])))
  return {
    name,
    connections,
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicrosPerRequest: of('cpuMicrosPerRequest'),
    deliveriesPerSecond: of('deliveriesPerSecond'),
  }
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2
}

/** To a thousandth: more is noise. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
