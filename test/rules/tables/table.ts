// A table for one rule: payments on both sides of its boundary and on it, with the explanation of each.
import type { Facts } from '../../../rules/facts.js'
import type { RULE_TYPES } from '../../../rules/ruleTypes/index.js'
import type { Violation } from '../../../src/domain/outcomes/violation.js'
import { micros } from '../policies.js'

/** Facts, the outcome (for a denial the type of the violation) and the explanation. */
export type Case = [facts: Facts, outcome: 'APPROVED' | 'REQUIRES_APPROVAL' | Violation['type'], said: string]

export interface Table {
  rule: { ruleType: keyof typeof RULE_TYPES; [field: string]: unknown }
  /** The time zone of the policy set; UTC by default. */
  timezone?: string
  /** Fields of the violation in the last case. */
  standing?: Partial<Violation>
  cases: Case[]
}

export const paying = (amount: number): Facts => ({ amount: micros(amount) })

/** The amount of a payment, and a sum that includes it. */
export const sum = (name: keyof Facts, amount: number, total: number): Facts => ({
  ...paying(amount),
  [name]: micros(total),
})
