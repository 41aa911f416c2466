// How far a recipient is trusted, from the history of its payments: whole numbers from 0 to 100 by one formula, which
// docs/trust.md explains. Deterministic: the same history at the same time gives the same score.
import type { CounterpartyStatus } from './counterparty.js'
import type { History } from './history.js'

/** What is known of an address that was never paid. */
export const BASE_SCORE = 20
const MOST_FOR_PAYMENTS = 40
const MOST_FOR_AGE = 20
const MOST_FOR_ORGANIZATIONS = 20
const MONTH_MS = 30 * 24 * 60 * 60_000
const STANDING: Record<CounterpartyStatus, number> = { TRUSTED: 20, VERIFIED: 10, UNKNOWN: 0, BLOCKED: 0 }

/** Four points each time the number of payments doubles: 1, 3, 7, 15 … payments. */
function forPayments(count: number): number {
  return Math.min(MOST_FOR_PAYMENTS, 4 * Math.floor(Math.log2(count + 1)))
}

/** Two points for each full 30 days since the first payment. */
function forAge(firstTransactionAt: number | null, now: number): number {
  if (firstTransactionAt === null || now < firstTransactionAt) return 0
  return Math.min(MOST_FOR_AGE, 2 * Math.floor((now - firstTransactionAt) / MONTH_MS))
}

/** Base, payments and age, of which failed payments leave the share that succeeded. */
function earned(history: History, now: number): number {
  const { transactionCount, failedCount, firstTransactionAt } = history
  const points = BASE_SCORE + forPayments(transactionCount) + forAge(firstTransactionAt, now)
  const all = transactionCount + failedCount
  return all === 0 ? points : Math.floor((points * transactionCount) / all)
}

/** Of a counterparty to its own organization. A blocked one has none. */
export function trustScore(history: History, status: CounterpartyStatus, now: number): number {
  return status === 'BLOCKED' ? 0 : earned(history, now) + STANDING[status]
}

/** Of an address to all organizations that paid it; 0 where nobody did. */
export function globalScore(history: History, organizationCount: number, now: number): number {
  if (history.transactionCount === 0) return 0
  return earned(history, now) + Math.min(MOST_FOR_ORGANIZATIONS, 2 * organizationCount)
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
