// What helps an agent after a denial: one hint, the wallets it has, and the next steps that its violations suggest.
import { toNumber } from '../domain/money.js'
import type { Nearest } from '../domain/payment.js'
import type { Violation, ViolationType } from '../domain/violation.js'

/** What helps against each cause. */
export const HINTS: Record<ViolationType, string> = {
  AGENT_NOT_ACTIVE: 'The agent cannot pay until an administrator sets it ACTIVE',
  WALLET_NOT_ACTIVE: 'Name another wallet, or have an administrator set this one ACTIVE',
  DELEGATION_NOT_ALLOWED: 'Use another wallet, or have an administrator change the delegation',
  INSUFFICIENT_BALANCE: 'Pay a smaller amount, or have the wallet funded',
  PER_TX_LIMIT: 'Split the payment, or have the limit per payment raised',
  DAILY_LIMIT: 'Wait for the next day, pay less, or have the daily limit raised',
  WEEKLY_LIMIT: 'Wait for the next week, pay less, or have the weekly limit raised',
  MONTHLY_LIMIT: 'Wait for the next month, pay less, or have the monthly limit raised',
  TIME_WINDOW: 'Ask again when payments are allowed',
  CONTEXT_NOT_ALLOWED: 'Name an allowed executionContext',
  BLOCKED_COUNTERPARTY: 'Choose another recipient, or have an administrator unblock this one',
  BUDGET_EXCEEDED: 'Wait for the next period, pay less, or have the budget raised',
  BLACKOUT_PERIOD: 'Ask again when the blackout is over',
  EXPIRED_PERMISSION: 'Ask again within the dates that the policy allows, or have them changed',
  WHITELIST_VIOLATION: 'Choose a recipient that the policy lists, or have this one listed',
  CATEGORY_RESTRICTION: 'Name a category that the policy allows',
  VELOCITY_LIMIT: 'Wait until fewer payments lie within the period',
  TRUST_SCORE: 'Choose a recipient of a higher trust score',
  COUNTERPARTY_STATUS: 'Choose a recipient of a status that the policy allows, or have this one verified',
  CONTRACT_NOT_ALLOWED: 'Choose a contract that the policy lists',
  AMOUNT_LIMIT: 'Pay a smaller amount, or have the policy changed',
  COMPOSITE: 'See the policy rule for what it demands',
  POLICY_ERROR: 'Have an administrator look at the policies: one of them could not be evaluated',
  SANCTIONED_ADDRESS: 'This recipient can never be paid',
}

/** The first violation's way out. */
export function hintOf(violations: readonly Violation[]): string | undefined {
  return violations[0] && HINTS[violations[0].type]
}

/** What the agent can do next: what the facts say would pass, then one step a cause. */
export function nextStepsOf(violations: readonly Violation[], way: Nearest | undefined): string[] {
  const steps: string[] = []
  if (way?.maxAmountNow) steps.push(`Ask again for ${toNumber(way.maxAmountNow)} or less: that would be approved now`)
  if (way?.earliestAt) steps.push(`Ask again at ${new Date(way.earliestAt).toISOString()}: nothing else stands against it`)
  if (way?.approvalWouldAllow) steps.push('Name another wallet of yours, from which a person could approve it')
  return [...new Set([...steps, ...violations.map(({ type }) => HINTS[type])])]
}
