// The words for alerts: their types, and their status, of which only an active one needs somebody.
import { words } from '../format/words.js'
import type { Alert } from '../records.js'
import { Badge } from './badge.js'

export const ALERT_TYPES = [
  'SPEND_LIMIT_WARNING',
  'SPEND_LIMIT_EXCEEDED',
  'BLOCKED_ADDRESS',
  'POLICY_VIOLATION',
  'UNUSUAL_ACTIVITY',
  'FAILED_TRANSACTION',
  'NEW_COUNTERPARTY',
  'HIGH_VALUE_TRANSACTION',
  'AGENT_SUSPENDED',
  'WALLET_LOW_BALANCE',
  'LOW_GAS',
  'DELIVERY_FAILING',
  'CARD_OVERCHARGE',
  'UNGOVERNED_TRANSFER',
] as const satisfies readonly Alert['type'][]

export const alertTypeName = (type: Alert['type']): string =>
  type === 'FAILED_TRANSACTION' ? 'Failed payment' : type === 'HIGH_VALUE_TRANSACTION' ? 'Large payment' : words(type)

export function AlertStatus({ of }: { of: Alert['status'] }) {
  return <Badge status={of} tone={of === 'ACTIVE' ? 'waiting' : of === 'ACKNOWLEDGED' ? 'busy' : 'quiet'} />
}
