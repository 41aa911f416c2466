// npm run bench: compares the service with its limits and rivals, in one run on one machine. It leaves no processes and
// no data behind, except for the data sets in .cache/bench-data. docs/performance.md has the options.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../test/support/root.js'
import { prepared } from './stored/dataSet.js'
import { measureBeside } from './beside.js'
import { measureBytes } from './bytes.js'
import { measureGrowth } from './growth.js'
import { measureJournal } from './journal.js'
import { readOptions, type Options } from './options.js'
import { writeSection, type Section } from './performancePage.js'
import { measureRows } from './rows.js'
import { evaluated } from './rules/evaluated.js'
import { soak } from './soak.js'
import { steady } from './steady.js'
import { measureX402 } from './x402.js'

// Not in the system's temporary folder, which may be in memory, where nothing is durable.
const cache = join(projectRoot, '.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, `bench-${process.pid}-`))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const SIZES = [10_000, 1_000_000]

async function run(options: Options): Promise<void> {
  const { mode, json } = options
  if (mode === 'prepare') {
    for (const payments of SIZES) await prepared(payments, say)
  } else if (mode === 'rows') {
    const figures = await measureRows(options, folder, say)
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`)
  } else {
    const text = await tableFor(mode, options)
    process.stdout.write(`${text}\n`)
    if (options.write && mode !== 'beside' && mode !== 'steady') writeSection(mode, text)
  }
}

function tableFor(mode: Section | 'beside' | 'steady', options: Options): Promise<string> {
  if (mode === 'rules') return evaluated()
  if (mode === 'soak') return soak(options, folder, say)
  if (mode === 'steady') return steady(options, folder, say)
  if (mode === 'bytes') return measureBytes(options, folder, say)
  if (mode === 'beside') return measureBeside(options, folder, say)
  if (mode === 'x402') return measureX402(options, folder, say)
  if (mode === 'journal') return measureJournal(options, folder, say)
  return measureGrowth(options, folder, say)
}

try {
  await run(readOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`The bench failed. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
