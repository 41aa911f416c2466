// What needs a person, read once for the count in the navigation, the overview and the page. Each list is read by its
// status, in pages of a fixed size: nothing reads all payments.
import { api, type Entry } from '../api.js'
import type { Alert, ApprovalRequest, Payment } from '../records.js'

export type FailedDelivery = Entry<'GET /api/webhooks/deliveries', 'deliveries'>

interface Records {
  /** A transfer whose outcome is unknown. */
  UNKNOWN: Payment
  /** The agent has what it needs to pay, and has not reported on it. */
  OPEN: Payment
  ALERT: Alert
  APPROVAL: ApprovalRequest
  DELIVERY: FailedDelivery
}
export type AttentionKind = keyof Records
/** Its id is that of the record. */
export type AttentionItem = { [K in AttentionKind]: { kind: K; id: string; record: Records[K] } }[AttentionKind]

export interface Attention {
  /** The most urgent first; kinds stay together. */
  items: AttentionItem[]
  /** Some list is longer than what was read of it. */
  isPartial: boolean
  /** Of all, whether they need somebody now or not. */
  totals: { pendingApprovals: number; activeAlerts: number; failedDeliveries: number }
  /** Active alerts on deliveries: while there is one, failed deliveries need somebody. */
  failing: Alert[]
}

/** An approval request needs somebody now if it expires within this time. */
export const SOON_HOURS = 4
const SOON_MS = SOON_HOURS * 3_600_000
const AT_A_TIME = 50
/** An alert on a delivery is raised when its last attempt has ended. */
const RAISED_WITHIN_MS = 60_000
const OF_WALLETS: readonly Alert['type'][] = ['LOW_GAS', 'WALLET_LOW_BALANCE']

interface Counted {
  pagination: { total?: number }
}

/** Lists begin with the newest, and what has waited longest needs somebody first. */
async function oldestOf<P extends Counted>(read: (page: { limit: number; offset: number }) => Promise<P>): Promise<P> {
  const first = await read({ limit: AT_A_TIME, offset: 0 })
  const before = (first.pagination.total ?? 0) - AT_A_TIME
  return before > 0 ? read({ limit: AT_A_TIME, offset: before }) : first
}

const isPartOf = ({ pagination: { total = 0 } }: Counted): boolean => total > AT_A_TIME

export async function readAttention(signal: AbortSignal): Promise<Attention> {
  const paymentsIn = (status: Payment['status']) =>
    oldestOf((page) => api.call('GET /api/payments', { query: { status, ...page } }, { signal }))
  const [executing, approved, alerts, approvals, deliveries] = await Promise.all([
    paymentsIn('EXECUTING'),
    paymentsIn('APPROVED'),
    api.call('GET /api/alerts', { query: { status: 'ACTIVE', limit: AT_A_TIME } }, { signal }),
    oldestOf((page) => api.call('GET /api/approval-requests', { query: { status: 'PENDING', ...page } }, { signal })),
    api.call('GET /api/webhooks/deliveries', { query: { status: 'FAILED', limit: AT_A_TIME } }, { signal }),
  ])
  const failing = alerts.alerts.filter(({ type }) => type === 'DELIVERY_FAILING')
  const failed = failedSince(deliveries.deliveries, failing)
  const items: AttentionItem[] = [
    ...executing.payments.filter(isUnknown).map((record) => item('UNKNOWN', record)),
    ...openIn([...executing.payments, ...approved.payments]).map((record) => item('OPEN', record)),
    ...alerts.alerts.filter(isUrgent).map((record) => item('ALERT', record)),
    ...soonestOf(approvals.requests).map((record) => item('APPROVAL', record)),
    ...failed.map((record) => item('DELIVERY', record)),
  ]
  return {
    items,
    isPartial: [executing, approved, alerts, approvals].some(isPartOf) || failed.length === AT_A_TIME,
    totals: {
      pendingApprovals: approvals.pagination.total,
      activeAlerts: alerts.pagination.total,
      failedDeliveries: deliveries.pagination.total,
    },
    failing,
  }
}

const item = <K extends AttentionKind>(kind: K, record: Records[K]) =>
  ({ kind, id: record.id, record }) as AttentionItem

const isUnknown = ({ transaction }: Payment): boolean => transaction?.status === 'UNKNOWN'

/** Until when what the agent was given can be used. */
export const usableUntil = ({ expiresAt, x402 }: Payment): string => x402?.validBefore ?? expiresAt

/** What agents were given to pay with and have not reported on; what can no longer be used first. */
function openIn(payments: Payment[]): Payment[] {
  const isOpen = ({ tokenOut, status, x402 }: Payment): boolean =>
    tokenOut === true || (status === 'EXECUTING' && x402 !== undefined)
  return payments.filter(isOpen).toSorted((a, b) => (usableUntil(a) < usableUntil(b) ? -1 : 1))
}

const isUrgent = ({ type, severity }: Alert): boolean => severity === 'CRITICAL' || OF_WALLETS.includes(type)

function soonestOf(requests: ApprovalRequest[]): ApprovalRequest[] {
  const end = Date.now() + SOON_MS
  return requests
    .filter(({ expiresAt }) => Date.parse(expiresAt) < end)
    .toSorted((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))
}

/** A delivery stays failed, even after its event was sent again: it is listed until the alert about it is resolved. */
function failedSince(deliveries: FailedDelivery[], failing: Alert[]): FailedDelivery[] {
  const since = Math.min(...failing.map(({ firstAt }) => Date.parse(firstAt))) - RAISED_WITHIN_MS
  return deliveries.filter((delivery) => Date.parse(failedAt(delivery)) >= since)
}

/** The time of its last attempt. */
export const failedAt = ({ attempts, createdAt }: FailedDelivery): string => attempts.at(-1)?.at ?? createdAt
