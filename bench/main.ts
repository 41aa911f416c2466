// npm run bench: durable payment decisions a second beside a bare node:http JSON echo, in one run on one machine.
// Options: --quick (one short round), --json FILE. It leaves neither processes nor data behind.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { longestBlocks, type Block } from './blocks.js'
import { startEcho } from './echoTarget.js'
import { startLoad } from './loadProcess.js'
import { FULL, measure, QUICK, type Figures, type Row } from './measure.js'
import { startRequests } from './requestTarget.js'
import { blocksOf, tableOf } from './table.js'

/** What the request path should reach of the echo's throughput at 64 connections. */
const TARGET = 0.12
/** No single piece of work should keep the event loop longer. */
const MOST_BLOCKED_MS = 50

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
  const requests = await startRequests(folder)
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  const rows = await measure({ targets: [echo, requests], load, say }, options.quick === true ? QUICK : FULL)
  await Promise.all([load.end(), echo.end(), requests.end()])
  return rows
}

function report(figures: Figures & { blocks: Block[] }): void {
  const { echo64 } = figures.ratios
  const standing = echo64 >= TARGET ? 'reached' : 'missed'
  process.stdout.write(`${tableOf(figures.rows)}\n\necho64 ${echo64.toFixed(3)}, target ${TARGET} ${standing}\n`)
  process.stdout.write(`\n${blocksOf(figures.blocks, MOST_BLOCKED_MS)}\n`)
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
}

try {
  const rows = await run()
  const at64 = (name: string): number =>
    rows.find((row) => row.name === name && row.connections === 64)!.requestsPerSecond
  const blocks = await longestBlocks(folder)
  report({ rows, blocks, ratios: { echo64: Number((at64('request') / at64('echo')).toFixed(4)) } })
} catch (error) {
  process.stderr.write(`The bench failed. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
