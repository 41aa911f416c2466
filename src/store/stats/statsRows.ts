// The rows of the statistics: sums of a quarter of an hour and of a day, by dimension. A row has the values of a dimension;
// where there may be very many, those whose last letters fall together.
import {
  addTo,
  DIMENSIONS,
  isNone,
  QUARTER_MS,
  quarterOf,
  type DimensionOrAll,
  type StatsSums,
} from '../../domain/payment/stats.js'
import { dayNameAt } from '../../domain/time/windows.js'
import { base36, fromBase36 } from '../../domain/values/base36.js'
import type { Table } from '../table.js'
import type { Cells } from './cells.js'

/** Sums by value. */
export type StatsRow = Record<string, StatsSums>

/** The organization's time zone from a time (epoch ms) on. */
export type ZoneSince = readonly [since: number, timezone: string]

const UNBOUNDED: readonly DimensionOrAll[] = ['counterparty', 'category']
const PARTS = 16
/** Before the oldest of them, days are read in its zone. */
const MOST_ZONES = 100

export class StatsRows {
  readonly #rows: Table<StatsRow>
  readonly #zones: Table<ZoneSince[]>
  readonly #zoneOf: (organization: string) => string

  /** `zoneOf` gives an organization's time zone that never changed. */
  constructor(rows: Table<StatsRow>, zones: Table<ZoneSince[]>, zoneOf: (organization: string) => string) {
    this.#rows = rows
    this.#zones = zones
    this.#zoneOf = zoneOf
  }

  /** Queues the sums of a quarter of an hour, for its row and that of its day. */
  put(organization: string, quarter: number, cells: Cells): void {
    const day = dayNameAt(quarter * QUARTER_MS, this.zoneAt(organization, quarter * QUARTER_MS))
    const changed = new Map<string, [value: string, sums: StatsSums][]>()
    for (const [dimension, value, sums] of cells.all()) {
      const part = partOf(dimension, value)
      for (const row of [
        `${quartersOf(organization, dimension)}/${base36(quarter)}`,
        `${daysOf(organization, dimension)}/${day}`,
      ]) {
        const key = row + part
        const values = changed.get(key)
        if (values) values.push([value, sums])
        else changed.set(key, [[value, sums]])
      }
    }
    // A row that cannot be read must leave all others as they are.
    const rows = [...changed].map(([key, values]) => [key, this.#with(key, values)] as const)
    for (const [key, row] of rows) {
      if (row.size === 0) this.#rows.remove(key)
      else this.#rows.put(key, Object.fromEntries(row))
    }
  }

  /** A map, since values are any texts. */
  #with(key: string, values: readonly [value: string, sums: StatsSums][]): Map<string, StatsSums> {
    const row = new Map(Object.entries(this.#rows.get(key) ?? {}))
    for (const [value, more] of values) {
      const sums = [...(row.get(value) ?? [])]
      addTo(sums, more)
      if (isNone(sums)) row.delete(value)
      else row.set(value, sums)
    }
    return row
  }

  /** Of the quarters from one on, up to another that is left out, each row with its quarter. */
  *quarters(organization: string, dimension: DimensionOrAll, from: number, to: number): Generator<[number, StatsRow]> {
    const prefix = quartersOf(organization, dimension)
    const range = { start: `${prefix}/${base36(from)}`, end: `${prefix}/${base36(to)}` }
    for (const [key, row] of this.#rows.range(range)) yield [quarterIn(key.slice(prefix.length + 1)), row]
  }

  /** All sums of a quarter. */
  *allOf(organization: string, quarter: number): Generator<[DimensionOrAll, string, StatsSums]> {
    for (const dimension of ['all', ...DIMENSIONS] as const) {
      for (const [, row] of this.quarters(organization, dimension, quarter, quarter + 1)) {
        for (const [value, sums] of Object.entries(row)) yield [dimension, value, sums]
      }
    }
  }

  /** Of the days from one on, up to another that is left out, each row with its day (YYYY-MM-DD). */
  *days(organization: string, dimension: DimensionOrAll, from: string, to: string): Generator<[string, StatsRow]> {
    const prefix = daysOf(organization, dimension)
    for (const [key, row] of this.#rows.range({ start: `${prefix}/${from}`, end: `${prefix}/${to}` })) {
      yield [key.slice(prefix.length + 1, prefix.length + 1 + to.length), row]
    }
  }

  /** Queues a change of the organization's time zone; of several in one quarter the last one counts. */
  putZone(organization: string, at: number, before: string, after: string): void {
    const known = this.#zones.get(organization) ?? [[0, before]]
    const former = quarterOf(known.at(-1)![0]) === quarterOf(at) && known.length > 1 ? known.slice(0, -1) : known
    this.#zones.put(organization, [...former, [at, after] as const].slice(-MOST_ZONES))
  }

  zoneAt(organization: string, time: number): string {
    const zones = this.#zones.get(organization)
    return (zones?.findLast(([since]) => since <= time) ?? zones?.[0])?.[1] ?? this.#zoneOf(organization)
  }

  /** The times (epoch ms) at which the organization has changed its time zone. */
  zoneChanges(organization: string): number[] {
    return (this.#zones.get(organization) ?? []).slice(1).map(([since]) => since)
  }
}

function quartersOf(organization: string, dimension: DimensionOrAll): string {
  return `${organization}/${dimension}/q`
}

function daysOf(organization: string, dimension: DimensionOrAll): string {
  return `${organization}/${dimension}/d`
}

/** New recipients and categories come all the time: a row of all of them would be written anew for each. */
function partOf(dimension: DimensionOrAll, value: string): string {
  return UNBOUNDED.includes(dimension) ? `/${(value.charCodeAt(value.length - 1) % PARTS).toString(PARTS)}` : ''
}

function quarterIn(rest: string): number {
  return fromBase36(rest.slice(0, base36(0).length))
}
