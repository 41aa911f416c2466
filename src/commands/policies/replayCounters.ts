// The sums and counts of a replay, kept like the gates keep them: a payment that passes is held from its time on, then
// captured or released when the original was. It reads no store and changes none.
import { COUNT_MS } from '../../../rules/facts.js'
import type { Micros } from '../../domain/values/money.js'
import {
  NO_TALLY,
  tallyAt,
  tallyPlus,
  tallyReleased,
  tallyWithCapture,
  tallyWithHold,
  type Tally,
} from '../../domain/limits/tally.js'
import { windowsAt } from '../../domain/time/windows.js'
import type { Tallies } from '../payments/ruleFacts.js'

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

/** A shared budget that counts the payment. */
export interface CountingGate {
  /** As in the facts: the id of its policy, or that of the budgets of services. */
  name: string
  gate: string
  /** It counts only what is replayed: of what was spent before, nothing is known to be its own. */
  isNew?: true
}

export class ReplayCounters {
  readonly #tallies = new Map<string, Tally>()
  /** By agent: spending before the first payment of the replay. */
  readonly #openings = new Map<string, Tally>()
  /** Pairs of gate and agent whose opening is counted. */
  readonly #seen = new Set<string>()
  /** By agent: the payments that count, and since when (epoch ms), the oldest first. */
  readonly #times = new Map<string, Map<string, number>>()
  /** Soonest last. */
  readonly #pending: Pending[] = []
  #clock = 0

  /** The numbers that limit this payment. INVARIANT: payments come in the order of their time. */
  numbers(payment: Counted, budgets: readonly CountingGate[]): Tallies {
    this.#endUntil(payment.now)
    this.#clock = Math.max(this.#clock, payment.now)
    const shared = budgets.map((budget) => [budget.name, { tally: this.#tallyOf(budget, payment) }] as const)
    const agent = this.#tallyOf(agentGate(payment), payment)
    const made = { times: [...this.#timesOf(payment).values()], periodMs: COUNT_MS.WEEK }
    return { agent, budgets: new Map(shared), made }
  }

  /** Counts a payment that passed; without an ending it stays held. */
  count(payment: Counted, budgets: readonly CountingGate[], ending: Ending | undefined): void {
    const counting = [agentGate(payment), ...budgets]
    for (const one of counting) {
      this.#tallies.set(one.gate, tallyWithHold(this.#tallyOf(one, payment), payment.amount))
    }
    const gates = counting.map(({ gate }) => gate)
    this.#timesOf(payment).set(payment.id, this.#clock)
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
      if (next.as === 'released') this.#timesOf(next.payment).delete(next.payment.id)
    }
  }

  #ended(gate: string, { as, payment: { amount, timezone } }: Pending): Tally {
    const tally = tallyAt(this.#tallies.get(gate)!, this.#clock, timezone)
    return as === 'captured' ? tallyWithCapture(tally, amount) : tallyReleased(tally, { amount })
  }

  /** Without those that no period reaches any more. */
  #timesOf({ agentId }: Counted): Map<string, number> {
    const times = this.#times.get(agentId) ?? new Map<string, number>()
    this.#times.set(agentId, times)
    for (const [id, at] of times) {
      if (at > this.#clock - COUNT_MS.WEEK) break
      times.delete(id)
    }
    return times
  }

  /** A gate's tally now, with the agent's opening added the first time. */
  #tallyOf({ gate, isNew }: Omit<CountingGate, 'name'>, { agentId, ...payment }: Counted): Tally {
    const tally = tallyAt(this.#tallies.get(gate) ?? NO_TALLY, this.#clock, payment.timezone)
    const place = `${gate} ${agentId}`
    if (isNew || this.#seen.has(place)) return tally
    this.#seen.add(place)
    const opening = this.#openings.get(agentId) ?? openingOf(payment)
    this.#openings.set(agentId, opening)
    const opened = tallyPlus(tally, tallyAt(opening, this.#clock, payment.timezone))
    this.#tallies.set(gate, opened)
    return opened
  }
}

function agentGate({ agentId }: Counted): CountingGate {
  return { name: agentId, gate: `agent/${agentId}` }
}

function openingOf({ now, timezone, spentBefore }: Omit<Counted, 'agentId'>): Tally {
  const windows = windowsAt(now, timezone)
  const spent = (period: 'day' | 'week' | 'month') => ({ start: windows[period].start, spent: spentBefore[period] })
  const sums = { held: 0, day: spent('day'), week: spent('week'), month: spent('month') }
  return { sums, total: spentBefore.total, timezone }
}
