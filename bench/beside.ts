// Another build beside this one: both serve the same requests in turn, in processes of their own on new folders, and the
// figures of each turn are compared with those of the other in the same turn.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startLoad, type Load } from './loadProcess.js'
import type { Measured } from './load.js'
import { median } from './median.js'
import type { Options } from './options.js'
import { CpuMeter } from './processes.js'
import { agentUnder, lasting, ruled, type Server } from './setup.js'
import { APPROVED } from './service/start.js'
import { markdown } from './table.js'
import { postOf } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const CONNECTIONS = [1, 16, 64]
const AGENTS = [1, 100]
const RULES = 5
const ROUNDS = 3
const TURNS = 8
const BURST_MS = 500
const LEAD_IN_MS = 200
const WARM_UPS = 4
const AT_ONCE = 20

type Say = (text: string) => void

/** What a build's code offers to start it. */
interface Build {
  startChild(
    folder: string,
    settings: object,
  ): Promise<Server & { pid: number; firstKey?: string; end(signal: 'SIGTERM'): Promise<unknown> }>
}

interface Running {
  load: Load
  port: number
  requests: string[]
  main(): number
  end(): Promise<unknown>
}

interface Turn extends Measured {
  /** CPU of the main thread, microseconds for each request. */
  mainMicros: number
}

/** By what is measured; the other build first. */
type Turns = Map<string, [Turn, Turn][]>

/** `--beside FOLDER`: a checkout that is built. */
export async function measureBeside(
  { beside, rounds = ROUNDS, burstMs = BURST_MS }: Options,
  folder: string,
  say: Say,
): Promise<string> {
  const builds = await Promise.all([resolve(beside!), process.cwd()].map(buildIn))
  const turns: Turns = new Map()
  for (const agents of AGENTS) {
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds}, ${agents} agents`)
      const place = (at: number): string => join(folder, `beside-${agents}-${round}-${at}`)
      const both = await Promise.all(builds.map((build, at) => started(build, place(at), agents)))
      await measured(both as [Running, Running], { agents, round, burstMs }, turns)
      for (const one of both) await one.end()
    }
  }
  return markdown(['this build ÷ the other', 'requests/s', 'p50', 'p99', 'main thread'], [...turns].map(rowOf))
}

function buildIn(checkout: string): Promise<Build> {
  return import(pathToFileURL(join(checkout, 'dist/src/cli/terminal/child.js')).href) as Promise<Build>
}

async function started({ startChild }: Build, folder: string, agents: number): Promise<Running> {
  const { url, pid, firstKey, end } = await startChild(folder, { BURSAR_RATE_LIMITS: 'off' })
  const server = { url, firstKey: firstKey! }
  await ruled(server, RULES)
  await lasting(server)
  const keys: string[] = []
  while (keys.length < agents) {
    const names = Array.from(
      { length: Math.min(AT_ONCE, agents - keys.length) },
      (_, at) => `agent ${keys.length + at}`,
    )
    keys.push(...(await Promise.all(names.map(async (name) => (await agentUnder(server, name)).key))))
  }
  const load = startLoad()
  const meter = new CpuMeter(pid)
  return {
    load,
    port: Number(new URL(url).port),
    requests: keys.map((key) => postOf(REQUEST_PATH, WISH, key)),
    main: () => meter.micros((thread) => thread === String(pid)),
    end: async () => [await load.end(), await end('SIGTERM')],
  }
}

interface Round {
  agents: number
  round: number
  burstMs: number
}

async function measured(both: [Running, Running], { agents, round, burstMs }: Round, turns: Turns): Promise<void> {
  for (let turn = 0; turn < WARM_UPS; turn += 1) for (const one of both) await burst(one, 16, burstMs)
  for (const connections of CONNECTIONS) {
    const name = `${agents === 1 ? 'one agent' : `${agents} agents`}, ${connections} connections`
    const list = turns.get(name) ?? []
    turns.set(name, list)
    for (let turn = 0; turn < TURNS; turn += 1) {
      // Each begins as often as the other.
      const order = (turn + round) % 2 === 0 ? [0, 1] : [1, 0]
      const pair: Turn[] = []
      for (const at of order) pair[at] = await burst(both[at]!, connections, burstMs)
      list.push(pair as [Turn, Turn])
    }
  }
}

async function burst({ load, port, requests, main }: Running, connections: number, ms: number): Promise<Turn> {
  const exchange = { port, requests, expected: APPROVED, connections }
  await load.burst({ ...exchange, ms: LEAD_IN_MS })
  const before = main()
  const found = await load.burst({ ...exchange, ms })
  return { ...found, mainMicros: (main() - before) / found.requests }
}

function rowOf([name, pairs]: [string, [Turn, Turn][]]): string[] {
  const ratio = (of: (turn: Turn) => number): string =>
    median(pairs.map(([other, own]) => of(own) / of(other))).toFixed(2)
  return [
    name,
    ratio(({ requests, seconds }) => requests / seconds),
    ratio(({ p50Ms }) => p50Ms),
    ratio(({ p99Ms }) => p99Ms),
    ratio(({ mainMicros }) => mainMicros),
  ]
}
