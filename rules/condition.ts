// The conditions that rules compile to: the part of json-rules-engine's JSON that is used here, with its built-in
// operators and nothing else. No `path`, no `params`, no value that names a fact.
import type { FactName, Facts, FactValue } from './facts.js'

export type Comparison = 'equal' | 'in' | 'lessThan' | 'lessThanInclusive' | 'greaterThan' | 'greaterThanInclusive'

/** One comparison of a fact with a constant. */
export interface Leaf {
  fact: FactName
  operator: Comparison
  value: FactValue | readonly string[]
  /** Within `all` and `any`: higher ones are compared first, and may decide alone. */
  priority?: number
}

export type Junction = { all: Condition[] } | { any: Condition[] } | { not: Condition }
export type Condition = Leaf | Junction

/** Whether a condition holds for facts; one that is absent compares as undefined. */
export type Predicate = (facts: Facts) => boolean

/** The condition as a function, which asks each of its parts until the outcome is certain. */
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

/** Every comparison within the condition, in their order. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('fact' in condition) return [condition]
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not]
  return parts.flatMap(leavesOf)
}

/** The names of the facts that the condition compares, each once. */
export function factsOf(condition: Condition): FactName[] {
  return [...new Set(leavesOf(condition).map(({ fact }) => fact))]
}

/** The condition as the root of a rule, which must be no bare comparison. */
export function asRoot(condition: Condition): Junction {
  return 'fact' in condition ? { all: [condition] } : condition
}
