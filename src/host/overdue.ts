// Ends what is over: sends WAKE to actors whose time has come, in slices of a few milliseconds with other work between
// them. In the background organizations take turns, at a bounded share of the processor. A command that holds which are
// over stand in the way of has those ended first that share a gate with it.
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../actor/actor.js'
import { deliver, Unavailable, type ActorHost, type Overdue } from '../actor/host.js'
import { keyedMutex } from '../async/keyedMutex.js'
import { TIMER } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Timer, Timers } from '../store/timers.js'

export interface OverduePorts {
  host: ActorHost
  timers: Pick<Timers, 'due' | 'organizations' | 'renew'>
  /** When the actor's WAKE is due (epoch ms); undefined for one that waits for none. */
  wakeAtOf(actor: Actor): number | undefined
  now(): number
  /** An actor could not be woken; the others are. */
  onError(error: unknown): void
}

/** How long a slice may hold the event loop. */
const SLICE_MS = 5
/** In the background a slice is followed by so many times its length without one. */
const REST = 4
/** Timers that are read at once. */
const READ = 500

/** Actors to wake. */
type Line = Iterator<Ref>

interface Slice {
  /** One for each actor, settled when it is on disk: false for one that could not be woken. */
  woken: Promise<boolean>[]
  /** For how long it held the event loop. */
  ms: number
  /** Nothing is left in the line. */
  isLast: boolean
}

/** What is overdue in an organization, as far as it was read. */
interface Sorted {
  /** Where the reading goes on. */
  after: string | undefined
  /** The time of the last reading (epoch ms). */
  at: number
  byGate: Map<Ref, Ref[]>
}

export class OverdueActors implements Overdue {
  readonly #ports: OverduePorts
  readonly #sorted = new Map<string, Sorted>()
  /** What the background has yet to end, by organization. */
  readonly #lines = new Map<string, Line>()
  readonly #inTurn = keyedMutex()

  constructor(ports: OverduePorts) {
    this.#ports = ports
  }

  isAny(organization: string): boolean {
    return this.#ports.timers.due(organization, this.#ports.now(), 1).length > 0
  }

  async end(organization: string, slices: number): Promise<number> {
    return this.isAny(organization) ? this.#inSlices(this.#due(organization), slices) : 0
  }

  async endAt(organization: string, gates: readonly Ref[], slices: number): Promise<number> {
    if (gates.length === 0 || !this.isAny(organization)) return 0
    return this.#inSlices(heldAt(await this.#sort(organization), gates), slices)
  }

  /**
   * One slice for each organization with something overdue, each followed by a rest; returns how many actors ended.
   * Passes over the organizations in `failing`, and adds those with actors that could not be woken.
   */
  async round(failing: Set<string>, isStopped: () => boolean): Promise<number> {
    let ended = 0
    for (const organization of this.#ports.timers.organizations(this.#ports.now())) {
      if (isStopped()) return 0
      if (failing.has(organization)) continue
      try {
        ended += await this.#background(organization, failing)
      } catch (error) {
        // A damaged row keeps no other organization waiting.
        failing.add(organization)
        this.#lines.delete(organization)
        this.#ports.onError(error)
      }
    }
    return ended
  }

  async #background(organization: string, failing: Set<string>): Promise<number> {
    const { woken, ms } = await this.#backgroundSlice(organization)
    const done = countOf(await Promise.all(woken))
    if (done < woken.length) failing.add(organization)
    await pause(REST * ms)
    return done
  }

  async #backgroundSlice(organization: string): Promise<Slice> {
    const line = this.#lines.get(organization) ?? this.#due(organization)
    this.#lines.set(organization, line)
    const slice = await this.#turn(line)
    if (!slice.isLast) return slice
    this.#lines.delete(organization)
    this.#sorted.delete(organization)
    await this.#ports.timers.renew(organization)
    return slice
  }

  async #inSlices(line: Line, slices: number): Promise<number> {
    const woken: Promise<boolean>[] = []
    for (let made = 0, isLast = false; made < slices && !isLast;) {
      const slice = await this.#turn(line)
      woken.push(...slice.woken)
      isLast = slice.isLast
      // One that others have left nothing to end in: behind it there may be more.
      if (slice.woken.length > 0) made += 1
    }
    return countOf(await Promise.all(woken))
  }

  /** One slice at a time, whoever waits for it, and other work before each. */
  #turn(line: Line): Promise<Slice> {
    return this.#inTurn('', async () => {
      await nextRound()
      return this.#slice(line)
    })
  }

  #slice(line: Line): Slice {
    const began = performance.now()
    const since = (): number => performance.now() - began
    const woken: Promise<boolean>[] = []
    let next = line.next()
    for (; !next.done; next = line.next()) {
      if (this.#isDue(next.value)) woken.push(this.#wake(next.value))
      if (since() >= SLICE_MS) break
    }
    return { woken, ms: since(), isLast: next.done === true }
  }

  /** False for one that has ended since it was read. A damaged record fails when it is woken. */
  #isDue(ref: Ref): boolean {
    try {
      const actor = this.#ports.host.peek(ref)
      return actor !== undefined && (this.#ports.wakeAtOf(actor) ?? Infinity) <= this.#ports.now()
    } catch {
      return true
    }
  }

  /** False where it could not be woken. A host that takes nothing any more has said so already. */
  async #wake(ref: Ref): Promise<boolean> {
    const { host, now, onError } = this.#ports
    try {
      const { organization } = host.peek(ref)!.context
      await deliver(host, TIMER, ref, { type: 'WAKE', now: now(), organization })
      return true
    } catch (error) {
      if (!(error instanceof Unavailable)) onError(error)
      return false
    }
  }

  /** What is overdue in an organization, the longest overdue first. */
  *#due(organization: string): Generator<Ref> {
    let after: string | undefined
    for (;;) {
      const due = this.#ports.timers.due(organization, this.#ports.now(), READ, after)
      for (const { ref } of due) yield ref
      if (due.length < READ) return
      after = due.at(-1)!.key
    }
  }

  /** Reads what has become due since the last reading. */
  async #sort(organization: string): Promise<Sorted> {
    const now = this.#ports.now()
    const known = this.#sorted.get(organization)
    // After the clock was set back, timers may become due that the reading has passed.
    const sorted = known && known.at <= now ? known : { after: undefined, at: now, byGate: new Map<Ref, Ref[]>() }
    sorted.at = now
    this.#sorted.set(organization, sorted)
    for (;;) {
      const due = this.#ports.timers.due(organization, now, READ, sorted.after)
      for (const timer of due) file(sorted, timer)
      if (due.length < READ) return sorted
      await nextRound()
    }
  }
}

function countOf(woken: readonly boolean[]): number {
  return woken.filter(Boolean).length
}

function file(sorted: Sorted, { key, ref, gates }: Timer): void {
  sorted.after = key
  for (const gate of gates) {
    const held = sorted.byGate.get(gate)
    if (held) held.push(ref)
    else sorted.byGate.set(gate, [ref])
  }
}

/** Takes the holders out of the lists of their gates, to which a later reading may add. */
function* heldAt({ byGate }: Sorted, gates: readonly Ref[]): Generator<Ref> {
  for (const gate of gates) {
    const held = byGate.get(gate) ?? []
    for (let ref = held.pop(); ref !== undefined; ref = held.pop()) yield ref
  }
}
