// The invariants of the numbers that policies limit, at agents and budgets: recounted from the holds, the openings of
// budgets and the changes of zones, independently of src/domain/limits/tally.ts.
import { kindOf, type Actor } from '../../../src/actor/actor.js'
import type { TimesHeld } from '../../../src/actor/counts.js'
import { isSameJson } from '../../../src/domain/values/canonical.js'
import type { Gate, Ref } from '../../../src/domain/limits/gate.js'
import type { LimitTerm } from '../../../src/domain/limits/limit.js'
import type { Tally } from '../../../src/domain/limits/tally.js'
import { windowsAt, type Period } from '../../../src/domain/time/windows.js'
import { total, type Books, type Rows } from './books.js'
import { demand } from '../violated.js'

/** What a gate has counted that the holds do not show. */
interface Counted {
  /** Spent before the budget opened. */
  total: number
  /** The same by window. */
  opening: Record<Period, { start: number; spent: number }>
  timezone: string
  /** The gate's time of its last change of zone: windows that were open then may count more than was spent in them. */
  movedAt: number
  /** When each payment was first held. */
  heldAt: Map<string, number>
}

/** One payment's change at one gate. */
export interface Moved {
  gate: Gate
  payment: string
  /** The gate, as it was and as it is. */
  from: Actor | undefined
  to: Actor
  before: Rows
  after: Rows
  /** It was paid already, and so it counts, whatever the limit is now. */
  isSettled: boolean
  /** What the command said that the agents of a budget had spent. */
  opening: Tally | undefined
}

export const PERIODS: readonly Period[] = ['day', 'week', 'month']
const WINDOWS = { DAY: 'day', WEEK: 'week', MONTH: 'month' } as const

function tallyOf(actor: Actor | undefined): Tally | null {
  const isTallied = actor !== undefined && /^(agent|budget)$/.test(kindOf(actor.ref))
  return isTallied ? (actor.context as unknown as { tally: Tally | null }).tally : null
}

export class Tallies {
  readonly #books: Books
  readonly #timesHeld: TimesHeld
  readonly #counted = new Map<Ref, Counted>()

  constructor(books: Books, timesHeld: TimesHeld) {
    this.#books = books
    this.#timesHeld = timesHeld
  }

  /** To be called with every change at a gate, when the books have it. */
  after(moved: Moved): void {
    const { from, to, payment, before, after, opening } = moved
    const tally = tallyOf(to)
    if (!tally) return
    const counted = this.#counted.get(to.ref) ?? beginning(tallyOf(from) ?? opening ?? tally)
    this.#counted.set(to.ref, counted)
    if (counted.timezone !== tally.timezone) Object.assign(counted, { timezone: tally.timezone, movedAt: clockOf(to) })
    if (after.has(payment) && !before.has(payment)) counted.heldAt.set(payment, clockOf(to))
    this.#limits(moved, counted)
  }

  /** The invariants of an agent or a budget at any time. */
  stored(actor: Actor): void {
    const tally = tallyOf(actor)
    const counted = this.#counted.get(actor.ref)
    if (!tally || !counted) return
    const rows = this.#books.rowsAt(actor.ref)
    equal(actor.ref, 'held', tally.sums.held, total(rows, 'held'))
    equal(actor.ref, 'total', tally.total, counted.total + total(rows, 'captured'))
    for (const period of PERIODS) {
      const { start, spent } = tally.sums[period]
      const sum = spentSince(counted, rows, period, start)
      if (start > counted.movedAt) equal(actor.ref, `spent this ${period}`, spent, sum)
      else demand('sums', spent >= sum, () => `${actor.ref} keeps ${spent} of this ${period}, the holds say ${sum}`)
    }
    if (kindOf(actor.ref) === 'agent') this.#times(actor.ref, counted, rows)
  }

  #times(agent: Ref, { heldAt }: Counted, rows: Rows): void {
    const open = [...heldAt].flatMap(([id, at]) => (rows.has(id) ? [at] : [])).sort((a, b) => b - a)
    const times = this.#timesHeld(agent, -1, open.length + 1)
    demand(
      'sums',
      isSameJson([...times], open),
      () => `${agent} counts payments of ${times}, and holds those of ${open}`,
    )
  }

  #limits({ gate, to, before, after, isSettled }: Moved, counted: Counted): void {
    for (const term of gate.limits ?? []) {
      const [was, is] = [before, after].map((rows) => measured(term, counted, rows, clockOf(to)))
      const isRaised = is!.counted > was!.counted || is!.spent > was!.spent
      const isAbove = isRaised && !isSettled && is!.counted > term.limit
      demand('limit', !isAbove, () => `${to.ref} is at ${is!.counted} of ${term.limit} by ${term.measure}`)
    }
  }
}

const clockOf = ({ context }: Actor): number => (context as unknown as { clock: number }).clock

export function equal(ref: Ref, what: string, kept: number, counted: number): void {
  demand('sums', kept === counted, () => `${ref} keeps ${kept} as ${what}, the holds say ${counted}`)
}

/** A gate before it has any hold. */
function beginning({ sums: { day, week, month }, total: spent, timezone }: Tally): Counted {
  return { total: spent, opening: { day, week, month }, timezone, movedAt: -Infinity, heldAt: new Map() }
}

/** What the holds show of a window, with the opening if it began with that. */
function spentSince({ opening }: Counted, rows: Rows, period: Period, start: number): number {
  const earlier = opening[period].start === start ? opening[period].spent : 0
  return earlier + total(rows, 'captured', start)
}

function measured({ measure, periodMs = 0 }: LimitTerm, counted: Counted, rows: Rows, clock: number) {
  if (measure === 'COUNT') {
    const open = [...counted.heldAt].filter(([id, at]) => at > clock - periodMs && rows.has(id))
    return { counted: open.length, spent: 0 }
  }
  const spent =
    measure === 'TOTAL'
      ? counted.total + total(rows, 'captured')
      : spentSince(counted, rows, WINDOWS[measure], windowsAt(clock, counted.timezone)[WINDOWS[measure]].start)
  return { counted: spent + total(rows, 'held'), spent }
}
