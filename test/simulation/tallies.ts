// The invariants of the numbers that policies limit, at agents and budgets: recounted from the rows, the openings of
// budgets and the changes of zones, independently of src/domain/tally.ts.
import type { Actor } from '../../src/actor/actor.js'
import { kindOf } from '../../src/actor/actor.js'
import type { Entry, Ref } from '../../src/domain/gate.js'
import type { LimitTerm } from '../../src/domain/limit.js'
import type { Tally } from '../../src/domain/tally.js'
import { windowsAt, type Period } from '../../src/domain/windows.js'
import type { SimulatedHost, Step } from '../../src/host/simulated.js'
import { Violated } from './violated.js'

type TurnStep = Step & { kind: 'turn' }
type Rows = Map<string, Entry>

/** What a gate has counted that its rows do not show. */
interface Known {
  /** Spent before the budget opened. */
  total: number
  /** The same by window; unknown after a change of zone. */
  opening: Record<Period, { start: number; spent: number }> | undefined
  timezone: string
  /** When each payment was first held; only of payments since they are counted. */
  heldAt: Map<string, number>
}

const PERIODS: readonly Period[] = ['day', 'week', 'month']
const WINDOWS = { DAY: 'day', WEEK: 'week', MONTH: 'month' } as const
const WEEK_MS = 7 * 24 * 60 * 60_000

export function tallyOf(actor: Actor | undefined): Tally | null {
  const isTallied = actor !== undefined && /^(agent|budget)$/.test(kindOf(actor.ref))
  return isTallied ? (actor.context as unknown as { tally: Tally | null }).tally : null
}

const isOpen = ({ state }: Entry): boolean => state === 'held' || state === 'captured'

export class Tallies {
  readonly #host: SimulatedHost
  readonly #known = new Map<Ref, Known>()

  constructor(host: SimulatedHost) {
    this.#host = host
  }

  /** To be called after every turn, when its row is in place. */
  after(step: TurnStep): void {
    const { before, turn, message } = step
    const { ref } = turn.actor
    const tally = tallyOf(turn.actor)
    if (!tally) return
    const rows = this.#host.entries.get(ref) ?? new Map<string, Entry>()
    const earlier = new Map(rows)
    if (message.holder !== undefined && turn.entry) {
      if (step.row) earlier.set(message.holder, step.row)
      else earlier.delete(message.holder)
    }
    const opening = message['opening'] as unknown as Tally | undefined
    const known = this.#known.get(ref) ?? beginning(tallyOf(before) ?? opening ?? tally)
    this.#known.set(ref, known)
    const clock = turn.actor.context['clock'] as number
    if (known.timezone !== tally.timezone) Object.assign(known, { timezone: tally.timezone, opening: undefined })
    if (turn.entry?.state === 'held' && !step.row && tally.recent) known.heldAt.set(message.holder!, clock)
    if (turn.entry) this.#limits(step, known, { earlier, rows, clock })
  }

  /** The invariants of an agent or a budget at any time. */
  stored(actor: Actor): void {
    const tally = tallyOf(actor)
    const known = this.#known.get(actor.ref)
    if (!tally || !known) return
    const rows = this.#host.entries.get(actor.ref) ?? new Map<string, Entry>()
    this.#equal(actor.ref, 'held', tally.sums.held, total(rows, 'held'))
    this.#equal(actor.ref, 'total', tally.total, known.total + total(rows, 'captured'))
    for (const period of PERIODS) {
      const { start, spent } = tally.sums[period]
      const counted = spentSince(known, rows, period, start)
      const what = `spent this ${period}`
      if (known.opening) this.#equal(actor.ref, what, spent, counted)
      else this.#demand(actor.ref, spent >= counted, `keeps ${spent} as ${what}, its rows say ${counted} at least`)
    }
    this.#recent(actor, tally, known, rows)
  }

  #recent({ ref, context }: Actor, { recent, recentSince }: Tally, { heldAt }: Known, rows: Rows): void {
    const ids = (recent ?? []).map(({ id }) => id)
    this.#demand(ref, ids.length === new Set(ids).size, 'counts a payment twice')
    const week = (context['clock'] as number) - WEEK_MS
    for (const [id, at] of heldAt) {
      const row = rows.get(id)
      const isMissed = row !== undefined && isOpen(row) && at > week && !ids.includes(id)
      this.#demand(ref, !isMissed, `does not count ${id}`)
      const isOver = row !== undefined && !isOpen(row) && this.#madeAt(id) > recentSince
      this.#demand(ref, !isOver || !ids.includes(id), `counts ${id}, which is over`)
    }
  }

  #madeAt(id: string): number {
    return this.#host.actors.get(`payment/${id}`)?.context['createdAt'] as number
  }

  #limits({ turn: { actor }, message }: TurnStep, known: Known, { earlier, rows, clock }: Worlds): void {
    for (const term of (message['limits'] ?? []) as unknown as LimitTerm[]) {
      const [before, after] = [earlier, rows].map((some) => measured(term, known, some, clock))
      // A payment that is already made counts, whatever the limit is now.
      const isMoved = message.type === 'SETTLE'
      const isRaised = after!.counted > before!.counted || (!isMoved && after!.spent > before!.spent)
      const isAbove = isRaised && after!.counted > term.limit
      const what = `${message.type} brought ${actor.ref} to ${after!.counted} of ${term.limit} by ${term.measure}`
      if (isAbove) throw new Violated('limit', what)
    }
  }

  #equal(ref: Ref, what: string, kept: number, counted: number): void {
    this.#demand(ref, kept === counted, `keeps ${kept} as ${what}, its rows say ${counted}`)
  }

  #demand(ref: Ref, holds: boolean, detail: string): void {
    if (!holds) throw new Violated('sums', `${ref} ${detail}`)
  }
}

interface Worlds {
  earlier: Rows
  rows: Rows
  clock: number
}

/** A gate before it has any row. */
function beginning({ sums: { day, week, month }, total: spent, timezone }: Tally): Known {
  return { total: spent, opening: { day, week, month }, timezone, heldAt: new Map() }
}

/** What the rows show of a window; with the opening, unless the zone has changed since. */
function spentSince({ opening }: Known, rows: Rows, period: Period, start: number): number {
  const earlier = opening?.[period].start === start ? opening[period].spent : 0
  return earlier + total(rows, 'captured', start)
}

function total(rows: Rows, state: Entry['state'], since = -Infinity): number {
  let sum = 0
  for (const row of rows.values()) if (row.state === state && (row.capturedAt ?? 0) >= since) sum += row.amount
  return sum
}

function measured({ measure, periodMs = 0 }: LimitTerm, known: Known, rows: Rows, clock: number) {
  if (measure === 'COUNT') {
    const isCounted = (id: string): boolean => isOpen(rows.get(id) ?? { state: 'released', amount: 0, attempt: 0 })
    const counted = [...known.heldAt].filter(([id, at]) => at > clock - periodMs && isCounted(id)).length
    return { counted, spent: 0 }
  }
  const spent =
    measure === 'TOTAL'
      ? known.total + total(rows, 'captured')
      : spentSince(known, rows, WINDOWS[measure], windowsAt(clock, known.timezone)[WINDOWS[measure]].start)
  return { counted: spent + total(rows, 'held'), spent }
}
