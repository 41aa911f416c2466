// Rules alone, without a service: one, five, twenty and a hundred of them, evaluated by the functions that decide
// payments, by json-rules-engine, and by Cedar with the same conditions, parsed beforehand.
import { NO_BREATH, policyOf } from './policy.js'
import { latenciesOf } from '../latencies.js'
import { median } from '../median.js'
import { cedarOver } from './cedar.js'
import { FACTS } from './facts.js'
import { markdown } from '../table.js'
import { NotRun } from '../target.js'
import { compilePolicySet } from '../../rules/compile.js'
import { pooledRun } from '../../rules/engines.js'
import { createEvaluator } from '../../rules/evaluate.js'

/** One evaluation; true if nothing objects. */
export type Evaluate = () => boolean | Promise<boolean>

interface Contender {
  name: string
  /** Prepares this many rules; throws NotRun if the engine is not available. */
  over: (rules: number) => Promise<Evaluate>
}

const COUNTS = [1, 5, 20, 100]
const ROUNDS = 5
const ROUND_MS = 150
const MOST = 100_000
const AIM_MICROS = 30
const ZONE = 'UTC'

const functions: Contender = {
  name: 'Bursar',
  over: async (rules) => {
    const options = { cacheSize: 10, isChecked: () => false, onDifference: () => {} }
    const { evaluate } = createEvaluator(options)
    const policies = [policyOf(rules)]
    return async () => (await evaluate(policies, ZONE, FACTS)).outcome === 'APPROVED'
  },
}

const reference: Contender = {
  name: 'json-rules-engine',
  over: async (rules) => {
    const compiled = compilePolicySet([policyOf(rules)], ZONE)
    const run = pooledRun(compiled.rules, NO_BREATH)
    return async () => (await run(FACTS, compiled.needs)).size === 0
  },
}

const cedar: Contender = { name: 'Cedar', over: async (rules) => cedarOver(rules) }

const CONTENDERS = [functions, reference, cedar]

/** A line for each number of rules. */
export async function ruleTable(say: (text: string) => void): Promise<string> {
  const lines: string[][] = []
  const missing = new Set<string>()
  for (const rules of COUNTS) {
    say(`evaluating ${rules} rules`)
    lines.push([String(rules), ...(await figuresOf(rules, missing))])
  }
  const head = ['rules', ...CONTENDERS.flatMap(({ name }) => [`${name} p50 µs`, 'p99 µs'])]
  return [markdown(head, lines), '', ...missing, standing(lines), NOTE].join('\n')
}

const NOTE = `\
Each evaluation is timed by itself, in one process. Bursar and json-rules-engine say which rules object, and Bursar
checks every fact's type first; Cedar answers allow or deny. Sums are facts for all three: who reserves them is not
measured here.`

function standing(lines: string[][]): string {
  const p50 = Number(lines.at(-1)![1])
  return `100 rules by Bursar: ${p50} µs at p50, at most ${AIM_MICROS}: ${p50 <= AIM_MICROS ? 'reached' : 'missed'}.\n`
}

async function figuresOf(rules: number, missing: Set<string>): Promise<string[]> {
  const found = new Map<string, { p50: number[]; p99: number[] }>()
  const ready: { name: string; evaluate: Evaluate | undefined }[] = []
  for (const { name, over } of CONTENDERS) ready.push({ name, evaluate: await tried(name, over(rules), missing) })
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, evaluate } of ready) {
      if (evaluate === undefined) continue
      const { p50Ms, p99Ms } = await timed(name, evaluate)
      const figures = found.get(name) ?? { p50: [], p99: [] }
      if (round > 0) found.set(name, { p50: [...figures.p50, p50Ms], p99: [...figures.p99, p99Ms] })
    }
  }
  const shown = (ms: number[]): string => (median(ms) * 1000).toFixed(1)
  return CONTENDERS.flatMap(({ name }) => {
    const figures = found.get(name)
    return figures ? [shown(figures.p50), shown(figures.p99)] : ['NOT RUN', '']
  })
}

async function tried(name: string, starting: Promise<Evaluate>, missing: Set<string>): Promise<Evaluate | undefined> {
  try {
    return await starting
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    missing.add(`NOT RUN  ${name}: ${error.message}\n`)
    return undefined
  }
}

async function timed(name: string, evaluate: Evaluate): Promise<{ p50Ms: number; p99Ms: number }> {
  const latencies = new Float64Array(MOST)
  const until = performance.now() + ROUND_MS
  let done = 0
  for (let at = performance.now(); at < until && done < MOST; at = performance.now()) {
    if (!(await evaluate())) throw new Error(`${name} objects to what every rule of the bench lets pass`)
    latencies[done] = performance.now() - at
    done += 1
  }
  return latenciesOf(latencies.subarray(0, done))
}
