// Statuses, categories and fields of counterparties, shared by charts, commands and routes.
import type { Violation } from '../outcomes/violation.js'

export const COUNTERPARTY_STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const
export type CounterpartyStatus = (typeof COUNTERPARTY_STATUSES)[number]

/** The state of its chart that a record of this status is in; lists are kept by it. */
export const STATE_OF_STATUS: Readonly<Record<CounterpartyStatus, string>> = {
  TRUSTED: 'met.trusted',
  VERIFIED: 'met.verified',
  UNKNOWN: 'met.unknown',
  BLOCKED: 'blocked',
}

/** Where there is no record, what was paid and a block are left. */
const STATUSES = new Map<string | undefined, CounterpartyStatus>([
  ...COUNTERPARTY_STATUSES.map((status) => [STATE_OF_STATUS[status], status] as const),
  ['unmet', 'UNKNOWN'],
  ['unmetBlocked', 'BLOCKED'],
])

/** What a state of its chart means; undefined is that of an address which nobody has paid or registered. */
export function counterpartyStatusOf(state: string | undefined): CounterpartyStatus {
  return STATUSES.get(state) ?? 'UNKNOWN'
}

export function isBlocked(state: string | undefined): boolean {
  return counterpartyStatusOf(state) === 'BLOCKED'
}

/** True for one that an ALLOWLIST delegation pays. */
export function isListed(state: string | undefined): boolean {
  const status = counterpartyStatusOf(state)
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
