// The reasons for which a payment is denied, in words, in the order of the alphabet.
import type { Parts } from '../api.js'

type Violation = NonNullable<NonNullable<Parts<'GET /api/payments'>['query']>['violation']>

const NAMES: { [type in Violation]: string } = {
  AGENT_NOT_ACTIVE: 'Agent not active',
  AMOUNT_LIMIT: 'Amount limit of a policy',
  ASSET_NOT_ALLOWED: 'Asset not allowed',
  INSUFFICIENT_BALANCE: 'Balance too low',
  BLACKOUT_PERIOD: 'Blackout period',
  BLOCKED_COUNTERPARTY: 'Blocked counterparty',
  BUDGET_EXCEEDED: 'Budget exceeded',
  CARD_NOT_ACTIVE: 'Card not active',
  CATEGORY_RESTRICTION: 'Category not allowed',
  COMPOSITE: 'Combined rule',
  CONTEXT_NOT_ALLOWED: 'Context not allowed',
  CONTRACT_NOT_ALLOWED: 'Contract not allowed',
  COUNTERPARTY_STATUS: 'Counterparty status',
  DAILY_LIMIT: 'Daily limit',
  DELEGATION_NOT_ALLOWED: 'Delegation does not allow it',
  MONTHLY_LIMIT: 'Monthly limit',
  WHITELIST_VIOLATION: 'Not on the allowlist',
  TIME_WINDOW: 'Outside the allowed times',
  PER_TX_LIMIT: 'Per-payment limit',
  EXPIRED_PERMISSION: 'Permission expired',
  POLICY_ERROR: 'Policy could not be evaluated',
  RAIL_NOT_ALLOWED: 'Rail not allowed',
  SANCTIONED_ADDRESS: 'Sanctioned address',
  TRUST_SCORE: 'Trust score too low',
  UNUSUAL_ACTIVITY: 'Unusual activity',
  VELOCITY_LIMIT: 'Velocity limit',
  WALLET_NOT_ACTIVE: 'Wallet not active',
  WEEKLY_LIMIT: 'Weekly limit',
  X402_PRICE_CEILING: 'x402 price ceiling',
  X402_SERVICE_BLOCKED: 'x402 service blocked',
  X402_SERVICE_LIMIT: 'x402 service limit',
  X402_SERVICE_NOT_ALLOWED: 'x402 service not allowed',
}

export const VIOLATIONS = Object.entries(NAMES) as [Violation, string][]
