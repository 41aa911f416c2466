// Runs compiled rules on json-rules-engine. An engine keeps its state on itself, so a pool lends each to one run at a
// time. A run that fails, or answers for fewer rules than there are, throws.
import { Engine, Fact, Rule } from 'json-rules-engine'
import type { EngineRule } from './compile.js'
import { factsIn } from './condition.js'
import type { FactName, Facts } from './facts.js'
import { createPool } from './pool.js'

/** More engines would not help: a run waits only for its turn on the event loop. */
const MAX_ENGINES = 4

/** The names of the rules that object to the facts. All facts that the rules compare must be present. */
export type RunEngine = (facts: Facts, names: readonly FactName[]) => Promise<ReadonlySet<string>>

/** Yields to other work after a long turn. */
export type Breathe = () => Promise<void>

/** Runs the rules of one policy. */
export function pooledRun(rules: readonly EngineRule[], breathe: Breathe): RunEngine {
  const pool = createPool<Engine>(MAX_ENGINES)
  const read = new Set(rules.flatMap(({ conditions }) => factsIn(conditions)))
  return async (facts, names) => {
    const rested = await pool.take()
    let sound: Engine | undefined
    try {
      const engine = rested ?? (await engineOf(rules, breathe))
      const needed = names.filter((name) => read.has(name))
      const objecting = await objectionsOf(engine, rules, facts, needed)
      sound = engine
      return objecting
    } finally {
      // A failed engine is dropped: its unfinished conditions may still change it.
      pool.giveBack(sound)
    }
  }
}

async function engineOf(rules: readonly EngineRule[], breathe: Breathe): Promise<Engine> {
  const engine = new Engine([], {
    allowUndefinedFacts: false,
    allowUndefinedConditions: false,
    pathResolver: () => {
      throw new Error('Rules have no paths')
    },
  })
  for (const rule of rules) {
    await breathe()
    engine.addRule(uncopied(rule))
  }
  await breathe()
  return engine
}

/**
 * Keeps the library from copying a rule's conditions on every run, in time quadratic in their number. Its copy leaves
 * out inherited properties, so the conditions are inherited. This is safe because runs of one engine never overlap, and
 * none reads what another left there.
 */
function uncopied({ name, conditions, event }: EngineRule): Rule {
  const rule = new Rule({ name, conditions: structuredClone(conditions) as never, event })
  rule.conditions = Object.create(rule.conditions) as Rule['conditions']
  return rule
}

/** Throws when the engine has no answer for a rule: a missing answer would pass for no objection. */
export async function objectionsOf(
  engine: Engine,
  rules: readonly EngineRule[],
  facts: Facts,
  names: readonly FactName[],
): Promise<ReadonlySet<string>> {
  // Constant facts need no cache; its keys are costly to compute.
  const constants = names.map((name) => [name, new Fact(name, facts[name], { cache: false })] as const)
  const { results, failureResults } = await engine.run(Object.fromEntries(constants))
  const answered = new Set([...results, ...failureResults].map(({ name }) => name))
  if (!rules.every(({ name }) => answered.has(name))) throw new Error('The engine did not answer for all rules')
  return new Set(results.map(({ name }) => name))
}
