// Counts what a gate holds within the rolling periods of the limits it is asked about: from the rows of the payments'
// times, which gates keep no list of.
import { countWithin, widest, type Counting } from '../domain/limits/counting.js'
import type { Ref } from '../domain/limits/gate.js'
import type { LimitTerm } from '../domain/limits/limit.js'

/** Reads the times (epoch ms) since `since` of the payments that a gate holds, the latest first, at most `most`. */
export type TimesHeld = (gate: Ref, since: number, most: number) => readonly number[]

/**
 * The limits, with the count of each that is on a count, no further than one above it; `now` is the gate's time (epoch
 * ms).
 */
export function withCounts(limits: readonly LimitTerm[], now: number, gate: Ref, timesHeld: TimesHeld): LimitTerm[] {
  const counting = widest(limits.flatMap(countingOf))
  if (counting === undefined) return [...limits]
  const times = timesHeld(gate, now - counting.periodMs, counting.limit + 1)
  return limits.map((term) => {
    const [own] = countingOf(term)
    return own === undefined ? term : { ...term, counted: countWithin(times, own.periodMs, now) }
  })
}

function countingOf({ measure, periodMs, limit }: LimitTerm): Counting[] {
  return measure === 'COUNT' && periodMs !== undefined ? [{ periodMs, limit }] : []
}
