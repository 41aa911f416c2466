// Remembers, for each time zone, the last two spans of time that an answer held for. It is a memo and nothing else:
// it gives what measuring again would give, and it must not grow past its bound.

/** An answer that holds for every instant in [from, to), epoch ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Measures the span around `now` (epoch ms) in a zone. */
export type Measure<S extends Span> = (now: number, timezone: string) => S

const MOST_ZONES = 1_000

/** The same function as `measure`, asked again only outside of the two spans it gave last for the zone. */
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

/** A Map keeps the order of insertion, so the first key is the zone known longest. */
function makeRoom(zones: Map<string, unknown>): void {
  if (zones.size < MOST_ZONES) return
  const [longestKnown] = zones.keys()
  if (longestKnown !== undefined) zones.delete(longestKnown)
}
