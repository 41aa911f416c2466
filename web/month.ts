// Sums of the last thirty days, computed from the service's lists. If there is more than is read here, the sums cover
// only the latest part, and it says so.
import { api, type Entry } from './api.js'
import { fromMicros, micros } from './format/money.js'

export const DAYS = 30
const DAY_MS = 86_400_000
const LARGEST_PAGE = 100
const MAX_PAGES = 10

type Transaction = Entry<'GET /api/transactions', 'transactions'>
type Payment = Entry<'GET /api/payments', 'payments'>

export interface Month {
  /** The start of each day in UTC, as charts need it. */
  days: number[]
  spent: number[]
  decisions: { executed: number[]; waiting: number[]; denied: number[] }
  byAgent: Share[]
  byCategory: Share[]
  total: string
  today: string
  denied: number
  /** The start of the figures if not all of the thirty days was read. */
  since: string | undefined
}

export interface Share {
  name: string
  amount: string
  /** The share of the total, 0 to 100. */
  percent: number
}

/** Returns the calendar day of a time in a zone, as `2026-01-31`. */
function calendar(timeZone: string): (at: string | number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (at) => format.format(new Date(at))
}

export async function readMonth(timeZone: string, signal: AbortSignal): Promise<Month> {
  const dayOf = calendar(timeZone)
  const today = Date.parse(dayOf(Date.now()))
  const month = Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_MS)
  const { transactions, payments, since } = await readSince(new Date(month[0]! - DAY_MS).toISOString(), signal)
  const days = month.filter((day) => since === undefined || day === today || day >= Date.parse(dayOf(since)))
  const executed = perDay(
    transactions.filter(({ status }) => status !== 'FAILED'),
    days,
    dayOf,
  )
  return { days, since, ...spendingOf(executed), ...decisionsOf(perDay(payments, days, dayOf)) }
}

/** Everything since then, newest first. If not all of it was read, both lists begin at the same time. */
async function readSince(
  from: string,
  signal: AbortSignal,
): Promise<{ transactions: Transaction[]; payments: Payment[]; since: string | undefined }> {
  const query = { from, limit: LARGEST_PAGE }
  const [executed, requested] = await Promise.all([
    latest(
      api.list('GET /api/transactions', 'transactions', { query }, { signal }).pages(),
      (page) => page.transactions,
    ),
    latest(api.list('GET /api/payments', 'payments', { query }, { signal }).pages(), (page) => page.payments),
  ])
  const since = [executed, requested]
    .flatMap(({ since: at }) => (at === undefined ? [] : [at]))
    .toSorted()
    .at(-1)
  const isIncluded = ({ createdAt }: { createdAt: string }): boolean => since === undefined || createdAt >= since
  return { transactions: executed.entries.filter(isIncluded), payments: requested.entries.filter(isIncluded), since }
}

/** The entries of each day; entries on other days are dropped. */
function perDay<T extends { createdAt: string }>(entries: T[], days: number[], dayOf: (at: string) => string): T[][] {
  const buckets = new Map(days.map((day): [string, T[]] => [new Date(day).toISOString().slice(0, 10), []]))
  for (const entry of entries) buckets.get(dayOf(entry.createdAt))?.push(entry)
  return [...buckets.values()]
}

function spendingOf(executed: Transaction[][]): Pick<Month, 'spent' | 'byAgent' | 'byCategory' | 'total' | 'today'> {
  const sums = executed.map(sum)
  const whole = executed.toReversed().flat()
  return {
    spent: sums.map((one) => Number(fromMicros(one))),
    byAgent: shares(whole, ({ agentName }) => agentName),
    byCategory: shares(whole, ({ category }) => category ?? 'no category'),
    total: fromMicros(sum(whole)),
    today: fromMicros(sums.at(-1)!),
  }
}

function decisionsOf(payments: Payment[][]): Pick<Month, 'decisions' | 'denied'> {
  const count = (...statuses: Payment['status'][]): number[] =>
    payments.map((day) => day.filter(({ status }) => statuses.includes(status)).length)
  const decisions = {
    executed: count('EXECUTED', 'EXECUTING', 'APPROVED'),
    waiting: count('REQUIRES_APPROVAL', 'EXPIRED', 'CANCELLED'),
    denied: count('DENIED', 'FAILED'),
  }
  return { decisions, denied: decisions.denied.reduce((total, one) => total + one, 0) }
}

/** The entries of the newest pages; `since` is the time of the oldest one if there are older ones. */
async function latest<P extends { pagination: { nextCursor?: string } }, T extends { createdAt: string }>(
  pages: AsyncIterable<P>,
  entriesOf: (page: P) => T[],
): Promise<{ entries: T[]; since?: string | undefined }> {
  const entries: T[] = []
  let read = 0
  for await (const page of pages) {
    entries.push(...entriesOf(page))
    read += 1
    if (read === MAX_PAGES && page.pagination.nextCursor !== undefined)
      return { entries, since: entries.at(-1)?.createdAt }
  }
  return { entries }
}

const sum = (transactions: Transaction[]): bigint =>
  transactions.reduce((total, { amount }) => total + micros(amount), 0n)

/** The largest first. */
function shares(transactions: Transaction[], nameOf: (one: Transaction) => string): Share[] {
  const groups = new Map<string, bigint>()
  for (const one of transactions) groups.set(nameOf(one), (groups.get(nameOf(one)) ?? 0n) + micros(one.amount))
  const whole = sum(transactions)
  const sums = [...groups].map(([name, own]) => ({ name, micros: own }))
  sums.sort((one, other) => (other.micros > one.micros ? 1 : -1))
  return sums.map(({ name, micros: own }) => ({
    name,
    amount: fromMicros(own),
    percent: whole === 0n ? 0 : Number((own * 1000n) / whole) / 10,
  }))
}
