// npm run test:cluster: two nodes with a replicated database under load while everything fails that may, and what is wrong
// afterwards. --quick has each fault once, --patroni puts the databases under Patroni, --seed N repeats a load. It exits
// with 1 when anything is lost, double, over or broken.
import { parseArgs } from 'node:util'
import { startByHand, startUnderPatroni } from './failingDatabase.js'
import { runPlan, type Outcome } from './plan.js'
import { inScope } from './scope.js'

const SEED = 47
const MOST_SHOWN = 20

const say = (line: string): void => void process.stdout.write(`${line}\n`)
/** With the seconds since the start of this process. */
const sayWhen = (line: string): void => say(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}`)

interface Options {
  quick: boolean
  patroni: boolean
  seed: number
}

function readOptions(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ args, options: { quick: flag, patroni: flag, seed: { type: 'string' } } })
  const seed = Number(values.seed ?? SEED)
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number, not "${values.seed}"`)
  return { ...values, seed }
}

function run({ quick, patroni, seed }: Options): Promise<Outcome> {
  return inScope(async (scope) => {
    sayWhen(`Starting PostgreSQL with a standby${patroni ? ' under Patroni' : ''}, and two nodes (seed ${seed})`)
    const database = await (patroni ? startUnderPatroni() : startByHand())
    scope.teardown(() => database.end())
    return runPlan(scope, database, { timesOf: (full) => (quick ? 1 : full), seed, say: sayWhen })
  })
}

/** Returns the code to exit with. The last line counts what was acknowledged, and what is wrong of it. */
function report({ acknowledged, findings, faults, notRun }: Outcome): number {
  say(`\n${'fault'.padEnd(48)}times   longest time without an answer`)
  for (const { name, times, longestGap } of faults) {
    say(`${name.padEnd(48)}${String(times).padStart(5)}${String(longestGap).padStart(28)} ms`)
  }
  for (const { name, lacks } of notRun) say(`NOT RUN  ${name}, for lack of ${lacks}`)
  say('')
  for (const [kind, problems] of Object.entries(findings)) {
    for (const problem of problems.slice(0, MOST_SHOWN)) say(`${kind}: ${problem}`)
  }
  const { lost, ...others } = findings
  const wrong = Object.entries(others).filter(([, problems]) => problems.length > 0)
  const counts = wrong.map(([kind, problems]) => `, ${problems.length} ${kind}`)
  say(`${acknowledged} acknowledged, ${lost.length} lost${counts.join('')}`)
  return lost.length > 0 || wrong.length > 0 ? 1 : 0
}

try {
  process.exitCode = report(await run(readOptions(process.argv.slice(2))))
} catch (error) {
  process.stderr.write(`The plan was not carried out. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
