// The facts of a notification, as they are stored with its delivery and sent to channels of type WEBHOOK. Amounts are in
// units of the currency, times are ISO 8601.
import type { Severity } from '../domain/outcomes/alert.js'

export const CHANNEL_EVENTS = [
  'alert.raised',
  'approval.requested',
  'approval.decided',
  'approval.escalated',
  'approval.expired',
] as const
export type ChannelEvent = (typeof CHANNEL_EVENTS)[number]

export interface NoticeItem {
  description: string
  quantity: number
  unitAmount: number
}

export interface NoticeDecision {
  by: string
  decision: 'APPROVED' | 'DENIED'
  comment: string | null
  at: string
}

/** A payment that waits, or waited, for a person. */
export interface ApprovalNotice {
  organizationId: string
  organizationName: string
  approvalRequestId: string
  paymentRequestId: string
  /** What the decision is bound to. */
  contentHash: string
  status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED'
  agentId: string
  agentName: string
  amount: number
  currency: string
  recipientAddress: string
  /** From the counterparty's record; null where there is none. */
  recipientName: string | null
  purpose: string | null
  category: string | null
  reference: string | null
  lineItems: NoticeItem[]
  /** Which rules ask, a sentence each. */
  reasons: string[]
  /** What this agent has spent and reserved from this wallet today, this payment included where it is reserved. */
  today: { amount: number; limit: number | null } | null
  /** From 0; an escalation begins the next. */
  step: number
  requiredApprovals: number
  decisions: NoticeDecision[]
  expiresAt: string
  decisionUrl: string
}

export interface AlertNotice {
  organizationId: string
  organizationName: string
  alertId: string
  type: string
  severity: Severity
  title: string
  message: string
  agentId?: string
  walletId?: string
  paymentId?: string
  count: number
  firstAt: string
  lastAt: string
  alertUrl: string
}

export interface TestNotice {
  organizationId: string
  organizationName: string
  channelId: string
  channelName: string
  test: true
}

export type Notice = ApprovalNotice | AlertNotice | TestNotice
