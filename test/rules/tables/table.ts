// A table of one rule: payments on both sides of it and on its boundary, and what is said of each.
import type { Facts } from '../../../rules/facts.js'
import type { RULE_TYPES } from '../../../rules/ruleTypes/index.js'
import type { Violation } from '../../../src/domain/violation.js'
import { micros } from '../policies.js'

/** Facts, what becomes of the payment (the violation's type for a denial), and the explanation. */
export type Case = [facts: Facts, outcome: 'APPROVED' | 'REQUIRES_APPROVAL' | Violation['type'], said: string]

export interface Table {
  rule: { ruleType: keyof typeof RULE_TYPES; [field: string]: unknown }
  /** Of the set; UTC unless it is said. */
  timezone?: string
  /** Of the last case. */
  standing?: Partial<Violation>
  cases: Case[]
}

export const paying = (amount: number): Facts => ({ amount: micros(amount) })

/** A payment and a sum that it is part of. */
export const sum = (name: keyof Facts, amount: number, total: number): Facts => ({
  ...paying(amount),
  [name]: micros(total),
})
