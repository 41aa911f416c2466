// How requests change as payments pile up: throughput, latency, memory, file size and restart for each size, in one
// run.
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copied, prepared, readPlaces, type DataSet } from './stored/dataSet.js'
import { startLoad } from './loadProcess.js'
import { measure, type MeasuredRow, type Plan } from './measure.js'
import { median } from './median.js'
import type { Options } from './options.js'
import { memoryOf, type Memory } from './processes.js'
import { startOver, WARM_UPS } from './service/start.js'
import { markdown } from './table.js'
import type { Stage } from './target.js'

const SIZES = [10_000, 100_000, 1_000_000, 3_000_000]
/** A data set larger than this is used in place, and keeps what is measured in it. */
const MAX_COPIED = 100_000
const PLAN: Plan = { rounds: 3, turns: 3, burstMs: 2_000, leadInMs: 500, warmUpMs: 2_000, mostMs: Infinity }
const CONNECTIONS = [64]

/** What was measured at one start. */
interface Seen extends Memory {
  restartSeconds: number
  dataFileMb: number
}

export async function measureGrowth(options: Options, folder: string, say: (text: string) => void): Promise<string> {
  const { largest, burstMs = PLAN.burstMs, warmUpMs = PLAN.warmUpMs, rounds = PLAN.rounds } = options
  const seen = new Map<string, Seen[]>()
  const stages: Stage[] = []
  for (const payments of SIZES.filter((size) => size <= largest)) {
    const dataSet = await prepared(payments, say)
    const copy = (): DataSet => copied(dataSet, mkdtempSync(join(folder, 'size-')))
    const name = String(payments)
    const starts: Seen[] = []
    seen.set(name, starts)
    stages.push(sizeStage(name, payments > MAX_COPIED ? () => dataSet : copy, (start) => starts.push(start)))
  }
  const load = startLoad()
  const plan = { ...PLAN, burstMs, warmUpMs, rounds }
  const { rows } = await measure({ stages, load, say }, plan).finally(() => load.end())
  return `${markdown(
    HEAD,
    rows.map((row) => cells(row, rows[0]!, seen.get(row.name)!)),
  )}\n\n${NOTE}`
}

function sizeStage(name: string, fresh: () => DataSet, note: (seen: Seen) => void): Stage {
  return {
    rows: [{ name, connections: CONNECTIONS }],
    start: async (load) => {
      const dataSet = fresh()
      await readPlaces(dataSet)
      const startedAt = performance.now()
      const service = await startOver(dataSet)
      const restartSeconds = (performance.now() - startedAt) / 1000
      const end = async (): Promise<void> => {
        const dataFileMb = statSync(join(dataSet.folder, 'data.mdb')).size / 1e6
        note({ ...memoryOf(service.pid), restartSeconds, dataFileMb })
        await service.end()
      }
      return { targets: [service.target(load, name, { warmUps: WARM_UPS })], end }
    },
  }
}

const HEAD = [
  'stored payments',
  'req/s',
  'spread',
  'of the first',
  'p50 ms',
  'p99 ms',
  'CPU µs/req',
  'resident MB',
  'without the data file',
  'file MB',
  'restart s',
]

const NOTE = `\
64 connections, under five rules; all sizes are up at once and take turns. The payments were made by the service's
own store and commit, spread over a year and a thousand agents: each is the copy of one that was asked for and
executed, under another name and time. Resident memory is read after the load; pages of the data file in it are the
system's to take back. A restart is from the command to the first answer. Before it the rows that say where payments lie
were read, as they are after some time of service; the rest of a large file was not.`

function cells(row: MeasuredRow, first: MeasuredRow, seen: Seen[]): string[] {
  const of = (figure: keyof Seen): number => median(seen.map((one) => one[figure]))
  return [
    row.name,
    row.requestsPerSecond.toFixed(0),
    `${(row.spread * 100).toFixed(0)} %`,
    (row.requestsPerSecond / first.requestsPerSecond).toFixed(2),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.cpuMicrosPerRequest.toFixed(0),
    of('residentMb').toFixed(0),
    (of('residentMb') - of('fileMb')).toFixed(0),
    of('dataFileMb').toFixed(0),
    of('restartSeconds').toFixed(1),
  ]
}
