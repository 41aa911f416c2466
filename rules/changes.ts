// When a condition's result may next change by time alone. The times are never too late: until then the result stands,
// and at that time it must be evaluated again.
import type { Micros } from '../src/domain/values/money.js'
import type { Period } from '../src/domain/time/windows.js'
import { windowsAt } from '../src/domain/time/windows.js'
import { wallClockComesTo } from '../src/domain/time/timezone.js'
import { predicateOf, type Leaf } from './condition.js'
import { COUNT_MS, type CountPeriod, type Facts } from './facts.js'

/** A payment's facts at an instant, as far as time changes them. */
export interface Moment {
  /** Epoch ms. */
  now: number
  /** IANA name, for calendar windows. */
  timezone: string
  facts: Facts
  /** A window's sum when it begins, by fact name: what is held, plus the payment. */
  least: (fact: string) => Micros
  /** Times of the payments that count (epoch ms). */
  times: readonly number[]
}

const WINDOWS: [RegExp, Period][] = [
  [/^(dayTotal|budget:.*:DAILY)$/, 'day'],
  [/^(weekTotal|budget:.*:WEEKLY)$/, 'week'],
  [/^(monthTotal|budget:.*:MONTHLY)$/, 'month'],
]

/** Epoch ms, after now, at which one of the comparisons may change; Infinity where time changes nothing. */
export function nextChange(leaves: readonly Leaf[], moment: Moment): number {
  return leaves.reduce((soonest, leaf) => Math.min(soonest, nextOfLeaf(leaf, moment)), Infinity)
}

function nextOfLeaf(leaf: Leaf, moment: Moment): number {
  const { fact, value } = leaf
  const { now } = moment
  if (fact === 'now') return Number(value) > now ? Number(value) : Infinity
  if (fact.startsWith('minute@')) return Math.min(...[0, Number(value)].map((minute) => wallClock(fact, minute, now)))
  if (fact.startsWith('weekday@')) return wallClock(fact, 0, now)
  if (fact.startsWith('count:')) return nextFewer(COUNT_MS[fact.slice('count:'.length) as CountPeriod], moment)
  return nextWindow(leaf, moment)
}

function wallClock(fact: string, minute: number, now: number): number {
  return wallClockComesTo(minute, now, fact.slice(fact.indexOf('@') + 1))
}

const fewer = new WeakMap<Moment, Map<number, number>>()

/** When the next payment stops counting: looked for once in a moment. */
function nextFewer(periodMs: number, moment: Moment): number {
  const { now, times } = moment
  const known = fewer.get(moment) ?? new Map<number, number>()
  fewer.set(moment, known)
  const next = known.get(periodMs) ?? Math.min(...times.map((at) => at + periodMs).filter((at) => at > now))
  known.set(periodMs, next)
  return next
}

/** The end of the window, where a new window changes the result. */
function nextWindow(leaf: Leaf, { now, timezone, facts, least }: Moment): number {
  const [, period] = WINDOWS.find(([pattern]) => pattern.test(leaf.fact)) ?? []
  if (period === undefined) return Infinity
  const holds = predicateOf(leaf)
  const begun: { [name: string]: unknown } = { [leaf.fact]: least(leaf.fact) }
  const isSame = holds(facts) === holds(begun as Facts)
  return isSame ? Infinity : windowsAt(now, timezone)[period].end
}
