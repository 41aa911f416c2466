// The times of WAKEs, by organization and time, each with the gates at which its actor holds. In memory it keeps a time
// for each organization before which none of its timers is due, so that it need not look at all of them.
import { isOf, type Actor } from '../actor/actor.js'
import type { Gate, Ref } from '../domain/limits/gate.js'
import { dueIn, refInKey, timeInTimer, timerKey, under } from './records/keys.js'
import { firstParts, type Table } from './table.js'

/** Null for an actor that holds nothing. */
export type TimerRow = readonly Ref[] | null

export interface Timer {
  /** To continue after it. */
  key: string
  ref: Ref
  gates: readonly Ref[]
}

interface Move {
  before: Actor | undefined
  after: Actor
  wakeBefore: number | undefined
  wakeAfter: number | undefined
}

const NO_GATES: readonly Ref[] = []

export class Timers {
  readonly #rows: Table<TimerRow>
  readonly #flushed: () => Promise<void>
  /** INVARIANT: no timer of the organization, on disk or on its way there, is earlier (epoch ms). */
  readonly #earliest = new Map<string, number>()

  constructor(rows: Table<TimerRow>, flushed: () => Promise<void>) {
    this.#rows = rows
    this.#flushed = flushed
    for (const organization of firstParts(rows)) this.#find(organization)
  }

  /** Queues the row of an actor that was changed. */
  move(organization: string, { before, after, wakeBefore, wakeAfter }: Move): void {
    const gates = gatesOf(after)
    if (wakeBefore === wakeAfter && gatesOf(before)?.length === gates?.length) return
    if (wakeBefore !== undefined) this.#rows.remove(timerKey(organization, wakeBefore, after.ref))
    if (wakeAfter === undefined) return
    this.#rows.put(timerKey(organization, wakeAfter, after.ref), gates?.map(({ ref }) => ref) ?? null)
    this.#lower(organization, wakeAfter)
  }

  /** Up to `limit` timers of the organization on disk that are due at `now`, the longest overdue first. */
  due(organization: string, now: number, limit: number, after?: string): Timer[] {
    // Each decision asks, and mostly there are none.
    if ((this.#earliest.get(organization) ?? now) > now) return []
    const { start, end } = dueIn(organization, now)
    const rows = this.#rows.range({ start: after === undefined ? start : `${after}\0`, end, limit })
    return Array.from(rows, ([key, gates]) => ({ key, ref: refInKey(key), gates: gates ?? NO_GATES }))
  }

  /** The organizations that may have timers that are due at `now`. */
  organizations(now: number): string[] {
    return [...this.#earliest].filter(([, at]) => at <= now).map(([organization]) => organization)
  }

  /** Finds out when the next timer of an organization is due that has none now. */
  async renew(organization: string): Promise<void> {
    // What is queued from now on sets it again; the rest is on disk when it is read.
    this.#earliest.delete(organization)
    await this.#flushed()
    this.#find(organization)
  }

  #find(organization: string): void {
    const [first] = this.#rows.keys({ ...under(organization), limit: 1 })
    if (first !== undefined) this.#lower(organization, timeInTimer(first))
  }

  #lower(organization: string, at: number): void {
    this.#earliest.set(organization, Math.min(at, this.#earliest.get(organization) ?? Infinity))
  }
}

function gatesOf(actor: Actor | undefined): Gate[] | undefined {
  return isOf('payment', actor) ? actor.context.gates : undefined
}
