// Thresholds of an automatic freeze, proposed from an agent's own last thirty days: what it has not come close to.
import { api } from '../api.js'
import { fromMicros, grouped, micros, plural } from '../format/money.js'
import type { Agent, Payment } from '../records.js'

export type Thresholds = Required<Omit<NonNullable<Agent['autoFreeze']>, 'action'>>

/** What the service takes for thresholds that are left out together. */
const USUAL: Thresholds = {
  consecutiveViolations: 5,
  consecutiveFailures: 5,
  hourlySpendFactor: 3,
  paymentFactor: 10,
  recipientsPerHour: 10,
}
const DAYS = 30
const DAY_MS = 86_400_000
const MOST_PAYMENTS = 1000
const PAGE = 100
/** The service finds no pattern in fewer hours with spending or fewer executed payments. */
const LEAST_HOURS = 5
const LEAST_PAYMENTS = 10
/** Room above the highest value of the month. */
const ROOM = 2
const LEAST_RUN = 3

const EXECUTED: readonly string[] = ['EXECUTED', 'EXECUTING', 'FAILED']
const APPROVED: readonly string[] = [...EXECUTED, 'APPROVED', 'CANCELLED']

export interface Proposal {
  thresholds: Thresholds
  /** What it is based on. */
  about: string
}

/** At most the latest thousand payments. */
export async function readProposal(agentId: string): Promise<Proposal> {
  const from = new Date(Date.now() - DAYS * DAY_MS).toISOString()
  const payments: Payment[] = []
  for await (const payment of api.list('GET /api/payments', 'payments', { query: { agentId, from, limit: PAGE } })) {
    payments.push(payment)
    if (payments.length === MOST_PAYMENTS) break
  }
  return proposalFrom(payments.reverse())
}

/** Oldest first. */
function proposalFrom(payments: readonly Payment[]): Proposal {
  const executed = payments.filter(({ status }) => EXECUTED.includes(status))
  const hours = [...perHour(executed).values()]
  const spent = hours.map((all) => all.reduce((sum, { amount }) => sum + micros(amount), 0n))
  const recipients = hours.map((all) => new Set(all.map(({ recipientAddress }) => recipientAddress)).size)
  const amounts = executed.map(({ amount }) => micros(amount))
  const thresholds = {
    consecutiveViolations: above(longestRun(payments, 'DENIED', APPROVED), USUAL.consecutiveViolations),
    consecutiveFailures: above(longestRun(payments, 'FAILED', ['EXECUTED']), USUAL.consecutiveFailures),
    hourlySpendFactor: hours.length < LEAST_HOURS ? USUAL.hourlySpendFactor : factorAbove(spent),
    paymentFactor: amounts.length < LEAST_PAYMENTS ? USUAL.paymentFactor : factorAbove(amounts),
    recipientsPerHour: executed.length === 0 ? USUAL.recipientsPerHour : above(Math.max(...recipients), LEAST_RUN),
  }
  return { thresholds, about: sayBasis(payments.length, executed.length) }
}

function sayBasis(count: number, executed: number): string {
  if (count === 0) return 'The agent has made no payments in the last 30 days: these are the usual thresholds.'
  const read = count === MOST_PAYMENTS ? `its latest ${plural(count, 'payment')}` : plural(count, 'payment')
  return `Proposed from the last 30 days: ${read}, ${grouped(executed)} executed. Each leaves room above what the agent has done.`
}

function perHour(payments: readonly Payment[]): Map<string, Payment[]> {
  const hours = new Map<string, Payment[]>()
  for (const payment of payments) {
    const hour = payment.createdAt.slice(0, '2026-01-31T13'.length)
    hours.set(hour, [...(hours.get(hour) ?? []), payment])
  }
  return hours
}

/** The most payments of this status between two that end a run. */
function longestRun(payments: readonly Payment[], status: string, ends: readonly string[]): number {
  let [run, longest] = [0, 0]
  for (const payment of payments) {
    if (payment.status === status) run += 1
    else if (ends.includes(payment.status)) run = 0
    longest = Math.max(longest, run)
  }
  return longest
}

const above = (highest: number, least: number): number => Math.max(least, highest * ROOM)

/** A multiple of the mean that the highest value is well below. */
function factorAbove(amounts: readonly bigint[]): number {
  const sum = amounts.reduce((all, one) => all + one, 0n)
  const highest = amounts.reduce((most, one) => (one > most ? one : most), 0n)
  const times = (Number(fromMicros(highest)) * amounts.length) / Number(fromMicros(sum))
  return Math.ceil(times * ROOM)
}
