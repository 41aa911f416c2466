// Another build beside this one: both serve the same requests in turn.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Options } from './options.js'
import {
  loadName,
  RATIO_HEAD,
  ratioCells,
  sideOf,
  takeTurn,
  warmUp,
  type NewService,
  type Side,
  type Turn,
} from './sideBySide.js'
import { markdown } from './table.js'

const CONNECTIONS = [1, 16, 64]
const AGENTS = [1, 100]
const ROUNDS = 3
const TURNS = 8
const BURST_MS = 500

type Say = (text: string) => void

/** What a build's code offers to start it. */
interface Build {
  startChild(folder: string, settings: object): Promise<NewService>
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
      await measured(both, { agents, round, burstMs }, turns)
      for (const one of both) await one.end()
    }
  }
  const rows = [...turns].map(([name, pairs]) => [name, ...ratioCells(pairs)])
  return markdown(['this build ÷ the other', ...RATIO_HEAD], rows)
}

function buildIn(checkout: string): Promise<Build> {
  return import(pathToFileURL(join(checkout, 'dist/src/cli/terminal/child.js')).href) as Promise<Build>
}

async function started({ startChild }: Build, folder: string, agents: number): Promise<Side> {
  return sideOf(await startChild(folder, { BURSAR_RATE_LIMITS: 'off' }), agents)
}

interface Round {
  agents: number
  round: number
  burstMs: number
}

async function measured(both: readonly Side[], { agents, round, burstMs }: Round, turns: Turns): Promise<void> {
  await warmUp(both, burstMs)
  for (const connections of CONNECTIONS) {
    const name = `${agents === 1 ? 'one agent' : `${agents} agents`}, ${loadName(connections)}`
    const list = turns.get(name) ?? []
    turns.set(name, list)
    for (let turn = 0; turn < TURNS; turn += 1) {
      list.push((await takeTurn(both, { first: turn + round, connections, ms: burstMs })) as [Turn, Turn])
    }
  }
}
