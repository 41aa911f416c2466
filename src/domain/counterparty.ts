// The words about counterparties that charts, commands and routes share.
import type { Violation } from './violation.js'

export const COUNTERPARTY_STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const
export type CounterpartyStatus = (typeof COUNTERPARTY_STATUSES)[number]

export const RECIPIENT_BLOCKED: Violation = { type: 'BLOCKED_COUNTERPARTY', message: 'The recipient is blocked' }

export const COUNTERPARTY_CATEGORIES = [
  'API_PROVIDER',
  'CLOUD_SERVICES',
  'DATA_SERVICES',
  'TOOLS',
  'VENDOR',
  'CONTRACTOR',
  'REFUND',
  'OTHER',
] as const
export type CounterpartyCategory = (typeof COUNTERPARTY_CATEGORIES)[number]

/** What administrators write down about a counterparty. */
export interface CounterpartyFields {
  name: string
  /** Theirs alone: agents have `spendingCategory`. */
  category: CounterpartyCategory
  notes: string | null
  website: string | null
}

/** What agents write down about it. */
export interface AgentFields {
  type: string
  spendingCategory: string | null
  description: string | null
}
