// What was paid to one address, as figures of fixed size: of one organization, or of all together. Statistics only:
// nothing is decided on their sums.
import type { Micros } from './money.js'

export interface History {
  /** Payments that stand. */
  transactionCount: number
  /** Of those; it stops at the largest safe integer. */
  totalVolume: Micros
  /** Executions that the settlement undid. */
  failedCount: number
  /** Epoch ms of the first and the last payment; null while there is none. */
  firstTransactionAt: number | null
  lastTransactionAt: number | null
  /** Epoch ms of the last payment that was out of line with those before it. */
  unusualAt: number | null
}

export const NO_HISTORY: History = {
  transactionCount: 0,
  totalVolume: 0,
  failedCount: 0,
  firstTransactionAt: null,
  lastTransactionAt: null,
  unusualAt: null,
}

/** So many payments make a pattern, and one of more than so many times their average is out of line with it. */
const PATTERN_PAYMENTS = 5
const OUT_OF_LINE = 10
const UNUSUAL_MS = 30 * 24 * 60 * 60_000

/** The history with one payment more. */
export function withPayment(history: History, amount: Micros, at: number): History {
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
 * A payment as it was taken in; `lastBefore` is the time of the payment before it, null where it was the first;
 * `unusualBefore` what `unusualAt` was, where this payment changed it.
 */
interface TakenIn {
  amount: Micros
  capturedAt?: number
  lastBefore?: number | null
  unusualBefore?: number | null
}

/**
 * The history without one of its payments; `failed` when the settlement undid it. The last one gives way to the one
 * before it; without any, there is no first or last.
 */
export function withoutPayment(history: History, payment: TakenIn, failed: boolean): History {
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

/** The figures of a history alone, from a record that has more. */
export function historyOf(record: History): History {
  const { transactionCount, totalVolume, failedCount, firstTransactionAt, lastTransactionAt, unusualAt } = record
  return { transactionCount, totalVolume, failedCount, firstTransactionAt, lastTransactionAt, unusualAt }
}

/** Whole micro-units; 0 where nothing was paid. */
export function averageAmount({ transactionCount, totalVolume }: History): Micros {
  return transactionCount === 0 ? 0 : Math.round(totalVolume / transactionCount)
}

/** Percent of the executions that stood, two decimals; 0 where there was none. */
export function successRate({ transactionCount, failedCount }: History): number {
  const all = transactionCount + failedCount
  return all === 0 ? 0 : Math.round((10_000 * transactionCount) / all) / 100
}

/** A payment of the last 30 days was more than ten times the average of the five or more before it. */
export function isUnusual({ unusualAt }: History, now: number): boolean {
  return unusualAt !== null && now - unusualAt < UNUSUAL_MS
}
