// Sums by dimension and value.
import {
  addTo,
  isNone,
  countIn,
  noSums,
  type CountedPayment,
  type DimensionOrAll,
  type StatsSums,
} from '../../domain/payment/stats.js'

export class Cells {
  readonly #rows = new Map<DimensionOrAll, Map<string, StatsSums>>()
  /** How many cells there are. */
  size = 0

  /** Of one quarter of an hour; with -1, what was counted is taken back. */
  count({ places, counts }: CountedPayment, quarter: number, sign: 1 | -1): void {
    for (const one of counts) {
      if (one.quarter !== quarter) continue
      for (const [dimension, value] of places) countIn(this.#at(dimension, value), one.measure, one.amount, sign)
    }
  }

  add(dimension: DimensionOrAll, value: string, sums: StatsSums, sign: 1 | -1 = 1): void {
    addTo(this.#at(dimension, value), sums, sign)
  }

  of(dimension: DimensionOrAll): ReadonlyMap<string, StatsSums> {
    return this.#rows.get(dimension) ?? new Map<string, StatsSums>()
  }

  /** Those that are not 0. */
  *all(): Generator<[DimensionOrAll, string, StatsSums]> {
    for (const [dimension, values] of this.#rows) {
      for (const [value, sums] of values) if (!isNone(sums)) yield [dimension, value, sums]
    }
  }

  #at(dimension: DimensionOrAll, value: string): StatsSums {
    let values = this.#rows.get(dimension)
    if (!values) this.#rows.set(dimension, (values = new Map()))
    let sums = values.get(value)
    if (!sums) {
      values.set(value, (sums = noSums()))
      this.size += 1
    }
    return sums
  }
}
