// What a journal in PostgreSQL costs and gives, beside one in a file: nodes whose database is a primary with a
// synchronous standby on this machine.
import { loadavg } from 'node:os'
import { startReplicated } from '../test/support/postgres/replicated.js'
import { measureEntries } from './journal/entries.js'
import { measureGaps } from './journal/gaps.js'
import type { JournalRun } from './journal/run.js'
import { measureThroughput } from './journal/throughput.js'
import { measureTwo } from './journal/two.js'
import type { Options } from './options.js'

const PARTS = [measureThroughput, measureTwo, measureEntries, measureGaps]

/** Throws NotRun where PostgreSQL is not installed. */
export async function measureJournal(options: Options, folder: string, say: (text: string) => void): Promise<string> {
  const database = await startReplicated()
  try {
    const run: JournalRun = { ...options, database, folder, say }
    const loads = [loadNow()]
    const tables: string[] = []
    for (const measure of PARTS) {
      tables.push(await measure(run))
      loads.push(loadNow())
    }
    return [...tables, `Load of the machine before, between and after these: ${loads.join(', ')}.`].join('\n\n')
  } finally {
    await database.end()
  }
}

/** The mean of the last minute, of all processes. */
const loadNow = (): string => loadavg()[0]!.toFixed(1)
