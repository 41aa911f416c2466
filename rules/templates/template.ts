// A policy template: everything needed to create a policy, except whom it applies to.
import type { PolicyType } from '../../src/domain/parties/policy.js'
import type { RuleContent } from '../rule.js'

export interface Template {
  /** Stable, in kebab case. */
  id: string
  name: string
  description: string
  policyType: PolicyType
  rules: RuleContent[]
}
