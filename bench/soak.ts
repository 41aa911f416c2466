// Whether memory stays constant: many minutes of the same load, with approvals that expire after five minutes as they
// do by default, and the memory of the process meanwhile.
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startLoad } from './loadProcess.js'
import { median } from './median.js'
import type { Options } from './options.js'
import { memoryOf } from './processes.js'
import { startOver, type Started } from './service/start.js'
import { lasting } from './setup.js'
import { copied, prepared } from './stored/dataSet.js'
import { markdown } from './table.js'
import type { Target } from './target.js'

const STORED = 10_000
const CONNECTIONS = 64
const APPROVED_MINUTES = 5
const MINUTE_MS = 60_000
const SAMPLE_MS = 1_000
/** The largest growth from one half of the minutes to the next, as a ratio. */
const MAX_GROWTH = 1.1

interface Minute {
  requestsPerSecond: number
  p99Ms: number
  residentMb: number
  /** Without the pages of the data file: the median of samples, because it varies with the garbage of the moment. */
  ownMb: number
  dataFileMb: number
}

export async function soak(options: Options, folder: string, say: (text: string) => void): Promise<string> {
  const { soakMinutes, burstMs = MINUTE_MS } = options
  const dataSet = copied(await prepared(STORED, say), mkdtempSync(join(folder, 'soak-')))
  const service = await startOver(dataSet)
  await lasting(service, APPROVED_MINUTES)
  const load = startLoad()
  const target = service.target(load, 'request')
  const minutes: Minute[] = []
  for (let minute = 1; minute <= soakMinutes; minute += 1) {
    minutes.push(await oneMinute(service, target, burstMs))
    say(`minute ${minute} of ${soakMinutes}: ${minutes.at(-1)!.residentMb.toFixed(0)} MB`)
  }
  await load.end()
  await service.end()
  return `${markdown(HEAD, minutes.map(cells))}\n\n${verdict(minutes)}\n\n${ENDING}`
}

async function oneMinute({ pid, dataSet }: Started, target: Target, ms: number): Promise<Minute> {
  const own: number[] = []
  const sample = (): number => {
    const { residentMb, fileMb } = memoryOf(pid)
    own.push(residentMb - fileMb)
    return residentMb
  }
  const sampling = setInterval(sample, SAMPLE_MS)
  const { requests, seconds, p99Ms } = await target.burst(CONNECTIONS, ms).finally(() => clearInterval(sampling))
  const residentMb = sample()
  const dataFileMb = statSync(join(dataSet.folder, 'data.mdb')).size / 1e6
  return { requestsPerSecond: requests / seconds, p99Ms, residentMb, ownMb: median(own), dataFileMb }
}

const HEAD = ['minute', 'req/s', 'p99 ms', 'resident MB', 'without the data file', 'file MB']

const ENDING = `\
Approvals last ${APPROVED_MINUTES} minutes here, and none is executed: after that as many end as are made, each of which
costs about what the request did. Resident memory is that of the end of the minute, without the data file the median of
the minute.`

function cells({ requestsPerSecond, p99Ms, residentMb, ownMb, dataFileMb }: Minute, index: number): string[] {
  const figures = [requestsPerSecond.toFixed(0), p99Ms.toFixed(2), residentMb.toFixed(0), ownMb.toFixed(0)]
  return [String(index + 1), ...figures, dataFileMb.toFixed(0)]
}

/** Before the first approvals end, the service has less to do. */
function verdict(minutes: Minute[]): string {
  const steady = minutes.slice(APPROVED_MINUTES)
  const half = Math.floor(steady.length / 2)
  const of = (some: Minute[]): number => median(some.map(({ ownMb }) => ownMb))
  const growth = of(steady.slice(half)) / of(steady.slice(0, half))
  if (!Number.isFinite(growth)) return 'Too short to tell whether memory grows.'
  const said = growth <= MAX_GROWTH ? 'flat' : 'it grows'
  const what = 'Without the data file, once approvals end, the second half of the minutes by the first'
  return `${what}: ${growth.toFixed(2)}, at most ${MAX_GROWTH}: ${said}.`
}
