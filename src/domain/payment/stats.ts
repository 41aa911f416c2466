// What a payment counts in the statistics: under which values, in which quarter of an hour, and how much. A request counts
// when it was made, an execution when it was executed.
import { categoryOf } from '../values/category.js'
import { ORDERS_PER_MS } from '../values/ids.js'
import type { Micros } from '../values/money.js'
import type { ContextOf } from '../values/kinds.js'
import type { Period } from '../time/windows.js'
import { amountOf, type PaymentStatus } from './terms.js'

export const MEASURES = ['requested', 'approved', 'denied', 'pendingApproval', 'executed', 'failed'] as const
export type Measure = (typeof MEASURES)[number]

/** Of each measure in turn the number of payments, and their amounts as whole units and micro-units: sums of any size. */
export type StatsSums = number[]

const PARTS = 3
const UNIT = 1_000_000

export function noSums(): StatsSums {
  return Array<number>(PARTS * MEASURES.length).fill(0)
}

/** Counts a payment's amount; with -1, takes it back. */
export function countIn(sums: StatsSums, measure: Measure, amount: Micros, sign: 1 | -1): void {
  const at = PARTS * MEASURES.indexOf(measure)
  const units = Math.floor(amount / UNIT)
  sums[at]! += sign
  sums[at + 1]! += sign * units
  sums[at + 2]! += sign * (amount - units * UNIT)
}

/** The number of payments, and their amount in micro-units. */
export function sumOf(sums: StatsSums, measure: Measure): { count: number; amount: bigint } {
  const [count, units, micros] = sums.slice(PARTS * MEASURES.indexOf(measure)) as [number, number, number]
  return { count, amount: BigInt(units) * BigInt(UNIT) + BigInt(micros) }
}

export const DIMENSIONS = ['agent', 'wallet', 'policy', 'category', 'counterparty', 'status'] as const
export type Dimension = (typeof DIMENSIONS)[number]
/** All payments of the organization count under `''` of it. */
export type DimensionOrAll = Dimension | 'all'

export const QUARTER_MS = 15 * 60_000

/** The quarter of an hour that holds a time (epoch ms): every time zone's hours and days consist of whole ones. */
export function quarterOf(time: number): number {
  return Math.floor(time / QUARTER_MS)
}

export interface StatsQuery {
  organization: string
  /** Epoch ms, [from, to), whole quarters of an hour. */
  from: number
  to: number
  dimension: DimensionOrAll
  /** Of the dimension: only this one. */
  value?: string | undefined
  period?: Period | undefined
}

/** Sums by period, `''` without one, and by value. */
export type StatsRead = Map<string, Map<string, StatsSums>>

/** All that a payment counts. */
export interface CountedPayment {
  places: readonly (readonly [DimensionOrAll, string])[]
  counts: readonly { measure: Measure; quarter: number; amount: Micros }[]
}

/** What else than `requested` a payment counts by its status, beside its execution. */
const BY_STATUS: Readonly<Partial<Record<PaymentStatus, readonly Measure[]>>> = {
  APPROVED: ['approved'],
  EXECUTING: ['approved'],
  EXECUTED: ['approved'],
  FAILED: ['approved', 'failed'],
  DENIED: ['denied'],
  REQUIRES_APPROVAL: ['pendingApproval'],
}

/** Undefined for a payment that was not requested yet. */
export function countedOf(payment: ContextOf<'payment'>, status: string | undefined): CountedPayment | undefined {
  const { terms, order, executedAt } = payment
  if (terms === null || status === undefined) return undefined
  // By its place in lists, which is its time unless a clock was set back: so it is found again by its time.
  const quarter = quarterOf(order / ORDERS_PER_MS)
  const measures: readonly Measure[] = ['requested', ...(BY_STATUS[status as PaymentStatus] ?? [])]
  const counts = measures.map((measure) => ({ measure, quarter, amount: terms.amount }))
  return {
    places: placesOf(payment, status),
    counts:
      status === 'EXECUTED'
        ? [...counts, { measure: 'executed', quarter: quarterOf(executedAt!), amount: amountOf(payment) }]
        : counts,
  }
}

function placesOf(payment: ContextOf<'payment'>, status: string): [DimensionOrAll, string][] {
  const { agentId, walletId, category } = payment.terms!
  const recipient = payment.gates.find(({ ref }) => ref.startsWith('counterparty/'))
  return [
    ['all', ''],
    ['agent', agentId],
    ['status', status],
    ...policiesOf(payment).map((id): ['policy', string] => ['policy', id]),
    ...(walletId === null ? [] : [['wallet', walletId] as ['wallet', string]]),
    ...(category === null ? [] : [['category', categoryOf(category)] as ['category', string]]),
    ...(recipient ? [['counterparty', recipient.ref.slice('counterparty/'.length)] as ['counterparty', string]] : []),
  ]
}

/** Of the request's decision, and of the last review's. */
function policiesOf({ decision, review }: ContextOf<'payment'>): string[] {
  return [...new Set([decision, review].flatMap((one) => one?.policies.map(({ id }) => id) ?? []))]
}

export function addTo(sums: StatsSums, more: StatsSums, sign = 1): void {
  for (let at = 0; at < more.length; at += 1) sums[at] = (sums[at] ?? 0) + sign * more[at]!
}

export function isNone(sums: StatsSums): boolean {
  return sums.every((sum) => sum === 0)
}
