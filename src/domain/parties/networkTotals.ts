// The payments of all organizations to one address, without their names, and what an organization may see of them.
import { averageAmount, historyOf, NO_HISTORY, successRate, type PaymentHistory } from './paymentHistory.js'
import type { Micros } from '../values/money.js'

export interface NetworkTotals extends PaymentHistory {
  /** Organizations with payments to the address that were not undone. */
  organizationCount: number
  /** Organizations that block the address. */
  blockedCount: number
}

export const NO_NETWORK: NetworkTotals = { ...NO_HISTORY, organizationCount: 0, blockedCount: 0 }

/** One organization's share of the figures. */
export interface NetworkShare extends PaymentHistory {
  isBlocked: boolean
}

/** The share of a counterparty that shows this status and these figures. */
export function shareOf(status: string | undefined, figures: PaymentHistory): NetworkShare {
  return { ...historyOf(figures), isBlocked: status === 'BLOCKED' }
}

const NO_SHARE: NetworkShare = { ...NO_HISTORY, isBlocked: false }

const later = (a: number | null, b: number | null): number | null => (b === null || (a ?? b) > b ? a : b)
const earlier = (a: number | null, b: number | null): number | null => (b === null || (a ?? b) < b ? a : b)
const paid = ({ transactionCount }: PaymentHistory): number => (transactionCount > 0 ? 1 : 0)

/** The figures after one share has changed; the same object when nothing differs. */
export function networkWith(
  network: NetworkTotals,
  before: NetworkShare = NO_SHARE,
  after: NetworkShare,
): NetworkTotals {
  const isSame = sameFigures(before, after) && before.isBlocked === after.isBlocked
  if (isSame) return network
  const volume = network.totalVolume + after.totalVolume - before.totalVolume
  return {
    transactionCount: network.transactionCount + after.transactionCount - before.transactionCount,
    totalVolume: Math.min(Math.max(0, volume), Number.MAX_SAFE_INTEGER),
    failedCount: network.failedCount + after.failedCount - before.failedCount,
    firstTransactionAt: earlier(network.firstTransactionAt, after.firstTransactionAt),
    lastTransactionAt: later(network.lastTransactionAt, after.lastTransactionAt),
    unusualAt: later(network.unusualAt, after.unusualAt),
    organizationCount: network.organizationCount + paid(after) - paid(before),
    blockedCount: network.blockedCount + Number(after.isBlocked) - Number(before.isBlocked),
  }
}

function sameFigures(a: PaymentHistory, b: PaymentHistory): boolean {
  const fields = Object.keys(NO_HISTORY) as (keyof PaymentHistory)[]
  return fields.every((field) => a[field] === b[field])
}

/** What the store keeps of an address: the figures of now, and those with which the day began. */
export interface NetworkRow extends NetworkTotals {
  /** Days since 1970 (UTC) until the last change. */
  day: number
  /** The figures before the first change of that day, also of so few that they are only shown in a sum. */
  before: NetworkTotals
}

export const NO_ROW: NetworkRow = { ...NO_NETWORK, day: 0, before: NO_NETWORK }

const DAY_MS = 24 * 60 * 60_000
/** Days since 1970 (UTC). */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)
const startOfDay = (at: number | null): number | null => (at === null ? null : dayOf(at) * DAY_MS)

/** The row after one share has changed at `at`; the same object when nothing differs. A clock set back begins no day. */
export function rowWith(
  row: NetworkRow,
  before: NetworkShare | undefined,
  after: NetworkShare,
  at: number,
): NetworkRow {
  const network = networkWith(row, before, after)
  if (network === row) return row
  const day = Math.max(row.day, dayOf(at))
  return { ...network, day, before: day === row.day ? row.before : figuresOf(row) }
}

function figuresOf({ day: _day, before: _before, ...network }: NetworkRow): NetworkTotals {
  return network
}

/** The figures with which the day of `now` began. */
function begun(row: NetworkRow, now: number): NetworkTotals {
  return dayOf(now) > row.day ? figuresOf(row) : row.before
}

/** The figures of organizations that are in one of the two alone. */
function together(a: NetworkTotals, b: NetworkTotals): NetworkTotals {
  return {
    transactionCount: a.transactionCount + b.transactionCount,
    totalVolume: Math.min(a.totalVolume + b.totalVolume, Number.MAX_SAFE_INTEGER),
    failedCount: a.failedCount + b.failedCount,
    firstTransactionAt: earlier(a.firstTransactionAt, b.firstTransactionAt),
    lastTransactionAt: later(a.lastTransactionAt, b.lastTransactionAt),
    unusualAt: later(a.unusualAt, b.unusualAt),
    organizationCount: a.organizationCount + b.organizationCount,
    blockedCount: a.blockedCount + b.blockedCount,
  }
}

/** The figures that somebody sees. */
export interface Seen {
  organizationCount: number
  transactionCount: number
  averageAmount: Micros
  /** Percent. */
  successRate: number
  firstTransactionAt: number | null
  lastTransactionAt: number | null
  unusualAt: number | null
  /** How many of those who paid it block it. */
  blockedBy: 'NOBODY' | 'SOME' | 'MOST'
}

function blockedBy({ blockedCount, organizationCount }: Pick<NetworkTotals, 'blockedCount' | 'organizationCount'>) {
  if (blockedCount === 0) return 'NOBODY'
  return 2 * blockedCount > organizationCount ? 'MOST' : 'SOME'
}

/** The figures of one organization alone, exactly and as they are now. */
function ownFigures(share: NetworkShare): Seen {
  const { firstTransactionAt, lastTransactionAt, unusualAt } = share
  return {
    organizationCount: paid(share),
    transactionCount: share.transactionCount,
    averageAmount: averageAmount(share),
    successRate: successRate(share),
    firstTransactionAt,
    lastTransactionAt,
    unusualAt,
    blockedBy: blockedBy({ blockedCount: Number(share.isBlocked), organizationCount: paid(share) }),
  }
}

/** Numbers are the lower ends of their ranges, times the beginnings of their days. */
function ranges(network: NetworkTotals): Seen {
  return {
    organizationCount: rangeOf(network.organizationCount),
    transactionCount: rangeOf(network.transactionCount),
    averageAmount: rangeOf(averageAmount(network)),
    successRate: Math.round(successRate(network) / RATE_STEP) * RATE_STEP,
    firstTransactionAt: startOfDay(network.firstTransactionAt),
    lastTransactionAt: startOfDay(network.lastTransactionAt),
    unusualAt: startOfDay(network.unusualAt),
    blockedBy: blockedBy(network),
  }
}

const RATE_STEP = 5

/** The largest of 1, 2, 5, 10, 20, 50 … that is not above it; 0 for 0. */
export function rangeOf(value: number): number {
  if (value < 1) return 0
  const power = 10 ** (String(Math.floor(value)).length - 1)
  return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power
}

/** The fewest organizations whose figures are shown together. */
const FEWEST = 5

/**
 * What an organization may see at `now` of the rows of all shards: where at least five organizations had paid the address
 * when the day began (UTC), ranges of their figures of then; else its own figures alone. Organizations that work together
 * could subtract theirs from exact sums, or watch a sum while they or others pay.
 */
export function visibleNetwork(rows: readonly NetworkRow[], own: NetworkShare = NO_SHARE, now: number): Seen {
  const sum = rows.map((row) => begun(row, now)).reduce(together, NO_NETWORK)
  return sum.organizationCount < FEWEST ? ownFigures(own) : ranges(sum)
}
