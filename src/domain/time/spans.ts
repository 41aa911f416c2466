// Remembers, for each time zone, the last few spans in which an answer holds. It is a cache alone: its answers equal
// measured ones, and its size is bounded.
import { BoundedCache } from '../values/boundedCache.js'

/** An answer for every instant in [from, to), epoch ms. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** Measures the span around `now` (epoch ms) in a zone. */
export type MeasureSpan<S extends TimeSpan> = (now: number, timezone: string) => S

/** There are some 600; the half used last is kept for certain. */
const MAX_ZONES = 2_000
/** Sums of other days ask for today, and for the last day that they have spending of. */
const MAX_SPANS = 8

/** Caches `measure`: it is called only outside of the last spans that it measured in the zone. */
export function memoizeSpan<S extends TimeSpan>(measure: MeasureSpan<S>): MeasureSpan<S> {
  const zones = new BoundedCache<string, S[]>(MAX_ZONES)
  return (now, timezone) => {
    const known = zones.get(timezone) ?? []
    for (const span of known) if (span.from <= now && now < span.to) return span
    const measured = measure(now, timezone)
    zones.set(timezone, [measured, ...known.slice(0, MAX_SPANS - 1)])
    return measured
  }
}
