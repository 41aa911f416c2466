// npm run bench: durable payment decisions a second beside a bare node:http JSON echo, in one run on one machine.
// Options: --quick (one short round), --json FILE. It leaves neither processes nor data behind.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { longestBlocks, type Block } from './blocks.js'
import { startDelivering } from './deliveringTarget.js'
import { startEcho } from './echoTarget.js'
import { startLoad } from './loadProcess.js'
import { FULL, measure, QUICK, type Figures, type Row } from './measure.js'
import { startRequests } from './requestTarget.js'
import { blocksOf, tableOf } from './table.js'

/** What the request path should reach of the echo's throughput at 64 connections. */
const TARGET = 0.12
/** No single piece of work should keep the event loop longer. */
const MOST_BLOCKED_MS = 50
/** What a request may use of CPU time, at most, of what it uses while no events are delivered. */
const MOST_WITH_EVENTS = 1.15
const LEAST_DELIVERIES = 1_000

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } })
// Not in the system's temporary folder: that may be memory, where nothing is durable.
mkdirSync('.cache', { recursive: true })
const folder = resolve(mkdtempSync(join('.cache', 'bench-')))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

async function run(): Promise<Row[]> {
  const load = startLoad()
  const echo = await startEcho()
  const requests = await startRequests(join(folder, 'request'))
  const delivering = await startDelivering(join(folder, 'deliver'))
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  const rows = await measure({ targets: [echo, requests, delivering], load, say }, options.quick === true ? QUICK : FULL)
  await Promise.all([load.end(), echo.end(), requests.end(), delivering.end()])
  return rows
}

function report(figures: Figures & { blocks: Block[] }): void {
  const { echo64, deliver64 } = figures.ratios
  const { deliveriesPerSecond } = rowAt64(figures.rows, 'deliver')
  const standing = (reached: boolean): string => (reached ? 'reached' : 'missed')
  const delivers = deliver64 <= MOST_WITH_EVENTS && deliveriesPerSecond >= LEAST_DELIVERIES
  process.stdout.write(
    `${tableOf(figures.rows)}\n\necho64 ${echo64.toFixed(3)}, target ${TARGET} ${standing(echo64 >= TARGET)}\n` +
      `deliver64 ${deliver64.toFixed(3)} of the CPU at ${deliveriesPerSecond.toFixed(0)} deliveries/s, ` +
      `target ${MOST_WITH_EVENTS} at ${LEAST_DELIVERIES} ${standing(delivers)}\n`,
  )
  process.stdout.write(`\n${blocksOf(figures.blocks, MOST_BLOCKED_MS)}\n`)
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
}

function rowAt64(rows: Row[], name: string): Row {
  return rows.find((row) => row.name === name && row.connections === 64)!
}

function ratio(one: number, other: number): number {
  return Number((one / other).toFixed(4))
}

try {
  const rows = await run()
  const [echo, request, deliver] = ['echo', 'request', 'deliver'].map((name) => rowAt64(rows, name)) as [Row, Row, Row]
  const echo64 = ratio(request.requestsPerSecond, echo.requestsPerSecond)
  const blocks = await longestBlocks(folder)
  report({ rows, blocks, ratios: { echo64, deliver64: ratio(deliver.cpuMicrosPerRequest, request.cpuMicrosPerRequest) } })
} catch (error) {
  process.stderr.write(`The bench failed. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
