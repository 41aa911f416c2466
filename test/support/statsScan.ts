// What /api/stats has to answer, from a scan of all payments: an oracle that shares nothing with the service's counting.
import type { Counterparty, Payment, Stats, TracedPayment, TransactionRecord } from '../../sdk/api.js'
import type { Client } from './client.js'
import { ORGANIZATION_KEY } from './process.js'

export type By = 'agent' | 'wallet' | 'policy' | 'category' | 'counterparty' | 'status'
export type Every = 'day' | 'week' | 'month'

export interface Asked {
  /** Epoch ms. */
  from: number
  to: number
  by?: By | undefined
  every?: Every | undefined
}

/** In micro-units, as whole numbers. */
type Sums = Record<string, [count: number, micros: number]>

const FIELDS: Record<By, string> = {
  agent: 'agentId',
  wallet: 'walletId',
  policy: 'policyId',
  category: 'category',
  counterparty: 'counterpartyId',
  status: 'status',
}

/** A payment, and what its own record does not say. */
export interface Scanned {
  payment: Payment
  policies: string[]
  counterpartyId: string | undefined
  executedAt: number | undefined
}

export async function scanPayments(client: Client): Promise<Scanned[]> {
  const counterparties = await every<Counterparty>(client, 'counterparties')
  const transactions = await every<TransactionRecord>(client, 'transactions')
  const executions = new Map(transactions.map((one) => [one.requestId, Date.parse(one.createdAt)]))
  return Promise.all(
    (await every<Payment>(client, 'payments')).map(async (payment) => {
      const { trace } = (await client.get<TracedPayment>(`/api/payments/${payment.requestId}`, ORGANIZATION_KEY)).body
      const known = counterparties.find(({ address }) => address === payment.recipientAddress)
      return {
        payment,
        policies: trace.policies.map(({ policyId }) => policyId),
        // What was denied at once was never put to its recipient's gate.
        counterpartyId: payment.status === 'DENIED' ? undefined : known?.id,
        executedAt: executions.get(payment.requestId),
      }
    }),
  )
}

async function every<Item>(client: Client, noun: string): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor = ''; ;) {
    const { body } = await client.get<Listed>(`/api/${noun}?limit=100${cursor}`, ORGANIZATION_KEY)
    found.push(...(body[noun] as Item[]))
    if (body.pagination.nextCursor === undefined) return found
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

type Listed = { pagination: { nextCursor?: string } } & Record<string, unknown>

const micros = (amount: number): number => Math.round(amount * 1e6)

function countsOf({
  payment: { status, amount, createdAt },
  executedAt,
}: Scanned): [measure: string, at: number, micros: number][] {
  const made = Date.parse(createdAt)
  const approved = ['APPROVED', 'EXECUTING', 'EXECUTED', 'FAILED'].includes(status)
  const named: Record<string, string> = { DENIED: 'denied', REQUIRES_APPROVAL: 'pendingApproval', FAILED: 'failed' }
  return [
    ['requested', made, micros(amount)],
    ...(approved ? [['approved', made, micros(amount)] as [string, number, number]] : []),
    ...(named[status] ? [[named[status], made, micros(amount)] as [string, number, number]] : []),
    ...(status === 'EXECUTED' ? [['executed', executedAt!, micros(amount)] as [string, number, number]] : []),
  ]
}

function valuesOf({ payment, policies, counterpartyId }: Scanned, by: By | undefined): string[] {
  const values: Record<By, (string | null | undefined)[]> = {
    agent: [payment.agentId],
    wallet: [payment.wallet?.id],
    policy: policies,
    category: [payment.category?.toUpperCase()],
    counterparty: [counterpartyId],
    status: [payment.status],
  }
  return by === undefined ? [''] : values[by].flatMap((value) => (value ? [value] : []))
}

/** `zoneAt` gives the zone in force at a time. */
function nameOf(at: number, every: Every | undefined, zoneAt: (at: number) => string): string {
  if (every === undefined) return ''
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zoneAt(at) }).format(at)
  if (every === 'day') return day
  if (every === 'month') return day.slice(0, 7)
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

export function expectedStats(scanned: readonly Scanned[], asked: Asked, zoneAt: (at: number) => string) {
  const rows = new Map<string, Sums>()
  for (const one of scanned) {
    for (const [measure, at, amount] of countsOf(one)) {
      if (at < asked.from || at >= asked.to) continue
      for (const value of valuesOf(one, asked.by)) {
        const key = `${nameOf(at, asked.every, zoneAt)}|${value}`
        const sums = rows.get(key) ?? {}
        const [count, sum] = sums[measure] ?? [0, 0]
        sums[measure] = [count + 1, sum + amount]
        rows.set(key, sums)
      }
    }
  }
  return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** An answer in the same form. */
export function shownStats({ rows }: Pick<Stats, 'rows'>, { by, every }: Asked) {
  const shown = rows.map((row): [string, Sums] => {
    const value = by === undefined ? '' : (row as unknown as Record<string, string>)[FIELDS[by]]!
    return [`${every === undefined ? '' : row[every]!}|${value}`, sumsIn(row)]
  })
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function sumsIn(row: Pick<Stats, 'totals'>['totals']): Sums {
  const { requested, approved, denied, pendingApproval, executed, failed } = row
  const all = Object.entries({ requested, approved, denied, pendingApproval, executed, failed })
  return Object.fromEntries(
    all.flatMap(([name, { count, amount }]) => (count === 0 ? [] : [[name, [count, micros(amount)]]])),
  ) as Sums
}
