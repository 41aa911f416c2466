// A host in memory that commits every turn alone while one seed decides what is lost, doubled, late or out of order,
// when timers fire and when everything in flight is gone. It keeps no rule of its own: that sums hold in spite of it
// is the work of the charts and of src/actor, and is what it is there to prove.
import type { Actor, Message, Turn } from '../actor/actor.js'
import { answerOf, dueWake, pendingAsk, type Ask } from '../actor/drive.js'
import { replyOf, type ActorHost, type AskOptions, type Reply } from '../actor/host.js'
import { askOf, createTake, wakeAtOf, type ChartBook, type Take } from '../actor/turn.js'
import type { Entry, Ref } from '../domain/gate.js'
import type { Memory } from '../domain/memory.js'
import { Random } from './simulated/random.js'
import { CALM, type Weather } from './simulated/weather.js'

/** The command, or its answer, was lost: whether it was or will be carried out is unknown. */
export class LostError extends Error {
  override name = 'LostError'
}

/** What one step of the scheduler did. */
export type Step =
  | { kind: 'turn'; by: Delivered; turn: Turn; before: Actor | undefined; row: Entry | undefined; message: Message }
  | { kind: 'lost' | 'stale' | 'thrown'; by: Delivered; to: Ref; message: Message }
  | { kind: 'crash' | 'asked again' | 'quiet' }

/** Steps that a message may be late. */
const LATEST = 200

export type Delivered = 'command' | 'ask' | 'answer' | 'timer'

/** A client that waits. */
interface Caller {
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
  remember: AskOptions['remember']
}

type Envelope = { notBefore: number } & Letter
type Letter =
  /** A second copy of a command has no caller. */
  | { kind: 'command'; to: Ref; message: Message; caller: Caller | undefined }
  | { kind: 'ask'; to: Ref; message: Message; from: Ref }
  | { kind: 'answer'; to: Ref; message: Message; ask: Ask }

/** A command under way: its actor took it and is not yet at rest. */
interface Open {
  caller: Caller | undefined
  turns: Turn[]
}

export class SimulatedHost implements ActorHost {
  /** What is committed; a crash leaves these three and the time. */
  readonly actors = new Map<Ref, Actor>()
  /** By gate and holder. */
  readonly entries = new Map<Ref, Map<string, Entry>>()
  readonly memories = new Map<string, Memory>()
  /** Virtual time, epoch ms: the latest that anybody has named. */
  now = 0
  readonly #book: ChartBook
  readonly #take: Take
  readonly #random: Random
  readonly #weather: () => Weather
  #inFlight: Envelope[] = []
  #steps = 0
  readonly #open = new Map<Ref, Open>()

  /** `weather` is asked at every step. */
  constructor(book: ChartBook, random: Random, weather: () => Weather = () => CALM) {
    this.#book = book
    this.#take = createTake(book)
    this.#random = random
    this.#weather = weather
  }

  async read(refs: readonly Ref[]): Promise<(Actor | undefined)[]> {
    return refs.map((ref) => this.actors.get(ref))
  }

  peek(refs: readonly Ref[]): Promise<(Actor | undefined)[]> {
    return this.read(refs)
  }

  entry(gate: Ref, holder: string): Entry | undefined {
    return this.entries.get(gate)?.get(holder)
  }

  /** Rejects with a LostError when the command or its answer is lost. Nothing moves until somebody calls `step`. */
  ask(to: Ref, message: Message, { remember }: AskOptions): Promise<Reply> {
    this.now = Math.max(this.now, message.now)
    return new Promise((resolve, reject) => {
      this.#send({ kind: 'command', to, message, caller: { resolve, reject, remember } })
    })
  }

