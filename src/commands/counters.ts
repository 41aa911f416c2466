// The sums and counts of a replay, as the gates would keep them: what is let pass is held from its time on, and
// captured or released when that payment was. It reads no store and changes none.
import type { Micros } from '../domain/money.js'
import {
  NO_TALLY,
  tallyAt,
  tallyReleased,
  tallyWithCapture,
  tallyWithHold,
  WEEK_MS,
  type Tally,
} from '../domain/tally.js'
import { windowsAt } from '../domain/windows.js'
import { plus, type Numbers } from './ruleFacts.js'

/** A payment that was decided once, as far as it counts. */
export interface Counted {
  id: string
  agentId: string
  amount: Micros
  /** Epoch ms of the decision. */
  now: number
  /** IANA name, of the organization at that time. */
  timezone: string
  /** What its agent had spent before, in the windows of that time and since ever. */
  spentBefore: { day: Micros; week: Micros; month: Micros; total: Micros }
}

/** What became of a payment that was let pass. */
export interface Ending {
  as: 'captured' | 'released'
  /** Epoch ms. */
  at: number
}

interface Pending extends Ending {
  gates: readonly string[]
  payment: Counted
}

/** `budgets` are, throughout, the ids of the policies whose shared budgets a payment counts in. */
export class Counters {
  readonly #tallies = new Map<string, Tally>()
  /** By agent: what it had spent before the first payment of the replay. */
  readonly #openings = new Map<string, Tally>()
  /** The agents whose opening a gate has counted. */
  readonly #seen = new Set<string>()
  /** The soonest last. */
  readonly #pending: Pending[] = []
  #clock = 0

  /** The numbers that this payment is judged by. Payments have to come in the order of their time. */
  numbers(payment: Counted, budgets: readonly string[]): Numbers {
    this.#endUntil(payment.now)
    this.#clock = Math.max(this.#clock, payment.now)
    const shared = budgets.map((id) => [id, { tally: this.#tallyOf(`budget/${id}`, payment), isOpen: true }] as const)
    return { agent: this.#tallyOf(`agent/${payment.agentId}`, payment), budgets: new Map(shared), recent: undefined }
  }

  /** The payment was let pass; without an ending it holds what it asked for. */
  count(payment: Counted, budgets: readonly string[], ending: Ending | undefined): void {
    const gates = [`agent/${payment.agentId}`, ...budgets.map((id) => `budget/${id}`)]
    for (const gate of gates) {
      const tally = this.#tallyOf(gate, payment)
      this.#tallies.set(gate, tallyWithHold(tally, payment.id, payment.amount, this.#clock))
    }
    if (ending === undefined) return
    const at = this.#pending.findLastIndex((other) => other.at > ending.at)
    this.#pending.splice(at + 1, 0, { ...ending, gates, payment })
  }

  /** Carries out what ended meanwhile. */
  #endUntil(now: number): void {
    for (let next = this.#pending.at(-1); next !== undefined && next.at <= now; next = this.#pending.at(-1)) {
      this.#pending.pop()
      this.#clock = Math.max(this.#clock, next.at)
      for (const gate of next.gates) this.#tallies.set(gate, this.#ended(gate, next))
    }
  }

  #ended(gate: string, { as, payment: { id, amount, timezone } }: Pending): Tally {
    const tally = current(this.#tallies.get(gate)!, this.#clock, timezone)
    return as === 'captured' ? tallyWithCapture(tally, amount) : tallyReleased(tally, id, { state: 'held', amount })
  }

  /** A gate's tally at this moment; an agent brings what it had spent before. */
  #tallyOf(gate: string, { agentId, ...payment }: Counted): Tally {
    const tally = current(this.#tallies.get(gate) ?? NOTHING, this.#clock, payment.timezone)
    const place = `${gate} ${agentId}`
    if (this.#seen.has(place)) return tally
    this.#seen.add(place)
    const opening = this.#openings.get(agentId) ?? openingOf(payment)
    this.#openings.set(agentId, opening)
    const opened = plus(tally, current(opening, this.#clock, payment.timezone))
    this.#tallies.set(gate, opened)
    return opened
  }
}

const NOTHING: Tally = { ...NO_TALLY, recent: [] }

function openingOf({ now, timezone, spentBefore }: Omit<Counted, 'agentId'>): Tally {
  const windows = windowsAt(now, timezone)
  const spent = (period: 'day' | 'week' | 'month') => ({ start: windows[period].start, spent: spentBefore[period] })
  const sums = { held: 0, day: spent('day'), week: spent('week'), month: spent('month'), movedAt: 0 }
  return { ...NOTHING, sums, total: spentBefore.total, timezone }
}

/** The same as the gates keep, but that a payment is counted as often as it comes. */
function current(tally: Tally, now: number, timezone: string): Tally {
  const recent = tally.recent!.filter(({ at }) => at > now - WEEK_MS)
  return { ...tallyAt({ ...tally, recent: null }, now, timezone, undefined), recent }
}
