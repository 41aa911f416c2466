// Statuses, categories and fields of counterparties, shared by charts, commands and routes.
import type { Violation } from '../outcomes/violation.js'
import { listOf, sublist, type List } from '../values/lists.js'

export const COUNTERPARTY_STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const
export type CounterpartyStatus = (typeof COUNTERPARTY_STATUSES)[number]

/** `state` is one of its chart. */
export function counterpartiesOf(organization: string, state?: string): List<'counterparty'> {
  return sublist(listOf(`counterparties/${organization}`), state)
}

/** True for one that an ALLOWLIST delegation pays. */
export function isAllowlisted(status: CounterpartyStatus): boolean {
  return status === 'TRUSTED' || status === 'VERIFIED'
}

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

export const NAME_SOURCES = ['PERSON', 'AGENT'] as const
/** Who gave the name: a person (or a key of the organization), or an agent. Null: nobody, it is the address. */
export type NameSource = (typeof NAME_SOURCES)[number] | null

/** Fields that administrators write. */
export interface CounterpartyFields {
  name: string
  /** Of administrators alone; agents write `spendingCategory`. */
  category: CounterpartyCategory
  notes: string | null
  website: string | null
}

/** Fields that agents write. */
export interface WritableFields {
  type: string
  spendingCategory: string | null
  description: string | null
}
