// The rounds: in each of them every stage is started in order, its rows take turns, and everything is ended, so that
// other work of the machine affects all of them alike; and the figures computed from the rounds.
import type { Load } from './loadProcess.js'
import { median, round, spreadOf } from './median.js'
import { NotRun, type Running, type Stage, type Target } from './target.js'

export interface Row {
  name: string
  connections: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerRequest: number
}

export interface MeasuredRow extends Row {
  /** The difference of the fastest and the slowest burst, as a share of the median. */
  spread: number
  /** CPU time per request, for each turn. */
  cpuMicrosByTurn: number[]
  /** Events that arrived per second; 0 if none are sent. */
  deliveriesPerSecond: number
}

/** Rows that cannot be measured on this machine. */
export interface Missing {
  name: string
  connections: readonly number[]
  reason: string
}

export interface Plan {
  rounds: number
  /** How many turns each row has in a round. */
  turns: number
  burstMs: number
  /** Before each burst, with the same load: a server that rested while others were measured is slow at first. */
  leadInMs: number
  warmUpMs: number
  /** Except for the first turn of a round, no turn begins later than this after the start of the process. */
  mostMs: number
}

export interface Bench {
  stages: Stage[]
  load: Load
  say: (text: string) => void
}

type Burst = Omit<MeasuredRow, 'spread' | 'cpuMicrosByTurn'>

const WARM_UP_CONNECTIONS = 64

export async function measure(bench: Bench, plan: Plan): Promise<{ rows: MeasuredRow[]; missing: Missing[] }> {
  const found = new Map<string, Burst[]>()
  const missing = new Map<string, Missing>()
  for (let number = 1; number <= plan.rounds; number += 1) {
    bench.say(`round ${number} of ${plan.rounds}`)
    await inRound(bench, plan, missing, (burst) => {
      const key = `${burst.name} ${burst.connections}`
      found.set(key, [...(found.get(key) ?? []), burst])
    })
  }
  const planned = bench.stages.flatMap(({ rows }) => rows)
  const keys = planned.flatMap(({ name, connections }) => connections.map((count) => `${name} ${count}`))
  const rows = keys.flatMap((key) => (found.has(key) ? [medians(found.get(key)!)] : []))
  return { rows, missing: [...missing.values()] }
}

type Take = (burst: Burst) => void

async function inRound(bench: Bench, plan: Plan, missing: Map<string, Missing>, take: Take): Promise<void> {
  const running: Running[] = []
  try {
    for (const stage of bench.stages) {
      const started = await startStage(stage, bench, missing)
      if (started) running.push(started)
    }
    const targets = running.flatMap((one) => one.targets)
    for (const target of targets) {
      bench.say(`warming up ${target.name}`)
      await target.burst(WARM_UP_CONNECTIONS, plan.warmUpMs * (target.warmUps ?? 1))
      await target.settled?.()
    }
    for (let turn = 0; turn < plan.turns; turn += 1) {
      if (turn === 0 || performance.now() < plan.mostMs) await takeTurns(bench, targets, plan, take)
    }
  } finally {
    for (const one of running.toReversed()) await one.end()
  }
}

async function startStage(
  stage: Stage,
  { load, say }: Bench,
  missing: Map<string, Missing>,
): Promise<Running | undefined> {
  const names = stage.rows.map(({ name }) => name).join(', ')
  if (stage.rows.some(({ name }) => missing.has(name))) return undefined
  say(`starting ${names}`)
  try {
    return await stage.start(load)
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    say(`NOT RUN ${names}: ${error.message}`)
    for (const row of stage.rows) missing.set(row.name, { ...row, reason: error.message })
    return undefined
  }
}

async function takeTurns({ stages, say }: Bench, targets: Target[], plan: Plan, take: Take): Promise<void> {
  const rows = stages.flatMap((stage) => stage.rows)
  const counts = [...new Set(rows.flatMap(({ connections }) => connections))].sort((one, other) => one - other)
  for (const count of counts) {
    say(`${count} connections`)
    for (const target of targets) {
      const isWanted = rows.some(({ name, connections }) => name === target.name && connections.includes(count))
      if (!isWanted) continue
      if (plan.leadInMs > 0) {
        await target.burst(count, plan.leadInMs)
        await target.settled?.()
      }
      take(await burst(target, count, plan.burstMs))
      await target.settled?.()
    }
  }
}

async function burst(target: Target, connections: number, ms: number): Promise<Burst> {
  const before = target.cpuMicros()
  const deliveredBefore = (await target.delivered?.()) ?? 0
  const { requests, seconds, p50Ms, p99Ms } = await target.burst(connections, ms)
  const used = target.cpuMicros() - before
  const delivered = ((await target.delivered?.()) ?? 0) - deliveredBefore
  return {
    name: target.name,
    connections,
    requestsPerSecond: requests / seconds,
    p50Ms,
    p99Ms,
    cpuMicrosPerRequest: used / requests,
    deliveriesPerSecond: delivered / seconds,
  }
}

function medians(bursts: Burst[]): MeasuredRow {
  const { name, connections } = bursts[0]!
  const of = (figure: Exclude<keyof Burst, 'name'>): number => round(median(bursts.map((one) => one[figure])))
  return {
    name,
    connections,
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicrosPerRequest: of('cpuMicrosPerRequest'),
    cpuMicrosByTurn: bursts.map((one) => one.cpuMicrosPerRequest),
    spread: round(spreadOf(bursts.map(({ requestsPerSecond }) => requestsPerSecond))),
    deliveriesPerSecond: of('deliveriesPerSecond'),
  }
}
