// The default host: one process, LMDB. It drives a command on an overlay in one stretch of the event loop, so that no
// other command comes between, then writes every touched actor once, in one commit. The answer waits for the disk.
import { createTake, wakeAtOf, type ChartBook, type Take } from '../actor/turn.js'
import { answerOf, drive, type Ask, type Run } from '../actor/drive.js'
import { replyOf, type ActorHost, type AskOptions, type Reply, type StillValid } from '../actor/host.js'
import { isRejected, type Actor, type DomainEvent, type Message } from '../actor/actor.js'
import { difference, isAudited } from '../domain/audit.js'
import type { Delivery } from '../domain/delivery.js'
import type { Entry, Holding, Ref } from '../domain/gate.js'
import type { Change, Store } from '../store/store.js'
import type { Outbox } from '../webhooks/outbox.js'
import { HotSet } from './hot.js'

const NONE: readonly Delivery[] = []

/** An actor as a command found it, and as the command leaves it. */
interface Touched {
  readonly before: Actor | undefined
  after: Actor | undefined
}

/** The actors, holdings and events of one command before its commit. */
class Overlay {
  /** Each is loaded once. */
  readonly #actors = new Map<Ref, Touched>()
  /** Complete holdings by holder, loaded on demand. */
  readonly #loaded = new Map<string, Holding[]>()
  /** Holders whose holdings changed. */
  readonly #changed = new Set<string>()
  /** Events of gates. */
  readonly events: DomainEvent[] = []

  readonly #load: (ref: Ref) => Actor | undefined
  readonly #loadHoldings: (holder: string) => readonly Holding[] | undefined

  constructor(load: (ref: Ref) => Actor | undefined, loadHoldings: (holder: string) => readonly Holding[] | undefined) {
    this.#load = load
    this.#loadHoldings = loadHoldings
  }

  before(ref: Ref): Actor | undefined {
    return this.#touched(ref).before
  }

  actor(ref: Ref): Actor | undefined {
    return this.#touched(ref).after
  }

  put(after: Actor): void {
    this.#touched(after.ref).after = after
  }

