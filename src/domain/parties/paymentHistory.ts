// The payments to one address as figures of fixed size, of one organization or of all. Statistics only: no limit is
// decided on them.
import type { Micros } from '../values/money.js'

export interface PaymentHistory {
  /** Payments that were not undone. */
  transactionCount: number
  /** Of those payments; it stops at the largest safe integer. */
  totalVolume: Micros
  /** Executions that settlement undid. */
  failedCount: number
  /** Epoch ms of the first and the last payment; null without payments. */
  firstTransactionAt: number | null
  lastTransactionAt: number | null
  /** Epoch ms of the last unusual payment. */
  unusualAt: number | null
}

export const NO_HISTORY: PaymentHistory = {
  transactionCount: 0,
  totalVolume: 0,
  failedCount: 0,
  firstTransactionAt: null,
  lastTransactionAt: null,
  unusualAt: null,
}

/** Unusual: at least PATTERN_PAYMENTS came before, and it exceeds their average OUT_OF_LINE times. */
const PATTERN_PAYMENTS = 5
const OUT_OF_LINE = 10
const UNUSUAL_MS = 30 * 24 * 60 * 60_000

/** Adds a payment. */
export function withPayment(history: PaymentHistory, amount: Micros, at: number): PaymentHistory {
  const { transactionCount, totalVolume, firstTransactionAt, lastTransactionAt } = history
  const average = totalVolume / Math.max(1, transactionCount)
  const isUnusual = transactionCount >= PATTERN_PAYMENTS && amount > OUT_OF_LINE * average
  return {
    ...history,
    transactionCount: transactionCount + 1,
    totalVolume: Math.min(totalVolume + amount, Number.MAX_SAFE_INTEGER),
    firstTransactionAt: Math.min(firstTransactionAt ?? at, at),
    lastTransactionAt: Math.max(lastTransactionAt ?? at, at),
    ...(isUnusual && { unusualAt: at }),
  }
}

/**
 * A payment as it was added: `lastBefore` is the time of the payment before it, null for the first; `unusualBefore` is
 * the earlier `unusualAt`, where this payment changed it.
 */
interface TakenIn {
  amount: Micros
  capturedAt?: number
  lastBefore?: number | null
  unusualBefore?: number | null
}

/** Removes a payment; `failed` when settlement undid it. The last payment gives way to the one before it. */
export function withoutPayment(history: PaymentHistory, payment: TakenIn, failed: boolean): PaymentHistory {
  const { amount, capturedAt, lastBefore, unusualBefore } = payment
  const transactionCount = history.transactionCount - 1
  const last = history.lastTransactionAt === capturedAt ? (lastBefore ?? capturedAt ?? null) : history.lastTransactionAt
  return {
    ...history,
    transactionCount,
    totalVolume: history.totalVolume - amount,
    failedCount: history.failedCount + (failed ? 1 : 0),
    firstTransactionAt: transactionCount === 0 ? null : history.firstTransactionAt,
    lastTransactionAt: transactionCount === 0 ? null : last,
    ...(unusualBefore !== undefined && history.unusualAt === capturedAt && { unusualAt: unusualBefore }),
  }
}

/** The history's own figures, from a record that has more fields. */
export function historyOf(record: PaymentHistory): PaymentHistory {
  const { transactionCount, totalVolume, failedCount, firstTransactionAt, lastTransactionAt, unusualAt } = record
  return { transactionCount, totalVolume, failedCount, firstTransactionAt, lastTransactionAt, unusualAt }
}

/** Whole micro-units; 0 without payments. */
export function averageAmount({ transactionCount, totalVolume }: PaymentHistory): Micros {
  return transactionCount === 0 ? 0 : Math.round(totalVolume / transactionCount)
}

/** Percent of executions that were not undone, two decimals; 0 without executions. */
export function successRate({ transactionCount, failedCount }: PaymentHistory): number {
  const all = transactionCount + failedCount
  return all === 0 ? 0 : Math.round((10_000 * transactionCount) / all) / 100
}

/** True when a payment of the last 30 days exceeded ten times the average of at least five before it. */
export function isUnusual({ unusualAt }: Pick<PaymentHistory, 'unusualAt'>, now: number): boolean {
  return unusualAt !== null && now - unusualAt < UNUSUAL_MS
}
