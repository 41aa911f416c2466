// The conditions that rules compile to: a subset of json-rules-engine's JSON with built-in operators only. No `path`,
// no `params`, no value that names a fact.
import type { FactName, Facts, FactValue } from './facts.js'

export type Comparison =
  'equal' | 'in' | 'contains' | 'lessThan' | 'lessThanInclusive' | 'greaterThan' | 'greaterThanInclusive'

/** Compares a fact with a constant. */
export interface Leaf {
  fact: FactName
  operator: Comparison
  value: FactValue | readonly string[]
  /** Within `all` and `any`: higher priorities are evaluated first, and may decide alone. */
  priority?: number
}

export type Junction = { all: Condition[] } | { any: Condition[] } | { not: Condition }
export type Condition = Leaf | Junction

/** Whether a condition holds for facts; a missing fact compares as undefined. */
export type Predicate = (facts: Facts) => boolean

/** The condition as a function that stops once the result is certain. */
export function predicateOf(condition: Condition): Predicate {
  if ('all' in condition) {
    const parts = condition.all.map(predicateOf)
    return (facts) => parts.every((part) => part(facts))
  }
  if ('any' in condition) {
    const parts = condition.any.map(predicateOf)
    return (facts) => parts.some((part) => part(facts))
  }
  if ('not' in condition) {
    const part = predicateOf(condition.not)
    return (facts) => !part(facts)
  }
  return comparison(condition)
}

function comparison({ fact, operator, value }: Leaf): Predicate {
  if (operator === 'equal') return (facts) => facts[fact] === value
  if (operator === 'in') {
    const listed: ReadonlySet<FactValue | undefined> = new Set(value as readonly string[])
    return (facts) => listed.has(facts[fact])
  }
  if (operator === 'contains') return (facts) => (facts[fact] as readonly unknown[]).includes(value)
  const bound = value as number
  const number = (facts: Facts): number => facts[fact] as number
  switch (operator) {
    case 'lessThan':
      return (facts) => number(facts) < bound
    case 'lessThanInclusive':
      return (facts) => number(facts) <= bound
    case 'greaterThan':
      return (facts) => number(facts) > bound
    case 'greaterThanInclusive':
      return (facts) => number(facts) >= bound
  }
}

/** Every comparison in the condition, in order. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('fact' in condition) return [condition]
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not]
  return parts.flatMap(leavesOf)
}

/** The facts in the condition, without repetitions. */
export function factsIn(condition: Condition): FactName[] {
  return [...new Set(leavesOf(condition).map(({ fact }) => fact))]
}

/** The condition as a rule's root, which must not be a bare comparison. */
export function asRoot(condition: Condition): Junction {
  return 'fact' in condition ? { all: [condition] } : condition
}