  #touched(ref: Ref): Touched {
    let touched = this.#actors.get(ref)
    if (touched === undefined) {
      const before = this.#load(ref)
      touched = { before, after: before }
      this.#actors.set(ref, touched)
    }
    return touched
  }

  changedActors(): { before: Actor | undefined; after: Actor }[] {
    const changed = []
    for (const { before, after } of this.#actors.values()) {
      if (after !== undefined && after !== before) changed.push({ before, after })
    }
    return changed
  }

  entry(gate: Ref, holder: string): Entry | undefined {
    return this.#holdings(holder).find((held) => held.gate === gate)?.entry
  }

  putEntry(gate: Ref, holder: string, entry: Entry): void {
    const holdings = this.#holdings(holder)
    const known = holdings.findIndex((held) => held.gate === gate)
    holdings[known < 0 ? holdings.length : known] = { gate, entry }
    this.#changed.add(holder)
  }

  /** The complete holdings of every holder whose holdings changed. */
  changedHoldings(): Change['holdings'] {
    return Array.from(this.#changed, (holder) => [holder, this.#holdings(holder)])
  }

  #holdings(holder: string): Holding[] {
    let holdings = this.#loaded.get(holder)
    if (holdings === undefined) {
      holdings = [...(this.#loadHoldings(holder) ?? [])]
      this.#loaded.set(holder, holdings)
    }
    return holdings
  }
}

export interface EmbeddedOptions {
  hotActors: number
  /** Turns events into deliveries; left out, there are none. */
  outbox?: Outbox
}

/** False for a refused creation, and for a refused command that changed nothing that the log shows. */
function isLogged({ command, before, turns }: Run): boolean {
  if (!isAudited(command) || !turns.some((turn) => turn.changed)) return false
  const { actor } = turns.at(-1)!
  if (before?.state !== actor.state) return !isRejected(actor)
  if (turns.every((turn) => turn.refusal === undefined)) return true
  return Object.keys(difference(before, actor)).length > 0
}

/** The audited changes of a command's runs. */
function auditedIn(runs: Run[]): Change['audited'] {
  return runs.filter(isLogged).map(({ command, before, turns }) => ({ command, before, after: turns.at(-1)!.actor }))
}

export class EmbeddedHost implements ActorHost {
  readonly #book: ChartBook
  readonly #take: Take
  readonly #store: Store
  readonly #hot: HotSet
  readonly #outbox: Outbox | undefined

  constructor(book: ChartBook, store: Store, { hotActors, outbox }: EmbeddedOptions) {
    this.#book = book
    this.#take = createTake(book)
    this.#store = store
    this.#hot = new HotSet(hotActors)
    this.#outbox = outbox
  }

  async read(refs: readonly Ref[]): Promise<(Actor | undefined)[]> {
    const actors = refs.map((ref) => this.#load(ref))
    await this.#store.flushed()
    return actors
  }

  peek(ref: Ref): Actor | undefined {
    return this.#load(ref)
  }

  async ask(to: Ref, command: Message, options: AskOptions): Promise<Reply> {
    if (this.#store.failure) throw this.#store.failure
    const overlay: Overlay = new Overlay(
      (ref) => this.#load(ref),
      // An actor that this command creates can hold nothing yet.
      (holder) => (overlay.before(to) ? this.#store.heldBy(holder) : undefined),
    )
    const runs = this.#drive(overlay, to, command)
    const reply = replyOf(runs.at(-1)!.turns)
    const vetoed = options.veto?.(overlay.before(to), reply)
    if (vetoed) return vetoed
    const audited = auditedIn(runs)
    const sequence = (): number => this.#store.lastSequence(command.organization) + audited.length
    const memory = options.remember?.(reply, (ref) => overlay.actor(ref), sequence)
    const deliveries = this.#deliveriesOf(overlay, runs)
    await this.#commit(overlay, command, options.by, { audited, memory, deliveries })
    this.#outbox?.committed(to, command.organization, deliveries)
    return reply
  }

  askWhile(to: Ref, command: Message, options: AskOptions, stillValid: StillValid): Promise<Reply | undefined> {
    // INVARIANT: `ask` runs to its commit without yielding, so that nothing comes between this check and the command.
    if (stillValid((ref) => this.#load(ref))) return this.ask(to, command, options)
    return this.#store.flushed().then(() => undefined)
  }

  /** Actors in memory. */
  get hotActors(): number {
    return this.#hot.size
  }

  #drive(overlay: Overlay, to: Ref, command: Message): Run[] {
    const driven = drive(this.#book, this.#take, to, overlay.actor(to), command)
    let step = driven.next()
    while (!step.done) step = driven.next(this.#answer(overlay, step.value))
    for (const { turns } of step.value) {
      // A message that a non-existing actor does not take must not create it.
      if (turns.some(({ changed }) => changed)) overlay.put(turns.at(-1)!.actor)
    }
    return step.value
  }

  #answer(overlay: Overlay, { to, message }: Ask): Message {
    const { holder } = message
    const entry = holder === undefined ? undefined : overlay.entry(to, holder)
    const turn = this.#take(to, overlay.actor(to), entry, message)
    if (turn.changed) overlay.put(turn.actor)
    overlay.events.push(...turn.events)
    if (turn.entry && holder !== undefined) overlay.putEntry(to, holder, turn.entry)
    return answerOf(message, turn, turn.entry ?? entry)
  }

  #deliveriesOf(overlay: Overlay, runs: Run[]): readonly Delivery[] {
    const events = [...overlay.events]
    for (const { turns } of runs) for (const turn of turns) events.push(...turn.events)
    if (!this.#outbox || events.length === 0) return NONE
    return this.#outbox.deliveriesOf(events, {
      actor: (ref) => overlay.actor(ref),
      before: (ref) => overlay.before(ref),
    })
  }

  #commit(
    overlay: Overlay,
    { organization, now: at }: Message,
    by: AskOptions['by'],
    beside: Pick<Change, 'audited' | 'memory' | 'deliveries'>,
  ): Promise<void> {
    const actors = overlay.changedActors()
    for (const { after } of actors) this.#hot.set(after)
    return this.#store.commit({
      organization,
      by,
      at,
      actors: actors.map(({ before, after }) => ({
        before,
        after,
        wakeBefore: before && wakeAtOf(this.#book, before),
        wakeAfter: wakeAtOf(this.#book, after),
      })),
      holdings: overlay.changedHoldings(),
      ...beside,
    })
  }

  #load(ref: Ref): Actor | undefined {
    const hot = this.#hot.get(ref)
    if (hot) return hot
    const stored = this.#store.actor(ref)
    if (stored) this.#hot.set(stored)
    return stored
  }
}
