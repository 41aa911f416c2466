// The rules' interface for commands: evaluation, and queries on what rules read.
import type { CompiledSet, PolicySnapshot } from '../../rules/compile.js'
import { createEvaluator, type Evaluator, type EvaluatorOptions } from '../../rules/evaluate.js'
import type { FactName } from '../../rules/facts.js'

export interface Rules extends Evaluator {
  /** The policies as json-rules-engine rules; rejects for policies that do not compile. */
  compiled(policies: readonly PolicySnapshot[], timezone: string): Promise<CompiledSet>
  /** The facts that the policies read; none for policies that do not compile, which evaluate to a denial. */
  needs(policies: readonly PolicySnapshot[], timezone: string): Promise<readonly FactName[]>
}

export function createRules(options: EvaluatorOptions): Rules {
  const evaluator = createEvaluator(options)
  const { ready } = evaluator
  return {
    ...evaluator,
    compiled: async (policies, timezone) => (await ready(policies, timezone)).compiled,
    needs: async (policies, timezone) => {
      if (policies.length === 0) return []
      try {
        return (await ready(policies, timezone)).compiled.needs
      } catch {
        return []
      }
    },
  }
}
