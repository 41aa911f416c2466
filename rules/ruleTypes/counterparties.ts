// ALLOWED_COUNTERPARTIES and BLOCKED_COUNTERPARTIES: recipients by address.
import { addresses } from './addresses.js'

export const allowedCounterparties = addresses(
  'WHITELIST_VIOLATION',
  ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  'counterparties',
)
export const blockedCounterparties = addresses(
  'BLOCKED_COUNTERPARTY',
  ['DENY', 'REQUIRE_APPROVAL'],
  'blocked counterparties',
)
