// The rules as commands use them: evaluated, and asked beforehand what they read and at which amounts they change.
import { compilePolicySet, type CompiledSet, type PolicySnapshot } from '../../rules/compile.js'
import type { Condition } from '../../rules/condition.js'
import { createEvaluator, type Evaluate } from '../../rules/evaluate.js'
import type { FactName, Facts } from '../../rules/facts.js'
import { policySetHash } from '../../rules/hash.js'
import type { Micros } from '../domain/money.js'

export interface Rules {
  evaluate: Evaluate
  hash(policies: readonly PolicySnapshot[]): string
  /** The facts that the policies read; none for policies that do not compile, which evaluate to a denial. */
  needs(policies: readonly PolicySnapshot[], timezone: string): readonly FactName[]
  /** The amounts next to which the policies may decide otherwise. `facts` are those of a payment of nothing. */
  amountThresholds(policies: readonly PolicySnapshot[], timezone: string, facts: Facts): Micros[]
}

const GROWS_WITH_AMOUNT = /^(amount|dayTotal|weekTotal|monthTotal|total|budget:.*)$/

function leaves(condition: Condition): { fact: FactName; value: unknown }[] {
  if ('fact' in condition) return [condition]
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not]
  return parts.flatMap(leaves)
}

export function createRules(cacheSize: number): Rules {
  const sets = new Map<string, CompiledSet | undefined>()
  const compiled = (policies: readonly PolicySnapshot[], timezone: string): CompiledSet | undefined => {
    const key = `${policySetHash(policies)} ${timezone}`
    if (!sets.has(key)) {
      if (sets.size >= cacheSize) sets.clear()
      sets.set(key, attempt(policies, timezone))
    }
    return sets.get(key)
  }
  return {
    evaluate: createEvaluator({ cacheSize }),
    hash: policySetHash,
    needs: (policies, timezone) => (policies.length === 0 ? [] : (compiled(policies, timezone)?.needs ?? [])),
    amountThresholds: (policies, timezone, facts) => {
      const conditions = compiled(policies, timezone)?.rules.map(({ conditions: root }) => root) ?? []
      return conditions.flatMap(leaves).flatMap(({ fact, value }) => {
        if (!GROWS_WITH_AMOUNT.test(fact) || typeof value !== 'number') return []
        const amount = value - Number(facts[fact])
        return [amount, amount - 1]
      })
    },
  }
}

function attempt(policies: readonly PolicySnapshot[], timezone: string): CompiledSet | undefined {
  try {
    return compilePolicySet(policies, timezone)
  } catch {
    return undefined
  }
}
