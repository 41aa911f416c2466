// The difference of two versions of a policy: fields by name, rules by content. A rule that only moved, or only got
// another id, is unchanged; an edited one shows as one removed and one added.
import type { Json } from '../src/domain/values/canonical.js'
import { contentOf } from './hash.js'
import type { RuleContent } from './rule.js'

/** The compared fields of a version, besides its rules. */
export interface Definition {
  name: string
  description: string | null
  policyType: string
  scope: string
  priority: number
  isActive: boolean
}

export interface FieldChange {
  field: keyof Definition
  from: Json
  to: Json
}

const FIELDS = ['name', 'description', 'policyType', 'scope', 'priority', 'isActive'] as const

/** The fields that differ, in the order of the definition. */
export function diffFields(from: Definition, to: Definition): FieldChange[] {
  const changed = FIELDS.filter((field) => from[field] !== to[field])
  return changed.map((field) => ({ field, from: from[field], to: to[field] }))
}

/** Rules only in `to` and rules only in `from`; repetitions count. */
export function diffRules<R extends RuleContent>(
  from: readonly R[],
  to: readonly R[],
): { rulesAdded: R[]; rulesRemoved: R[] } {
  return { rulesAdded: without(to, from), rulesRemoved: without(from, to) }
}

function without<R extends RuleContent>(rules: readonly R[], others: readonly R[]): R[] {
  const counts = new Map<string, number>()
  for (const other of others) counts.set(contentOf(other), (counts.get(contentOf(other)) ?? 0) + 1)
  return rules.filter((rule) => {
    const count = counts.get(contentOf(rule)) ?? 0
    counts.set(contentOf(rule), count - 1)
    return count <= 0
  })
}
