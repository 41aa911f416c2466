// What helps an agent after a denial: one hint, the wallets it has, and the next steps that its violations suggest.
import { toNumber } from '../domain/money.js'
import type { Violation, ViolationType } from '../domain/violation.js'

const HINTS: Record<ViolationType, string> = {
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
  SANCTIONED_ADDRESS: 'This recipient can never be paid',
}

/** The first violation's way out. */
export function hintOf(violations: readonly Violation[]): string | undefined {
  return violations[0] && HINTS[violations[0].type]
}

/** One step a cause, with the room that is left where there is a limit. */
export function nextStepsOf(violations: readonly Violation[]): string[] {
  return violations.map(({ type, limit, current }) => {
    const room = limit !== undefined && current !== undefined && type !== 'PER_TX_LIMIT' ? limit - current : limit
    if (room === undefined || room <= 0) return HINTS[type]
    return `${HINTS[type]}; up to ${toNumber(room)} would pass this check`
  })
}
