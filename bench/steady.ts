// Whether throughput stays: minutes of what a company with many agents does, on a new folder. Of ten payments eight are
// executed at once, one is denied, and one is approved and lapses.
import { join } from 'node:path'
import { startChild } from '../src/cli/terminal/child.js'
import type { Measured } from './load.js'
import { startLoad } from './loadProcess.js'
import type { Options } from './options.js'
import { CpuMeter, memoryOf } from './processes.js'
import { agentKeys, lasting, ruled } from './setup.js'
import { rateOf } from './sideBySide.js'
import { markdown } from './table.js'
import { postOf } from './target.js'
import { REQUEST_PATH, wishTo } from './wish.js'

const AGENTS = 1_000
const RECIPIENTS = 5_000
const RULES = 5
const CONNECTIONS = 64
const MINUTE_MS = 60_000
/** Approvals lapse within the run. */
const APPROVED_MINUTES = 1
/** Above the limit for a payment. */
const TOO_MUCH = 5_000
/** One payment of so many is denied, and one lapses. */
const WAYS = 10
const EVERY_ANSWER = '"requestId":"'

interface Minute extends Measured {
  /** CPU of the main thread, microseconds for each request. */
  mainMicros: number
  residentMb: number
}

export async function steady(
  { soakMinutes, burstMs = MINUTE_MS }: Options,
  folder: string,
  say: (text: string) => void,
): Promise<string> {
  const { url, pid, firstKey, end } = await startChild(join(folder, 'steady'), { BURSAR_RATE_LIMITS: 'off' })
  const server = { url, firstKey: firstKey! }
  await ruled(server, RULES)
  await lasting(server, APPROVED_MINUTES)
  const requests = requestsOf(await agentKeys(server, AGENTS))
  say(`${AGENTS} agents, ${RECIPIENTS} recipients`)
  const load = startLoad()
  const meter = new CpuMeter(pid)
  const minutes: Minute[] = []
  while (minutes.length < soakMinutes) {
    const before = meter.micros((thread) => thread === String(pid))
    const burst = { port: Number(new URL(url).port), requests, expected: EVERY_ANSWER, connections: CONNECTIONS }
    const found = await load.burst({ ...burst, ms: burstMs })
    const mainMicros = (meter.micros((thread) => thread === String(pid)) - before) / found.requests
    minutes.push({ ...found, mainMicros, residentMb: memoryOf(pid).residentMb })
    say(`minute ${minutes.length} of ${soakMinutes}`)
  }
  await load.end()
  await end('SIGTERM')
  return `${markdown(HEAD, minutes.map(cells))}\n\n${verdict(minutes)}`
}

/** Of each agent's payments one of each way in turn, each to the next recipient. */
function requestsOf(keys: readonly string[]): string[] {
  return Array.from({ length: WAYS * AGENTS }, (_, index) => {
    const wish = wishTo(index % RECIPIENTS)
    const way = (index + Math.floor(index / AGENTS)) % WAYS
    const body = way === 0 ? wish : way === 1 ? { ...wish, amount: TOO_MUCH } : { ...wish, autoExecute: true }
    return postOf(REQUEST_PATH, body, keys[index % AGENTS]!)
  })
}

const HEAD = ['minute', 'req/s', 'p50 ms', 'p99 ms', 'main µs/req', 'resident MB']

function cells(minute: Minute, index: number): string[] {
  const { p50Ms, p99Ms, mainMicros, residentMb } = minute
  const figures = [rateOf(minute).toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2)]
  return [String(index + 1), ...figures, mainMicros.toFixed(0), residentMb.toFixed(0)]
}

function verdict(minutes: readonly Minute[]): string {
  const [, second] = minutes
  if (second === undefined) return 'Too short to tell whether throughput stays.'
  return `The last minute by the second: ${(rateOf(minutes.at(-1)!) / rateOf(second)).toFixed(2)} of its requests.`
}
