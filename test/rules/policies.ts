// Policies and facts for the rule tests: a payment that no rule blocks, and policies made from given rules.
import type { PolicySnapshot } from '../../rules/compile.js'
import type { Facts } from '../../rules/facts.js'
import { contentHash } from '../../rules/hash.js'
import { checkRule, type Rule, type RuleContent } from '../../rules/rule.js'

export const RECIPIENT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const STRANGER = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const SOLANA = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

/** A Tuesday. */
export const NOON = Date.parse('2026-03-03T12:00:00Z')

export const micros = (amount: number): number => Math.round(amount * 1e6)

/** All facts except budgets of a payment of 5, the first of its agent. */
export const FACTS: Facts = {
  amount: micros(5),
  category: 'CLOUD',
  counterpartyCategory: 'OTHER',
  recipient: RECIPIENT.toLowerCase(),
  counterpartyStatus: 'UNKNOWN',
  trustScore: 20,
  newCounterparty: false,
  now: NOON,
  dayTotal: micros(5),
  weekTotal: micros(5),
  monthTotal: micros(5),
  total: micros(5),
  'count:MINUTE': 1,
  'count:HOUR': 1,
  'count:DAY': 1,
  'count:WEEK': 1,
}

/** The rule in its stored form; throws if it is invalid. */
export function kept(input: unknown): RuleContent {
  const checked = checkRule(input, '')
  if (!checked.ok) throw new Error(JSON.stringify(checked.refusal.details))
  return checked.value
}

export function policyOf(inputs: readonly unknown[], more: Partial<PolicySnapshot> = {}): PolicySnapshot {
  const rules: Rule[] = inputs.map((input, at) => ({ id: `r${at}`, ...kept(input) }))
  const policy = { id: 'p1', version: 1, name: 'Policy', priority: 50, rules, ...more }
  return { contentHash: contentHash(policy.rules), ...policy }
}
