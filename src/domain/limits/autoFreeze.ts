// When an agent that behaves unusually is frozen without a person: its thresholds, and the counters that they look at.
// Counters exist only where thresholds are set.
import { addCapped, type Micros } from '../values/money.js'

export const FREEZE_ACTIONS = ['FREEZE', 'ALERT'] as const

/** The number of each threshold; one that is left out is not watched. */
export interface Thresholds {
  /** Payments denied in a row. */
  consecutiveViolations?: number
  /** Executed payments that failed in a row. */
  consecutiveFailures?: number
  /** What is let through in an hour, as a multiple of the mean of the hours with spending. */
  hourlySpendFactor?: number
  /** A payment, as a multiple of the mean payment. */
  paymentFactor?: number
  /** Different recipients in an hour. */
  recipientsPerHour?: number
}

export type Threshold = keyof Thresholds

export interface AutoFreeze extends Thresholds {
  action: (typeof FREEZE_ACTIONS)[number]
}

/** All of them, for an organization that names none. */
export const DEFAULT_THRESHOLDS: Required<Thresholds> = {
  consecutiveViolations: 5,
  consecutiveFailures: 5,
  hourlySpendFactor: 3,
  paymentFactor: 10,
  recipientsPerHour: 10,
}

const THRESHOLDS = Object.keys(DEFAULT_THRESHOLDS) as Threshold[]

/** What was executed on one day (UTC), and in how many of its hours. */
interface DaySpending {
  /** Days since 1970. */
  day: number
  spent: Micros
  payments: number
  hours: number
}

export interface Activity {
  /** Payments denied since the last one that was approved. */
  violations: number
  /** Payments that failed since the last one that was executed. */
  failures: number
  /** The hour (hours since 1970) of the last payment that was let through. */
  hour: number
  /** What was let through in it, also where it was not executed. */
  asked: Micros
  /** Its recipients, no more than their threshold. */
  recipients: string[]
  /** The hour of the last execution, and what was executed in it: it is not compared with itself. */
  executedHour: number
  executed: Micros
  /** The last 30 days with spending, oldest first. */
  days: DaySpending[]
  /** The thresholds that the last note has met. */
  met: Threshold[]
}

export const NO_ACTIVITY: Activity = {
  violations: 0,
  failures: 0,
  hour: 0,
  asked: 0,
  recipients: [],
  executedHour: 0,
  executed: 0,
  days: [],
  met: [],
}

const HOUR_MS = 3_600_000
const HOURS = 24
const DAYS = 30
/** Fewer hours or payments than these are no pattern. */
const LEAST_HOURS = 5
const LEAST_PAYMENTS = 10

/** What a payment has become. */
export interface Note {
  /** Epoch ms. */
  now: number
  amount: Micros
  /** Set where its gates have just let it through. */
  recipient?: string
  isDenied?: boolean
  isApproved?: boolean
  isExecuted?: boolean
  isConfirmed?: boolean
  isFailed?: boolean
}

const hourAt = (now: number): number => Math.floor(now / HOUR_MS)

/** The factors that a payment of `amount` would cross now. */
export function factorsCrossed(limits: Thresholds, activity: Activity, amount: Micros, now: number): Threshold[] {
  const hour = hourAt(now)
  const { spent, payments, hours } = lastDays(activity, now)
  const asked = activity.hour === hour ? activity.asked : 0
  const [own, ownHours] = activity.executedHour === hour ? [activity.executed, 1] : [0, 0]
  const crossed: Threshold[] = []
  const { hourlySpendFactor: hourly, paymentFactor: single } = limits
  const others = hours - ownHours
  if (hourly !== undefined && others >= LEAST_HOURS && asked + amount > hourly * ((spent - own) / others)) {
    crossed.push('hourlySpendFactor')
  }
  if (single !== undefined && payments >= LEAST_PAYMENTS && amount > single * (spent / payments)) {
    crossed.push('paymentFactor')
  }
  return crossed
}

interface Spending {
  spent: Micros
  payments: number
  hours: number
}

