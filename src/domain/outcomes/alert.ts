// Alerts: what an organization should know of its agents, wallets and payments without having asked.
import type { Micros } from '../values/money.js'

/** Types of alerts, with the severity of each. */
export const SEVERITY_OF = {
  SPEND_LIMIT_WARNING: 'WARNING',
  SPEND_LIMIT_EXCEEDED: 'WARNING',
  BLOCKED_ADDRESS: 'CRITICAL',
  POLICY_VIOLATION: 'WARNING',
  UNUSUAL_ACTIVITY: 'WARNING',
  FAILED_TRANSACTION: 'CRITICAL',
  NEW_COUNTERPARTY: 'INFO',
  HIGH_VALUE_TRANSACTION: 'INFO',
  AGENT_SUSPENDED: 'WARNING',
  WALLET_LOW_BALANCE: 'WARNING',
  LOW_GAS: 'WARNING',
  DELIVERY_FAILING: 'WARNING',
  CARD_OVERCHARGE: 'CRITICAL',
  UNGOVERNED_TRANSFER: 'CRITICAL',
} as const

export type AlertTypeName = keyof typeof SEVERITY_OF
export const ALERT_TYPES = Object.keys(SEVERITY_OF) as [AlertTypeName, ...AlertTypeName[]]

export const SEVERITIES = ['INFO', 'WARNING', 'CRITICAL'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ALERT_STATUSES = ['ACTIVE', 'ACKNOWLEDGED', 'RESOLVED'] as const
export type AlertStatus = (typeof ALERT_STATUSES)[number]

export interface AlertSettings {
  /** Percent of a limit, 1 to 99. */
  spendWarningAt: number
  /** Null: no alert. */
  lowBalanceBelow: Micros | null
  highValueAbove: Micros | null
}

/** What an alert says, and what it is about. */
export interface AlertFields {
  type: AlertTypeName
  severity: Severity
  title: string
  message: string
  agentId: string | null
  walletId: string | null
  paymentId: string | null
}
