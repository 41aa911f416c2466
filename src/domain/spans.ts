// Remembers, for each time zone, the last two spans in which an answer holds. It is a cache alone: its answers equal
// measured ones, and its size is bounded.

/** An answer for every instant in [from, to), epoch ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Measures the span around `now` (epoch ms) in a zone. */
export type Measure<S extends Span> = (now: number, timezone: string) => S

const MAX_ZONES = 1_000

/** Caches `measure`: it is called only outside of the zone's last two spans. */
export function remembered<S extends Span>(measure: Measure<S>): Measure<S> {
  const zones = new Map<string, { latest: S; earlier: S }>()
  return (now, timezone) => {
    const known = zones.get(timezone)
    if (known !== undefined && holds(known.latest, now)) return known.latest
    if (known !== undefined && holds(known.earlier, now)) return known.earlier
    const latest = measure(now, timezone)
    if (known === undefined) makeRoom(zones)
    zones.set(timezone, { latest, earlier: known?.latest ?? latest })
    return latest
  }
}

function holds(span: Span, now: number): boolean {
  return span.from <= now && now < span.to
}

/** Maps keep the order of insertion, so the first key is the oldest. */
function makeRoom(zones: Map<string, unknown>): void {
  if (zones.size < MAX_ZONES) return
  const [longestKnown] = zones.keys()
  if (longestKnown !== undefined) zones.delete(longestKnown)
}
