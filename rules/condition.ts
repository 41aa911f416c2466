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

/** True when the condition holds for these facts; one that is absent compares as undefined. */
export function holds(condition: Condition, facts: Facts): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, facts))
  if ('any' in condition) return condition.any.some((part) => holds(part, facts))
  if ('not' in condition) return !holds(condition.not, facts)
  return compares(condition, facts[condition.fact])
}

function compares({ operator, value }: Leaf, fact: FactValue | undefined): boolean {
  switch (operator) {
    case 'equal':
      return fact === value
    case 'in':
      return (value as readonly (FactValue | undefined)[]).includes(fact)
    case 'lessThan':
      return (fact as number) < (value as number)
    case 'lessThanInclusive':
      return (fact as number) <= (value as number)
    case 'greaterThan':
      return (fact as number) > (value as number)
    case 'greaterThanInclusive':
      return (fact as number) >= (value as number)
  }
}

/** The names of the facts that the condition compares, each once. */
export function factsOf(condition: Condition): FactName[] {
  if ('fact' in condition) return [condition.fact]
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not]
  return [...new Set(parts.flatMap(factsOf))]
}

/** The condition as the root of a rule, which must be no bare comparison. */
export function asRoot(condition: Condition): Junction {
  return 'fact' in condition ? { all: [condition] } : condition
}
