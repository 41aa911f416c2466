// The rules' interface for commands: evaluation, and queries on what rules read and where their results change.
import { nextChange, type Moment } from '../../rules/changes.js'
import type { CompiledSet, Origin, PolicySnapshot } from '../../rules/compile.js'
import { leavesOf } from '../../rules/condition.js'
import { createEvaluator, type Evaluator, type EvaluatorOptions } from '../../rules/evaluate.js'
import type { FactName, Facts } from '../../rules/facts.js'
import type { Micros } from '../domain/money.js'

export interface Rules extends Pick<Evaluator, 'evaluate' | 'explain'> {
  /** The policies as json-rules-engine rules; rejects for policies that do not compile. */
  compiled(policies: readonly PolicySnapshot[], timezone: string): Promise<CompiledSet>
  /** The facts that the policies read; none for policies that do not compile, which evaluate to a denial. */
  needs(policies: readonly PolicySnapshot[], timezone: string): Promise<readonly FactName[]>
  /** The amounts next to which the policies may decide otherwise. `facts` are those of a payment of amount 0. */
  amountThresholds(policies: readonly PolicySnapshot[], timezone: string, facts: Facts): Promise<Micros[]>
  /** Epoch ms until which each rule's result certainly stays what it is at this moment; Infinity for ever. */
  saysUntil(policies: readonly PolicySnapshot[], rules: readonly RuleName[], moment: Moment): Promise<number[]>
}

type RuleName = Pick<Origin, 'policyId' | 'ruleId'>

const GROWS_WITH_AMOUNT = /^(amount|dayTotal|weekTotal|monthTotal|total|budget:.*)$/

export function createRules(options: EvaluatorOptions): Rules {
  const { evaluate, explain, ready } = createEvaluator(options)
  const attempt = async (policies: readonly PolicySnapshot[], timezone: string): Promise<CompiledSet | undefined> => {
    try {
      return (await ready(policies, timezone)).compiled
    } catch {
      return undefined
    }
  }
  return {
    evaluate,
    explain,
    compiled: async (policies, timezone) => (await ready(policies, timezone)).compiled,
    needs: async (policies, timezone) =>
      policies.length === 0 ? [] : ((await attempt(policies, timezone))?.needs ?? []),
    amountThresholds: async (policies, timezone, facts) => {
      const conditions = (await attempt(policies, timezone))?.rules.map(({ conditions: root }) => root) ?? []
      return conditions.flatMap(leavesOf).flatMap(({ fact, value }) => {
        if (!GROWS_WITH_AMOUNT.test(fact) || typeof value !== 'number') return []
        const amount = value - Number(facts[fact])
        return [amount, amount - 1]
      })
    },
    saysUntil: async (policies, names, moment) => {
      const rules = (await attempt(policies, moment.timezone))?.rules ?? []
      return names.map(({ policyId, ruleId }) => {
        const rule = rules.find(({ name }) => name === `${policyId}/${ruleId}`)
        return rule === undefined ? Infinity : nextChange(rule.conditions, moment)
      })
    },
  }
}
