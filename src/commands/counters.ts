// The sums and counts of a replay, kept like the gates keep them: a payment that passes is held from its time on, then
// captured or released when the original was. It reads no store and changes none.
import type { Micros } from '../domain/money.js'
import {
  NO_TALLY,
  tallyAt,
  tallyPlus,
  tallyReleased,
  tallyWithCapture,
  tallyWithHold,
  WEEK_MS,
  type Tally,
} from '../domain/tally.js'
import { windowsAt } from '../domain/windows.js'
import type { Tallies } from './ruleFacts.js'

/** A past payment, as far as counters need it. */
export interface Counted {
  id: string
  agentId: string
  amount: Micros
  /** Epoch ms of the decision. */
  now: number
  /** IANA name, the organization's at that time. */
  timezone: string
  /** The agent's spending before this payment, in the windows of that time and in total. */
  spentBefore: { day: Micros; week: Micros; month: Micros; total: Micros }
}

/** How and when a payment that passed ended. */
export interface Ending {
  as: 'captured' | 'released'
  /** Epoch ms. */
  at: number
}

interface Pending extends Ending {
  gates: readonly string[]
  payment: Counted
}

/** In all methods `budgets` are the ids of the policies whose shared budgets count the payment. */
export class Counters {
  readonly #tallies = new Map<string, Tally>()
  /** By agent: spending before the first payment of the replay. */
  readonly #openings = new Map<string, Tally>()
  /** Pairs of gate and agent whose opening is counted. */
  readonly #seen = new Set<string>()
  /** Soonest last. */
  readonly #pending: Pending[] = []
  #clock = 0

  /** The numbers that limit this payment. INVARIANT: payments come in the order of their time. */
  numbers(payment: Counted, budgets: readonly string[]): Tallies {
    this.#endUntil(payment.now)
    this.#clock = Math.max(this.#clock, payment.now)
    const shared = budgets.map((id) => [id, { tally: this.#tallyOf(`budget/${id}`, payment) }] as const)
    return { agent: this.#tallyOf(`agent/${payment.agentId}`, payment), budgets: new Map(shared) }
  }

  /** Counts a payment that passed; without an ending it stays held. */
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

  /** Ends the payments that are due. */
  #endUntil(now: number): void {
    for (let next = this.#pending.at(-1); next !== undefined && next.at <= now; next = this.#pending.at(-1)) {
      this.#pending.pop()
      this.#clock = Math.max(this.#clock, next.at)
      for (const gate of next.gates) this.#tallies.set(gate, this.#ended(gate, next))
    }
  }

  #ended(gate: string, { as, payment: { id, amount, timezone } }: Pending): Tally {
    const tally = current(this.#tallies.get(gate)!, this.#clock, timezone)
    return as === 'captured' ? tallyWithCapture(tally, amount, this.#clock) : tallyReleased(tally, id, { amount })
  }

  /** A gate's tally now, with the agent's opening added the first time. */
  #tallyOf(gate: string, { agentId, ...payment }: Counted): Tally {
    const tally = current(this.#tallies.get(gate) ?? NOTHING, this.#clock, payment.timezone)
    const place = `${gate} ${agentId}`
    if (this.#seen.has(place)) return tally
    this.#seen.add(place)
    const opening = this.#openings.get(agentId) ?? openingOf(payment)
    this.#openings.set(agentId, opening)
    const opened = tallyPlus(tally, current(opening, this.#clock, payment.timezone))
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

/** Like `tallyAt`, but a payment that is replayed twice counts twice. */
function current(tally: Tally, now: number, timezone: string): Tally {
  const recent = tally.recent!.filter(({ at }) => at > now - WEEK_MS)
  return { ...tallyAt({ ...tally, recent: null }, now, timezone, undefined), recent }
}