function lastDays({ days }: Activity, now: number): Spending {
  const since = Math.floor(hourAt(now) / HOURS) - DAYS
  const sum = { spent: 0, payments: 0, hours: 0 }
  for (const { day, spent, payments, hours } of days) {
    if (day <= since) continue
    sum.spent = addCapped(sum.spent, spent)
    sum.payments += payments
    sum.hours += hours
  }
  return sum
}

/** The activity after a payment. Factors are looked at before the payment counts. */
export function noted(limits: Thresholds, activity: Activity, note: Note): Activity {
  const { amount, now, isDenied, isApproved, isExecuted, isConfirmed, isFailed, recipient } = note
  const crossed = isDenied || recipient !== undefined ? factorsCrossed(limits, activity, amount, now) : []
  let next: Activity = { ...activity, met: [] }
  if (isDenied) next.violations += 1
  if (isApproved) next.violations = 0
  if (isFailed) next.failures += 1
  if (isConfirmed) next.failures = 0
  if (recipient !== undefined) next = letThrough(limits, next, recipient, amount, now)
  if (isExecuted) next = executed(next, amount, now)
  next.met = [...crossed, ...countsMet(limits, activity, next, note)]
  return next
}

function letThrough(limits: Thresholds, activity: Activity, recipient: string, amount: Micros, now: number): Activity {
  const hour = hourAt(now)
  const isSame = activity.hour === hour
  const [asked, known] = isSame ? [activity.asked, activity.recipients] : [0, []]
  const isNew = !known.includes(recipient) && known.length < (limits.recipientsPerHour ?? 0)
  return { ...activity, hour, asked: addCapped(asked, amount), recipients: isNew ? [...known, recipient] : known }
}

function executed(activity: Activity, amount: Micros, now: number): Activity {
  const hour = hourAt(now)
  const day = Math.floor(hour / HOURS)
  const last = activity.days.at(-1)
  const isNew = last?.day !== day
  const today = isNew ? { day, spent: 0, payments: 0, hours: 0 } : last
  const counted = {
    day,
    spent: addCapped(today.spent, amount),
    payments: today.payments + 1,
    hours: today.hours + (activity.executedHour === hour ? 0 : 1),
  }
  const former = isNew ? activity.days : activity.days.slice(0, -1)
  const days = [...former, counted].filter((one) => one.day > day - DAYS)
  const before = activity.executedHour === hour ? activity.executed : 0
  return { ...activity, executedHour: hour, executed: addCapped(before, amount), days }
}

function countsMet(limits: Thresholds, before: Activity, after: Activity, { recipient }: Note): Threshold[] {
  const known = before.hour === after.hour ? before.recipients : []
  const counts = [
    ['consecutiveViolations', after.violations > before.violations, after.violations],
    ['consecutiveFailures', after.failures > before.failures, after.failures],
    ['recipientsPerHour', recipient !== undefined && !known.includes(recipient), after.recipients.length],
  ] as const
  return counts.flatMap(([name, isMore, count]) => (isMore && count >= (limits[name] ?? Infinity) ? [name] : []))
}

/** A person has let the agent go on: runs begin anew. */
export function begunAnew(activity: Activity): Activity {
  return { ...activity, violations: 0, failures: 0, recipients: [] }
}

/** A sentence for people. */
export function sayMet(limits: Thresholds, [threshold]: readonly Threshold[]): string {
  const number = limits[threshold!]
  switch (threshold!) {
    case 'consecutiveViolations':
      return `${number} payments in a row were denied`
    case 'consecutiveFailures':
      return `${number} payments in a row failed`
    case 'hourlySpendFactor':
      return `a payment would have made the hour's spending more than ${number} times the usual`
    case 'paymentFactor':
      return `a payment was more than ${number} times the usual`
    case 'recipientsPerHour':
      return `${number} different recipients in an hour`
  }
}

/** True where the change makes a freeze less likely: a threshold is raised or no longer watched. */
export function isWeaker(before: AutoFreeze | null, after: AutoFreeze | null): boolean {
  if (before === null) return false
  if (after === null || (before.action === 'FREEZE' && after.action === 'ALERT')) return true
  return THRESHOLDS.some((name) => (after[name] ?? Infinity) > (before[name] ?? Infinity))
}
