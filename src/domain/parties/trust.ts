// The trust score of a recipient: a whole number from 0 to 100, computed from the history of its payments by the
// formula in docs/trust.md. Deterministic: the same history at the same time gives the same score.
import type { CounterpartyStatus } from './counterparty.js'
import type { PaymentHistory } from './paymentHistory.js'
import type { Seen } from './networkTotals.js'

/** The score of an address that was never paid. */
export const BASE_SCORE = 20
const MAX_FOR_PAYMENTS = 40
const MAX_FOR_AGE = 20
const MAX_FOR_ORGANIZATIONS = 20
const MONTH_MS = 30 * 24 * 60 * 60_000
const STANDING: Record<CounterpartyStatus, number> = { TRUSTED: 20, VERIFIED: 10, UNKNOWN: 0, BLOCKED: 0 }

/** Four points each time the number of payments doubles: at 1, 3, 7, 15 … payments. */
function forPayments(count: number): number {
  return Math.min(MAX_FOR_PAYMENTS, 4 * Math.floor(Math.log2(count + 1)))
}

/** Two points for each full 30 days since the first payment. */
function forAge(firstTransactionAt: number | null, now: number): number {
  if (firstTransactionAt === null || now < firstTransactionAt) return 0
  return Math.min(MAX_FOR_AGE, 2 * Math.floor((now - firstTransactionAt) / MONTH_MS))
}

/** Points for base, payments and age, times the share of payments that did not fail: `well` of `all`. */
function earned(count: number, firstAt: number | null, [well, all]: [number, number], now: number): number {
  const points = BASE_SCORE + forPayments(count) + forAge(firstAt, now)
  return all === 0 ? points : Math.floor((points * well) / all)
}

/** The score of a counterparty for its own organization; 0 when blocked. */
export function trustScoreOf(history: PaymentHistory, status: CounterpartyStatus, now: number): number {
  if (status === 'BLOCKED') return 0
  const { transactionCount: count, failedCount, firstTransactionAt } = history
  return earned(count, firstTransactionAt, [count, count + failedCount], now) + STANDING[status]
}

/** The score of an address by the figures that are seen of it, so that it tells no more than they; 0 when unpaid. */
export function globalScore(seen: Seen, now: number): number {
  const { transactionCount, organizationCount, successRate, firstTransactionAt } = seen
  if (transactionCount === 0) return 0
  const points = earned(transactionCount, firstTransactionAt, [successRate, 100], now)
  return points + Math.min(MAX_FOR_ORGANIZATIONS, 2 * organizationCount)
}

/** `score` from 0 to 100. */
export function trustLevel(score: number): 'LOW' | 'MEDIUM' | 'HIGH' {
  if (score < 40) return 'LOW'
  return score < 70 ? 'MEDIUM' : 'HIGH'
}

export function riskLevel(status: CounterpartyStatus): 'LOW' | 'MEDIUM' | 'HIGH' {
  if (status === 'BLOCKED') return 'HIGH'
  return status === 'UNKNOWN' ? 'MEDIUM' : 'LOW'
}
