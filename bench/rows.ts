// The table: every requested row, with its limits and rivals, in one run.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { longestBlocks } from './blocks.js'
import { AGENTS, cached, copied, madeIn, prepared, type DataSet } from './stored/dataSet.js'
import { startLoad } from './loadProcess.js'
import { measure, type MeasuredRow, type Missing, type Plan, type Row } from './measure.js'
import type { Options } from './options.js'
import { writeSection } from './performancePage.js'
import { allStages, essentialStages, FULL, QUICK } from './plans.js'
import { plainRow, ratiosOf, standingOf, type Ratios } from './ratios.js'
import { evaluated } from './rules/evaluated.js'
import { blocksOf, tableOf } from './table.js'
import type { Stage } from './target.js'

/** The content that `--json` writes. */
export interface Figures {
  rows: Row[]
  ratios: Ratios
}

/** No single piece of work should block the event loop for longer. */
const MAX_BLOCKED_MS = 50
const MILLION = 1_000_000
const STORED = 10_000
/** Few enough to be created within seconds. */
const QUICK_AGENTS = 20

/** Where the comparison is not equal. */
const NOTES = `\
Every request carries an idempotency key, unless its row says otherwise. The rivals stand behind the service's own HTTP
front and do, for each request: idempotency, five rules, limits for a payment, a day, a week and a month, a day's limit
of the agent, the wallet's balance, the payment, an audit entry chained by hash, an outbox row. They are compared with
\`request, outbox\`, where the service writes the rows of its events too: several, where the rivals write one.

Not equal, in the rivals' favour: they start empty, keep a reservation in the payment's own row where the service asks
four gates, each with sums of its own, keep fewer lists, explain no denial, answer in fewer bytes, and no checkpoint of
PostgreSQL and no rewriting of Redis' log falls within a round; Redis chains by SHA-1, the only hash that its scripts
have, and holds everything in memory. In the service's favour: it decides in the process of its front, so that a request
crosses one socket fewer.`

export async function measureRows(options: Options, folder: string, say: (text: string) => void): Promise<Figures> {
  const plan = planOf(options)
  const small = await smallSet(options, folder, say)
  const copy = (): DataSet => copied(small, mkdtempSync(join(folder, 'copy-')))
  const folders = { copy, million: cached(MILLION), scratch: folder }
  const load = startLoad()
  const stages = only(options.only, options.quick ? essentialStages(folders) : allStages(folders))
  const { rows, missing } = await measure({ stages, load, say }, plan).finally(() => load.end())
  const figures = { rows: rows.map(plainRow), ratios: ratiosOf(rows) }
  const text = textOf(rows, missing)
  process.stdout.write(`${text}\n`)
  if (options.write) writeSection(options.quick ? 'quick' : 'rows', text)
  if (!options.quick && options.only === undefined) {
    process.stdout.write(`\n${await evaluated()}\n\n${blocksOf(await longestBlocks(folder), MAX_BLOCKED_MS)}\n`)
  }
  return figures
}

function only(parts: string[] | undefined, stages: Stage[]): Stage[] {
  if (parts === undefined) return stages
  const has = ({ rows }: Stage, part: string): boolean => rows.some(({ name }) => name.includes(part))
  const strange = parts.find((part) => !stages.some((stage) => has(stage, part)))
  if (strange !== undefined) throw new Error(`--only ${strange}: no row has such a name`)
  return stages.filter((stage) => parts.some((part) => has(stage, part)))
}

function planOf({ quick, rounds, burstMs, warmUpMs }: Options): Plan {
  const plan = quick ? QUICK : FULL
  return {
    ...plan,
    rounds: rounds ?? plan.rounds,
    burstMs: burstMs ?? plan.burstMs,
    warmUpMs: warmUpMs ?? plan.warmUpMs,
  }
}

/** The data set of the cache; if there is none and little time, one with few agents. */
async function smallSet({ quick, stored }: Options, folder: string, say: (text: string) => void): Promise<DataSet> {
  const found = stored === STORED ? cached(STORED) : ''
  if (typeof found !== 'string') return found
  if (!quick && stored === STORED) return prepared(STORED, say)
  return madeIn(join(folder, 'small'), { payments: stored, agents: quick ? QUICK_AGENTS : AGENTS, say })
}

function textOf(rows: MeasuredRow[], missing: Missing[]): string {
  const reasons = missing.map(({ name, reason }) => `NOT RUN  ${name}: ${reason}`)
  const gone = reasons.length > 0 ? `\n\n${reasons.join('\n')}` : ''
  return `${tableOf(rows, missing)}${gone}\n\n\`\`\`text\n${standingOf(rows)}\n\`\`\`\n\n${NOTES}`
}