  /** One thing happens: at most one turn, committed alone. */
  step(): Step {
    const random = this.#random
    const weather = this.#weather()
    this.#steps += 1
    this.now += random.below(weather.tickMs + 1)
    if (random.chance(weather.crash)) return this.#crash()
    const timers = random.chance(weather.fireTimer) ? this.#timers(this.now) : []
    if (timers.length > 0) return this.#wake(random.pick(timers))
    const early = random.chance(weather.fireEarly) ? this.#timers(Infinity) : []
    if (early.length > 0) return this.#wake(random.pick(early))
    const askers = random.chance(weather.askAgain) ? this.#askers() : []
    if (askers.length > 0) return this.#askAgain([random.pick(askers)])
    const envelope = this.#next(weather, this.#steps) ?? this.#next(weather, Infinity)
    return envelope ? this.#meet(envelope, weather) : this.#idle()
  }

  /** Steps until nothing moves any more. */
  settle(): void {
    while (this.step().kind !== 'quiet');
  }

  /** Nothing can be delivered: whoever still waits for an answer lost it. */
  #idle(): Step {
    const askers = this.#askers()
    if (askers.length > 0) return this.#askAgain(askers)
    const timers = this.#timers(this.now)
    return timers.length > 0 ? this.#wake(timers[0]!) : { kind: 'quiet' }
  }

  #send(letter: Letter): void {
    const isLate = this.#random.chance(this.#weather().delay)
    this.#inFlight.push({ ...letter, notBefore: isLate ? this.#steps + this.#random.below(LATEST) : 0 })
  }

  /** Takes out of flight what is delivered next; what is sent to an actor that asks waits. */
  #next({ reorders }: Weather, until: number): Envelope | undefined {
    const { length } = this.#inFlight
    const first = reorders && length > 0 ? this.#random.below(length) : 0
    for (let tried = 0; tried < length; tried += 1) {
      const at = (first + tried) % length
      const envelope = this.#inFlight[at]!
      if (envelope.notBefore <= until && this.#canArrive(envelope)) return this.#inFlight.splice(at, 1)[0]
    }
    return undefined
  }

  #canArrive({ kind, to }: Envelope): boolean {
    const actor = this.actors.get(to)
    return kind === 'answer' || !actor || askOf(this.#book, actor) === undefined
  }

  #meet(envelope: Envelope, weather: Weather): Step {
    const isCommand = envelope.kind === 'command'
    if (this.#random.chance(isCommand ? weather.loseCommand : weather.lose)) return this.#lose(envelope)
    if (this.#random.chance(isCommand ? weather.duplicateCommand : weather.duplicate)) {
      this.#send(isCommand ? { ...envelope, caller: undefined } : envelope)
    }
    return this.#deliver(envelope)
  }

  #deliver(envelope: Envelope): Step {
    if (envelope.kind === 'answer') return this.#hear(envelope)
    const actor = this.actors.get(envelope.to)
    const wake = dueWake(this.#book, actor, envelope.message)
    if (wake) {
      this.#inFlight.unshift(envelope)
      return this.#run(envelope.to, wake, 'timer')
    }
    return envelope.kind === 'ask' ? this.#answer(envelope) : this.#command(envelope)
  }

  #command({ to, message, caller }: Envelope & { kind: 'command' }): Step {
    this.#open.set(to, { caller, turns: [] })
    try {
      return this.#run(to, message, 'command')
    } catch (error) {
      this.#open.delete(to)
      caller?.reject(error)
      return { kind: 'thrown', by: 'command', to, message }
    }
  }

  /** A gate's turn. */
  #answer({ to, message, from }: Envelope & { kind: 'ask' }): Step {
    const before = this.actors.get(to)
    const row = this.entry(to, message.holder!)
    const turn = this.#take(to, before, row, message)
    this.#commit(turn, message.holder)
    const answer = answerOf(message, turn, turn.entry ?? row)
    this.#send({ kind: 'answer', to: from, message: answer, ask: { to, message } })
    return { kind: 'turn', by: 'ask', turn, before, row, message }
  }

  /** An answer counts only for what its asker asks now; anything else was answered before, or given up. */
  #hear({ to, message, ask }: Envelope & { kind: 'answer' }): Step {
    const pending = pendingAsk(this.#book, this.actors.get(to)!, this.now)
    if (!pending || !isSame(pending, ask)) return { kind: 'stale', by: 'answer', to, message }
    return this.#run(to, message, 'answer')
  }

  #wake(ref: Ref): Step {
    const organization = this.actors.get(ref)!.context['organization'] as string
    return this.#run(ref, { type: 'WAKE', now: this.now, organization }, 'timer')
  }

  /** A turn of an actor that may ask; when it rests, its command is answered in the same commit. */
  #run(to: Ref, message: Message, by: Delivered): Step {
    const before = this.actors.get(to)
    const turn = this.#take(to, before, undefined, message)
    const open = this.#open.get(to)
    open?.turns.push(turn)
    const ask = pendingAsk(this.#book, turn.actor, this.now)
    if (open && !ask) this.#close(to, open)
    this.#commit(turn)
    if (ask) this.#send({ kind: 'ask', ...ask, from: to })
    return { kind: 'turn', by, turn, before, row: undefined, message }
  }

  #close(ref: Ref, { caller, turns }: Open): void {
    this.#open.delete(ref)
    if (!caller) return
    const reply = replyOf(turns)
    const memory = caller.remember?.(reply, (other) => (other === ref ? reply.actor : this.actors.get(other)))
    if (memory) this.memories.set(memory.key, memory)
    if (this.#random.chance(this.#weather().loseCommand)) caller.reject(new LostError('The answer was lost'))
    else caller.resolve(reply)
  }

  #commit({ actor, changed, entry }: Turn, holder?: string): void {
    if (changed) this.actors.set(actor.ref, actor)
    if (!entry) return
    const rows = this.entries.get(actor.ref) ?? new Map<string, Entry>()
    this.entries.set(actor.ref, rows.set(holder!, entry))
  }

  #lose(envelope: Envelope): Step {
    const { kind, to, message } = envelope
    if (kind === 'command') envelope.caller?.reject(new LostError('The command was lost'))
    return { kind: 'lost', by: kind, to, message }
  }

  #crash(): Step {
    for (const envelope of this.#inFlight.splice(0)) this.#lose(envelope)
    for (const { caller } of this.#open.values()) caller?.reject(new LostError('The host crashed'))
    this.#open.clear()
    for (const [ref, actor] of this.actors) this.actors.set(ref, reloaded(actor))
    for (const [gate, rows] of this.entries) this.entries.set(gate, new Map(reloaded([...rows])))
    this.#askAgain(this.#askers())
    return { kind: 'crash' }
  }

  /** What an actor waits for is a property of its state, so recovery is asking again. */
  #askAgain(askers: Actor[]): Step {
    for (const actor of askers) {
      this.#send({ kind: 'ask', ...pendingAsk(this.#book, actor, this.now)!, from: actor.ref })
    }
    return { kind: 'asked again' }
  }

  #askers(): Actor[] {
    return [...this.actors.values()].filter((actor) => askOf(this.#book, actor) !== undefined)
  }

  /** Actors whose WAKE is due at `until`. */
  #timers(until: number): Ref[] {
    const due = [...this.actors.values()].filter((actor) => (wakeAtOf(this.#book, actor) ?? NaN) <= until)
    return due.map(({ ref }) => ref)
  }
}

/** `holder` too, for an actor may come back for what it once had (a name, a pair) as another holder. */
function isSame(one: Ask, other: Ask): boolean {
  const [a, b] = [one.message, other.message]
  return one.to === other.to && a.type === b.type && a.holder === b.holder && a['attempt'] === b['attempt']
}

/** What comes back from a store: what JSON can say, and nothing that is the same object as before. */
function reloaded<Stored>(stored: Stored): Stored {
  return JSON.parse(JSON.stringify(stored)) as Stored
}
