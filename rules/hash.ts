// Identifies rules and policies by content: the SHA-256 of sorted canonical JSON. Order and ids of rules are not part
// of the content.
import { canonicalJson } from '../src/domain/values/canonical.js'
import { sha256Hex } from '../src/domain/values/digest.js'
import type { RuleContent } from './rule.js'

/** The RFC 8785 text of a rule without its id: equal for equal content. */
export function contentOf({ ruleType, operator, value, action }: RuleContent): string {
  return canonicalJson({ ruleType, operator, value, action })
}

/** SHA-256 (hex) over the RFC 8785 form of the rules, sorted by their own RFC 8785 texts; repetitions count. */
export function contentHash(rules: readonly RuleContent[]): string {
  return sha256Hex(`[${rules.map(contentOf).sort().join(',')}]`)
}

/** The part of a policy that its set's hash covers. */
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
