// Sums of an organization's payments over a time, by what is asked for.
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/limits/gate.js'
import { refuseField, succeed, type Result } from '../domain/outcomes/result.js'
import {
  addTo,
  isNone,
  noSums,
  QUARTER_MS,
  quarterOf,
  sumOf,
  type Dimension,
  type Measure,
  type DimensionOrAll,
  type StatsRead,
  type StatsSums,
} from '../domain/payment/stats.js'
import { hourBegins } from '../domain/time/timezone.js'
import { dayBegins, dayNameAt, type Period } from '../domain/time/windows.js'
import { SLICES_OF_READ } from './overdue.js'
import type { Caller, Services } from './ports.js'

/** A calendar day of the organization's zone, or a time (epoch ms). */
export type DayOrTime = { day: string } | { at: number }

export interface WantedStats {
  from?: DayOrTime | undefined
  to?: DayOrTime | undefined
  dimension?: Dimension | undefined
  period?: Period | undefined
  /** Of the dimension: only this one. */
  value?: string | undefined
  /** From the answer before. */
  after?: readonly [period: string, value: string] | undefined
}

export interface StatsRowRead {
  period: string
  value: string
  /** Of an agent, a wallet, a policy or a counterparty. */
  name?: string
  sums: StatsSums
}

export interface StatsAnswer {
  /** Epoch ms. */
  from: number
  to: number
  timezone: string
  rows: StatsRowRead[]
  totals: StatsSums
  next?: readonly [period: string, value: string]
}

const MOST_ROWS = 5_000
const MOST_DAYS = 400
const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** With today, where nothing else is asked for. */
const USUAL_DAYS = 30
const NAMED: readonly DimensionOrAll[] = ['agent', 'wallet', 'policy', 'counterparty']

export async function readStats(
  services: Services,
  { principal }: Caller,
  wanted: WantedStats,
): Promise<Result<StatsAnswer, 'VALIDATION_ERROR'>> {
  const { organization } = principal
  await services.overdue.end(organization, SLICES_OF_READ)
  const { timezone } = services.host.peek(`organization/${organization}`)!.context.fields
  const span = spanOf(wanted, timezone, services.now())
  if (!span.ok) return span
  const { dimension = 'all', period, value } = wanted
  const of = { organization, ...span.value, period, value }
  const found = await services.query.stats({ ...of, dimension })
  if (!found) return refuseField('from', 'is followed by more than one answer can hold: ask for a shorter time')
  const rows = sorted(rowsOf(found.rows), wanted)
  const shown = rows.slice(0, MOST_ROWS).map((row) => named(services, dimension, row))
  const last = shown.at(-1)
  return succeed({
    ...span.value,
    timezone,
    rows: shown,
    totals: total(rowsOf(value === undefined ? found.all : found.rows)),
    ...(period !== undefined && rows.length > shown.length && last && { next: [last.period, last.value] as const }),
  })
}

/** Rounded outwards to hours of the zone. */
function spanOf(
  { from, to }: WantedStats,
  timezone: string,
  now: number,
): Result<{ from: number; to: number }, 'VALIDATION_ERROR'> {
  const end = to === undefined ? hourAfter(now, timezone) : endOf(to, timezone)
  const begin = from === undefined ? daysBefore(end, timezone) : beginOf(from, timezone)
  if (begin >= end) return refuseField('from', 'must be before to')
  if (end - begin > (MOST_DAYS + 1) * DAY_MS) return refuseField('from', `must be at most ${MOST_DAYS} days before to`)
  return succeed({ from: begin, to: end })
}

function daysBefore(end: number, timezone: string): number {
  return dayBegins(dayNameAt(end - 1, timezone), timezone, 1 - USUAL_DAYS)
}

function beginOf(from: DayOrTime, timezone: string): number {
  return 'day' in from ? dayBegins(from.day, timezone) : quarterDown(hourBegins(from.at, timezone))
}

/** A day is meant whole. */
function endOf(to: DayOrTime, timezone: string): number {
  return 'day' in to ? dayBegins(to.day, timezone, 1) : hourAfter(to.at, timezone)
}

function hourAfter(at: number, timezone: string): number {
  const begin = hourBegins(at, timezone)
  return begin === at ? at : quarterDown(begin + HOUR_MS)
}

/** Zones of former centuries differ from UTC by odd minutes. */
function quarterDown(at: number): number {
  return quarterOf(at) * QUARTER_MS
}

function rowsOf(read: StatsRead): StatsRowRead[] {
  return [...read].flatMap(([period, values]) =>
    [...values].flatMap(([value, sums]) => (isNone(sums) ? [] : [{ period, value, sums }])),
  )
}

/** By time, or the largest amount first. */
function sorted(rows: StatsRowRead[], { period, after }: WantedStats): StatsRowRead[] {
  if (period === undefined) {
    return rows.sort((a, b) => more(a, b, 'executed') || more(a, b, 'requested') || order(a.value, b.value))
  }
  const ordered = rows.sort((a, b) => order(a.period, b.period) || order(a.value, b.value))
  if (!after) return ordered
  const [time, value] = after
  return ordered.filter((row) => (order(row.period, time) || order(row.value, value)) > 0)
}

function more(a: StatsRowRead, b: StatsRowRead, measure: Measure): number {
  return Number(sumOf(b.sums, measure).amount - sumOf(a.sums, measure).amount)
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function named({ host }: Services, dimension: DimensionOrAll, row: StatsRowRead): StatsRowRead {
  if (!NAMED.includes(dimension)) return row
  const context = host.peek(`${dimension}/${row.value}` as Ref)?.context as NamedContext | undefined
  const name = context?.name ?? context?.fields?.name ?? context?.definition?.name
  return typeof name === 'string' && name !== '' ? { ...row, name } : row
}

type NamedContext = Partial<Actor['context']> & {
  name?: unknown
  fields?: { name?: unknown }
  definition?: { name?: unknown }
}

function total(rows: readonly StatsRowRead[]): StatsSums {
  const sums = noSums()
  for (const row of rows) addTo(sums, row.sums)
  return sums
}
