// What identifies rules and policies by their content: canonical JSON, sorted, and its SHA-256. Order and ids of rules
// are no content.
import { canonicalJson } from '../src/domain/canonical.js'
import { sha256Hex } from '../src/domain/digest.js'
import type { RuleContent } from './rule.js'

/** The RFC 8785 text of a rule without its id: equal for equal content. */
export function contentOf({ ruleType, operator, value, action }: RuleContent): string {
  return canonicalJson({ ruleType, operator, value, action })
}

/** SHA-256 (hex) over the RFC 8785 form of the rules, sorted by their own RFC 8785 texts; rules that repeat count. */
export function contentHash(rules: readonly RuleContent[]): string {
  return sha256Hex(`[${rules.map(contentOf).sort().join(',')}]`)
}

/** What a policy is to the set it belongs to. */
export interface SetMember {
  id: string
  version: number
  contentHash: string
  priority: number
}

/** SHA-256 (hex) over the RFC 8785 form of the members' id, version, content hash and priority, sorted by id. */
export function policySetHash(policies: readonly SetMember[]): string {
  const sorted = [...policies].sort((a, b) => (a.id < b.id ? -1 : 1))
  return sha256Hex(
    canonicalJson(sorted.map(({ id, version, contentHash, priority }) => ({ id, version, contentHash, priority }))),
  )
}
