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
  | 'TIME_WINDOW'
  | 'CONTEXT_NOT_ALLOWED'
  | 'BLOCKED_COUNTERPARTY'
  | 'SANCTIONED_ADDRESS'
  | 'BUDGET_EXCEEDED'
  | 'BLACKOUT_PERIOD'
  | 'EXPIRED_PERMISSION'
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
  /** The most that is allowed, micro-units. */
  limit?: Micros
  /** What already counts against the limit, micro-units, without this payment; its amount for PER_TX_LIMIT. */
  current?: Micros
  /** `limit` and `current` count payments, not money. */
  unit?: 'COUNT'
  /** The rule that objects, where one does. */
  policyId?: string
  policyVersion?: number
  ruleId?: string
  message: string
}

/** Causes that may pass by themselves: a payment refused for one of them stays approved until it expires. */
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
  const first = violations[0]?.type
  if (first === 'INSUFFICIENT_BALANCE') return 'INSUFFICIENT_BALANCE'
  return first !== undefined && STATUS_CAUSES.has(first) ? 'INVALID_STATUS' : 'LIMIT_EXCEEDED'
}
