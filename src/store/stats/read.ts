// Sums of a stretch of time: from the rows of its whole days, from those of quarters of an hour before and after them, and
// from what memory has.
import { Pace } from '../../async/pace.js'
import { addTo, QUARTER_MS, type StatsQuery, type StatsRead, type StatsSums } from '../../domain/payment/stats.js'
import { dayNameAt, periodName, windowsAt } from '../../domain/time/windows.js'
import type { Cells } from './cells.js'
import type { StatsRow, StatsRows } from './statsRows.js'

/** What memory has of the organization's quarters of an hour. */
type Unwritten = Iterable<[quarter: number, cells: Cells]>

interface Stretch {
  from: number
  to: number
  timezone: string
  /** The zone was changed then: the day may have rows of both. */
  isCut: boolean
}

const DAY_MS = 24 * 60 * 60_000
/** Further than this from a change of the zone, days have one zone alone. */
const AROUND_CHANGE_MS = 2 * DAY_MS
const VALUE_BYTES = 64
/** Of one answer: no request takes more memory. */
const MOST_SUMS = 250_000

/** What changes meanwhile is left out, as long as no row is written. */
export async function sumsOver(
  rows: StatsRows,
  unwritten: Unwritten,
  query: StatsQuery,
): Promise<StatsRead | undefined> {
  const { organization, from, to, dimension, period } = query
  const reading = new Reading(query)
  const pace = new Pace()
  const nameOf = (day: string): string => (period === undefined ? '' : periodName(day, period))
  const nameAt = (quarter: number): string => {
    const at = quarter * QUARTER_MS
    return period === undefined ? '' : nameOf(dayNameAt(at, rows.zoneAt(organization, at)))
  }
  for (const [quarter, cells] of unwritten) {
    if (quarter >= from / QUARTER_MS && quarter < to / QUARTER_MS) reading.addAll(nameAt(quarter), cells.of(dimension))
  }
  for (const stretch of stretchesOf(rows, organization, from, to)) {
    const whole = wholeDays(stretch)
    for (const [day, row] of rows.days(organization, dimension, whole.first, whole.end)) {
      await pace.after(reading.add(nameOf(day), row))
      if (reading.isTooMuch) return undefined
    }
    for (const [begin, end] of [
      [stretch.from, whole.from],
      [whole.to, stretch.to],
    ] as const) {
      const quarters = rows.quarters(organization, dimension, begin / QUARTER_MS, end / QUARTER_MS)
      for (const [quarter, row] of quarters) await pace.after(reading.add(nameAt(quarter), row))
    }
  }
  return reading.isTooMuch ? undefined : reading.sums
}

/** Cut where the zone was changed, and around it. */
function stretchesOf(rows: StatsRows, organization: string, from: number, to: number): Stretch[] {
  const changes = rows.zoneChanges(organization).map((at) => Math.ceil(at / QUARTER_MS) * QUARTER_MS)
  const cuts = changes.flatMap((at) => [at - AROUND_CHANGE_MS, at, at + AROUND_CHANGE_MS])
  const bounds = [from, ...cuts.filter((at) => at > from && at < to).sort((a, b) => a - b), to]
  return bounds.slice(1).map((end, n) => {
    const begin = bounds[n]!
    const isCut = changes.some((at) => Math.abs(at - (begin + end) / 2) < AROUND_CHANGE_MS)
    return { from: begin, to: end, timezone: rows.zoneAt(organization, begin), isCut }
  })
}

/** The first day that is whole, the one after the last, and when they begin; none where both are the same. */
function wholeDays({ from, to, timezone, isCut }: Stretch): { first: string; end: string; from: number; to: number } {
  const { start, end } = windowsAt(from, timezone).day
  const begin = start === from ? start : end
  const last = windowsAt(to, timezone).day.start
  if (isCut || begin >= last) return { first: '', end: '', from: to, to }
  return { first: dayNameAt(begin, timezone), end: dayNameAt(last, timezone), from: begin, to: last }
}

class Reading {
  readonly sums: StatsRead = new Map()
  readonly #value: string | undefined
  #size = 0

  constructor({ value }: StatsQuery) {
    this.#value = value
  }

  get isTooMuch(): boolean {
    return this.#size > MOST_SUMS
  }

  /** Returns about how many bytes the row has. */
  add(period: string, row: StatsRow): number {
    const values = Object.entries(row)
    this.addAll(period, values)
    return values.length * VALUE_BYTES
  }

  addAll(period: string, values: Iterable<readonly [string, StatsSums]>): void {
    for (const [value, sums] of values) {
      if (this.#value === undefined || this.#value === value) this.#add(period, value, sums)
    }
  }

  #add(period: string, value: string, more: StatsSums): void {
    let values = this.sums.get(period)
    if (!values) this.sums.set(period, (values = new Map()))
    const sums = values.get(value)
    if (sums) addTo(sums, more)
    else {
      values.set(value, [...more])
      this.#size += 1
    }
  }
}
