// Remembers, for each time zone, the last few spans in which an answer holds. It is a cache alone: its answers equal
// measured ones, and its size is bounded.

/** An answer for every instant in [from, to), epoch ms. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** Measures the span around `now` (epoch ms) in a zone. */
export type MeasureSpan<S extends TimeSpan> = (now: number, timezone: string) => S

const MAX_ZONES = 1_000
/** Sums of other days ask for today, and for the last day that they have spending of. */
const MAX_SPANS = 8

/** Caches `measure`: it is called only outside of the last spans that it measured in the zone. */
export function memoizeSpan<S extends TimeSpan>(measure: MeasureSpan<S>): MeasureSpan<S> {
  const zones = new Map<string, S[]>()
  return (now, timezone) => {
    const known = zones.get(timezone) ?? []
    for (const span of known) if (holds(span, now)) return span
    const measured = measure(now, timezone)
    if (known.length === 0) makeRoom(zones)
    zones.set(timezone, [measured, ...known.slice(0, MAX_SPANS - 1)])
    return measured
  }
}

function holds(span: TimeSpan, now: number): boolean {
  return span.from <= now && now < span.to
}

/** Maps keep the order of insertion, so the first key is the oldest. */
function makeRoom(zones: Map<string, unknown>): void {
  if (zones.size < MAX_ZONES) return
  const [longestKnown] = zones.keys()
  if (longestKnown !== undefined) zones.delete(longestKnown)
}
