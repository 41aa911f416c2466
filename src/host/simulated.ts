// A host in memory that commits every turn alone. One seed decides what is lost, doubled, late or out of order, when
// timers fire and when everything in flight is gone. It enforces no rule of its own: it proves that the charts and
// src/actor keep the books right in spite of that.
import type { Actor, Message, Turn } from '../actor/actor.js'
import { answerOf, dueWake, pendingAsk, type Ask } from '../actor/drive.js'
import { replyOf, type ActorHost, type AskOptions, type Reply, type StillValid } from '../actor/host.js'
import { askOf, createTake, wakeAtOf, type ChartBook, type Take } from '../actor/turn.js'
import type { Entry, Ref } from '../domain/gate.js'
import type { Memory } from '../domain/memory.js'
import { Network } from './simulated/network.js'
import type { Random } from './simulated/random.js'
import { NO_FAULTS, type FaultRates } from './simulated/faultRates.js'

/** The simulated host keeps no audit log. */
const NO_LOG = (): number => 0

/** The command or its answer was lost: whether the command was or will be carried out is unknown. */
export class LostError extends Error {
  override name = 'LostError'
}

/** The kind of a delivery: a client's command, an actor's ask, a gate's answer, or a WAKE. */
export type Delivered = 'command' | 'ask' | 'answer' | 'timer'

/** What one step of the scheduler did. */
export type Step =
  /** `row` is the gate's row before the turn. */
  | { kind: 'turn'; by: Delivered; message: Message; before: Actor | undefined; row: Entry | undefined; turn: Turn }
  | { kind: 'lost' | 'stale' | 'thrown'; by: Delivered; message: Message; to: Ref }
  | { kind: 'crash' | 'asked again' | 'quiet' }

/** A waiting client. */
interface Caller {
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
  remember: AskOptions['remember']
}

type Letter =
  /** The second copy of a command has no caller. */
  | { kind: 'command'; to: Ref; message: Message; caller: Caller | undefined }
  | { kind: 'ask'; to: Ref; message: Message; from: Ref }
  | { kind: 'answer'; to: Ref; message: Message; ask: Ask }

/** A running command: its actor took it and is not yet at rest. */
interface Open {
  caller: Caller | undefined
  turns: Turn[]
}

export class SimulatedHost implements ActorHost {
  /** Committed actors. A crash leaves these and the rows and memories below, and nothing else. */
  readonly actors = new Map<Ref, Actor>()
  /** Rows by gate and holder. */
  readonly entries = new Map<Ref, Map<string, Entry>>()
  readonly memories = new Map<string, Memory>()
  /** Virtual time, epoch ms; never earlier than that of a command. */
  now = 0
  readonly #book: ChartBook
  readonly #take: Take
  readonly #random: Random
  readonly #faultRates: () => FaultRates
  readonly #network: Network<Letter>
  readonly #open = new Map<Ref, Open>()

  /** `faultRates` is called at every step. */
  constructor(book: ChartBook, random: Random, faultRates: () => FaultRates = () => NO_FAULTS) {
    this.#book = book
    this.#take = createTake(book)
    this.#random = random
    this.#faultRates = faultRates
    this.#network = new Network(random, faultRates)
  }

  async read(refs: readonly Ref[]): Promise<(Actor | undefined)[]> {
    return refs.map((ref) => this.actors.get(ref))
  }

  peek(ref: Ref): Actor | undefined {
    return this.actors.get(ref)
  }

  entry(gate: Ref, holder: string): Entry | undefined {
    return this.entries.get(gate)?.get(holder)
  }

  /** Rejects with a LostError when the command or its answer is lost. Nothing moves until `step` is called. */
  ask(to: Ref, message: Message, { remember, veto }: AskOptions): Promise<Reply> {
    if (veto) throw new Error('Turns that are committed one by one cannot be taken back')
    this.now = Math.max(this.now, message.now)
    return new Promise((resolve, reject) => {
      this.#network.send({ kind: 'command', to, message, caller: { resolve, reject, remember } })
    })
  }

  /** State may change between this check and the command's arrival; the gates decide then. */
  async askWhile(to: Ref, message: Message, options: AskOptions, stillValid: StillValid): Promise<Reply | undefined> {
    return stillValid((ref) => this.actors.get(ref)) ? this.ask(to, message, options) : undefined
  }

  /** Takes one step of the simulation: at most one turn, committed alone. */
  step(): Step {
    const random = this.#random
    const faultRates = this.#faultRates()
    this.now += random.below(faultRates.tickMs + 1)
    if (random.chance(faultRates.crash)) return this.#crash()
    const due = random.chance(faultRates.fireTimer) ? this.#timers(this.now) : []
    if (due.length > 0) return this.#wake(random.pick(due))
    const any = random.chance(faultRates.fireEarly) ? this.#timers(Infinity) : []
    if (any.length > 0) return this.#wake(random.pick(any))
    const askers = random.chance(faultRates.askAgain) ? this.#askers() : []
    if (askers.length > 0) return this.#askAgain([random.pick(askers)])
    const letter = this.#network.next((one) => this.#canArrive(one))
    return letter ? this.#meet(letter, faultRates) : this.#idle()
  }

  /** Steps until nothing moves. */
  settle(): void {
    while (this.step().kind !== 'quiet');
  }

