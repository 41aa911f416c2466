// Violations: one for each reason why a payment may not pass, with the limit and its current value, ready to show to an
// agent. Amounts are micro-units; they become numbers only when an answer is written.
import type { Code } from './codes.js'
import type { Micros } from '../values/money.js'

export const VIOLATION_TYPES = [
  'AGENT_NOT_ACTIVE',
  'WALLET_NOT_ACTIVE',
  'DELEGATION_NOT_ALLOWED',
  'INSUFFICIENT_BALANCE',
  'PER_TX_LIMIT',
  'DAILY_LIMIT',
  'WEEKLY_LIMIT',
  'MONTHLY_LIMIT',
  'BUDGET_EXCEEDED',
  'TIME_WINDOW',
  'BLACKOUT_PERIOD',
  'EXPIRED_PERMISSION',
  'CONTEXT_NOT_ALLOWED',
  'BLOCKED_COUNTERPARTY',
  'SANCTIONED_ADDRESS',
  'WHITELIST_VIOLATION',
  'CATEGORY_RESTRICTION',
  'VELOCITY_LIMIT',
  'TRUST_SCORE',
  'COUNTERPARTY_STATUS',
  'CONTRACT_NOT_ALLOWED',
  'AMOUNT_LIMIT',
  'COMPOSITE',
  'UNUSUAL_ACTIVITY',
  'CARD_NOT_ACTIVE',
  'RAIL_NOT_ALLOWED',
  'ASSET_NOT_ALLOWED',
  'X402_PRICE_CEILING',
  'X402_SERVICE_LIMIT',
  'X402_SERVICE_NOT_ALLOWED',
  'X402_SERVICE_BLOCKED',
  'POLICY_ERROR',
] as const

export type ViolationType = (typeof VIOLATION_TYPES)[number]

/** An alias, because TypeScript takes no interface for JSON. */
export type Violation = {
  type: ViolationType
  /** The policy, version and rule of the violation; absent where no policy is the cause. */
  policyId?: string
  policyVersion?: number
  ruleId?: string
  /** The largest value allowed: micro-units, or a number of payments when `unit` says so. */
  limit?: Micros
  /**
   * What already counts against the limit, without this payment; the payment's own amount for a limit on one payment.
   * Absent for a number of payments above the limit: they are counted no further.
   */
  current?: Micros
  /** Set when `limit` and `current` are counts, not amounts. */
  unit?: 'COUNT'
  message: string
}

/** True where the policies could not be evaluated: such a denial cannot be decided again. */
export function hasPolicyError(violations: readonly Pick<Violation, 'type'>[]): boolean {
  return violations.some(({ type }) => type === 'POLICY_ERROR')
}

/** The type is the agents' own: a frozen organization suspends all of them. */
export const ORGANIZATION_FROZEN: Violation = { type: 'AGENT_NOT_ACTIVE', message: 'The organization is frozen' }

/**
 * Causes that may go away by themselves: a payment refused for one of them stays approved until it expires. A policy's
 * violations never count as passing, even where only time is the cause.
 */
const PASSING: ReadonlySet<ViolationType> = new Set([
  'AGENT_NOT_ACTIVE',
  'WALLET_NOT_ACTIVE',
  'CARD_NOT_ACTIVE',
  'INSUFFICIENT_BALANCE',
])

/** True when at least one cause is permanent; the payment is then denied permanently. */
export function isLasting(violations: readonly Violation[]): boolean {
  return violations.some((violation) => !PASSING.has(violation.type))
}

const STATUS_CAUSES: ReadonlySet<ViolationType> = new Set([
  'AGENT_NOT_ACTIVE',
  'WALLET_NOT_ACTIVE',
  'CARD_NOT_ACTIVE',
  'BLOCKED_COUNTERPARTY',
  'SANCTIONED_ADDRESS',
])

/** The code of an execution stopped by these violations; the first decides. */
export function executionCode(violations: readonly Violation[]): Code {
  const [first] = violations
  if (first?.type === 'INSUFFICIENT_BALANCE') return 'INSUFFICIENT_BALANCE'
  // A recipient on a policy's own list is the policy's violation, not one of status.
  const isStatus = first !== undefined && first.policyId === undefined && STATUS_CAUSES.has(first.type)
  return isStatus ? 'INVALID_STATUS' : 'LIMIT_EXCEEDED'
}
