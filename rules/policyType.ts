// The types of policies. A type is a label that never changes: any rule may sit in any policy.
export const POLICY_TYPES = [
  'SPEND_LIMIT',
  'TIME_WINDOW',
  'CATEGORY',
  'VELOCITY',
  'APPROVAL_THRESHOLD',
  'COUNTERPARTY',
  'BUDGET_ALLOCATION',
  'WHITELIST',
  'EXPIRATION',
  'CONTRACT_ALLOWLIST',
  'BLACKOUT_PERIOD',
  'COMPOSITE',
] as const
export type PolicyType = (typeof POLICY_TYPES)[number]