  /** Nothing in flight can arrive, so an actor that still waits for an answer has lost it. */
  #idle(): Step {
    const askers = this.#askers()
    if (askers.length > 0) return this.#askAgain(askers)
    const [first] = this.#timers(this.now)
    return first ? this.#wake(first) : { kind: 'quiet' }
  }

  /** An asking actor takes answers only; commands and asks to it wait. */
  #canArrive({ kind, to }: Letter): boolean {
    const actor = this.actors.get(to)
    return kind === 'answer' || !actor || askOf(this.#book, actor) === undefined
  }

  #meet(letter: Letter, faultRates: FaultRates): Step {
    const isCommand = letter.kind === 'command'
    if (this.#random.chance(isCommand ? faultRates.loseCommand : faultRates.lose)) return this.#lose(letter)
    if (this.#random.chance(isCommand ? faultRates.duplicateCommand : faultRates.duplicate)) {
      this.#network.send(isCommand ? { ...letter, caller: undefined } : letter)
    }
    if (letter.kind === 'answer') return this.#hear(letter)
    const wake = dueWake(this.#book, this.actors.get(letter.to), letter.message)
    if (!wake) return letter.kind === 'ask' ? this.#answer(letter) : this.#command(letter)
    this.#network.putBack(letter)
    return this.#run(letter.to, wake, 'timer')
  }

  #command({ to, message, caller }: Letter & { kind: 'command' }): Step {
    this.#open.set(to, { caller, turns: [] })
    try {
      return this.#run(to, message, 'command')
    } catch (error) {
      this.#open.delete(to)
      caller?.reject(error)
      return { kind: 'thrown', by: 'command', message, to }
    }
  }

  /** A gate's turn. */
  #answer({ to, message, from }: Letter & { kind: 'ask' }): Step {
    const before = this.actors.get(to)
    const row = this.entry(to, message.holder!)
    const turn = this.#take(to, before, row, message)
    this.#commit(turn, message.holder)
    const answer = answerOf(message, turn, turn.entry ?? row)
    this.#network.send({ kind: 'answer', to: from, message: answer, ask: { to, message } })
    return { kind: 'turn', by: 'ask', message, before, row, turn }
  }

  /** An answer counts only for its actor's current ask; any other is a repetition, or its ask was given up. */
  #hear({ to, message, ask }: Letter & { kind: 'answer' }): Step {
    const pending = pendingAsk(this.#book, this.actors.get(to)!, this.now)
    if (!pending || !isSame(pending, ask)) return { kind: 'stale', by: 'answer', message, to }
    return this.#run(to, message, 'answer')
  }

  #wake(ref: Ref): Step {
    const organization = this.actors.get(ref)!.context['organization'] as string
    return this.#run(ref, { type: 'WAKE', now: this.now, organization }, 'timer')
  }

  /** A turn of an actor that may ask; the turn that brings it to rest also answers its command. */
  #run(to: Ref, message: Message, by: Delivered): Step {
    const before = this.actors.get(to)
    const turn = this.#take(to, before, undefined, message)
    const ask = pendingAsk(this.#book, turn.actor, this.now)
    const open = this.#open.get(to)
    open?.turns.push(turn)
    if (open && !ask) this.#close(to, open)
    this.#commit(turn)
    if (ask) this.#network.send({ kind: 'ask', ...ask, from: to })
    return { kind: 'turn', by, message, before, row: undefined, turn }
  }

  #close(ref: Ref, { caller, turns }: Open): void {
    this.#open.delete(ref)
    if (!caller) return
    const reply = replyOf(turns)
    const memory = caller.remember?.(reply, (other) => (other === ref ? reply.actor : this.actors.get(other)), NO_LOG)
    if (memory) this.memories.set(memory.key, memory)
    if (this.#random.chance(this.#faultRates().loseCommand)) caller.reject(new LostError('The answer was lost'))
    else caller.resolve(reply)
  }

  #commit({ actor, changed, entry }: Turn, holder?: string): void {
    if (changed) this.actors.set(actor.ref, actor)
    if (!entry) return
    const rows = this.entries.get(actor.ref) ?? new Map<string, Entry>()
    this.entries.set(actor.ref, rows.set(holder!, entry))
  }

  #lose(letter: Letter): Step {
    const { kind, to, message } = letter
    if (kind === 'command') letter.caller?.reject(new LostError('The command was lost'))
    return { kind: 'lost', by: kind, message, to }
  }

  #crash(): Step {
    for (const letter of this.#network.clear()) this.#lose(letter)
    for (const { caller } of this.#open.values()) caller?.reject(new LostError('The host crashed'))
    this.#open.clear()
    for (const [ref, actor] of this.actors) this.actors.set(ref, reloaded(actor))
    for (const [gate, rows] of this.entries) this.entries.set(gate, new Map(reloaded([...rows])))
    this.#askAgain(this.#askers())
    return { kind: 'crash' }
  }

  /** Recovery is asking again, because an actor's ask is a property of its state. */
  #askAgain(askers: Actor[]): Step {
    for (const actor of askers) {
      const ask = pendingAsk(this.#book, actor, this.now)!
      this.#network.send({ kind: 'ask', ...ask, from: actor.ref })
    }
    return { kind: 'asked again' }
  }

  #askers(): Actor[] {
    return [...this.actors.values()].filter((actor) => askOf(this.#book, actor) !== undefined)
  }

  /** Actors whose WAKE is at `until` or earlier. */
  #timers(until: number): Ref[] {
    const waiting = [...this.actors.values()].filter((actor) => (wakeAtOf(this.#book, actor) ?? NaN) <= until)
    return waiting.map(({ ref }) => ref)
  }
}

/** Compares `holder` too: an actor may ask again for a key it once had (a name, a pair), as another holder. */
function isSame(one: Ask, other: Ask): boolean {
  const [a, b] = [one.message, other.message]
  return one.to === other.to && a.type === b.type && a.holder === b.holder && a['attempt'] === b['attempt']
}

/** Simulates a reload: a JSON copy that shares no object with the original. */
function reloaded<Stored>(stored: Stored): Stored {
  return JSON.parse(JSON.stringify(stored)) as Stored
}
