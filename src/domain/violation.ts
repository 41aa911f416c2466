// Why a payment may not pass: one violation a cause, with the limit and where it stands, ready to show to an agent.
// Amounts inside are micro-units; they become numbers only when an answer is written.
import type { Code } from './codes.js'
import type { Micros } from './money.js'

export type ViolationType =
  | 'AGENT_NOT_ACTIVE'
  | 'WALLET_NOT_ACTIVE'
  | 'DELEGATION_NOT_ALLOWED'
  | 'INSUFFICIENT_BALANCE'
  | 'PER_TX_LIMIT'
  | 'DAILY_LIMIT'
  | 'WEEKLY_LIMIT'
  | 'MONTHLY_LIMIT'
  | 'BUDGET_EXCEEDED'
  | 'TIME_WINDOW'
  | 'BLACKOUT_PERIOD'
  | 'EXPIRED_PERMISSION'
  | 'CONTEXT_NOT_ALLOWED'
  | 'BLOCKED_COUNTERPARTY'
  | 'SANCTIONED_ADDRESS'
  | 'WHITELIST_VIOLATION'
  | 'CATEGORY_RESTRICTION'
  | 'VELOCITY_LIMIT'
  | 'TRUST_SCORE'
  | 'COUNTERPARTY_STATUS'
  | 'CONTRACT_NOT_ALLOWED'
  | 'AMOUNT_LIMIT'
  | 'COMPOSITE'
  | 'POLICY_ERROR'

export interface Violation {
  type: ViolationType
  /** The policy, its version and the rule that do not let it pass; absent where no policy is the cause. */
  policyId?: string
  policyVersion?: number
  ruleId?: string
  /** The most that is allowed: micro-units, or a number of payments when `unit` says so. */
  limit?: Micros
  /** What already counts against the limit, without this payment; its own amount where the limit is for one payment. */
  current?: Micros
  /** Set when `limit` and `current` are plain counts and no amounts. */
  unit?: 'COUNT'
  message: string
}

/** It is the state of all the organization's agents at once. */
export const ORGANIZATION_FROZEN: Violation = { type: 'AGENT_NOT_ACTIVE', message: 'The organization is frozen' }

/**
 * Causes that may pass by themselves: a payment refused for one of them stays approved until it expires. What a policy
 * objects to is none of them, also where only time stands against it.
 */
const PASSING: ReadonlySet<ViolationType> = new Set(['AGENT_NOT_ACTIVE', 'WALLET_NOT_ACTIVE', 'INSUFFICIENT_BALANCE'])

/** True when at least one cause will not go away, so that the payment is denied for good. */
export function isLasting(violations: readonly Violation[]): boolean {
  return violations.some((violation) => !PASSING.has(violation.type))
}

const STATUS_CAUSES: ReadonlySet<ViolationType> = new Set([
  'AGENT_NOT_ACTIVE',
  'WALLET_NOT_ACTIVE',
  'BLOCKED_COUNTERPARTY',
  'SANCTIONED_ADDRESS',
])

/** The code an execution answers when these causes stopped it: the first cause names it. */
export function executionCode(violations: readonly Violation[]): Code {
  const [first] = violations
  if (first?.type === 'INSUFFICIENT_BALANCE') return 'INSUFFICIENT_BALANCE'
  // A recipient on a policy's own list is the policy's objection, not a status.
  const isStatus = first !== undefined && first.policyId === undefined && STATUS_CAUSES.has(first.type)
  return isStatus ? 'INVALID_STATUS' : 'LIMIT_EXCEEDED'
}
