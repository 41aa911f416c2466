// One command as one attempt: turns on an overlay of the committed actors, in one stretch of the event loop. What the new
// states demand of gates and unique keys is brought about in the same overlay. It is committed as a whole, or has never
// been.
import { difference, isAudited, type RecordedTurn } from '../domain/audit/entry.js'
import type { Code } from '../domain/outcomes/codes.js'
import { gateTime, type Hold, type Ref } from '../domain/limits/gate.js'
import type { LimitTerm } from '../domain/limits/limit.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { Violation } from '../domain/outcomes/violation.js'
import { kindOf, type Actor, type DomainEvent, type Message, type Turn } from './actor.js'
import { FOLLOW_UP_ROUNDS, type ActorMove, type FollowUp, type FollowUps, type Left } from './followUps.js'
import { withCounts, type TimesHeld } from './counts.js'
import { bringGates, type GateTurns, type GateRefusal } from './holds.js'
import { Overlay, type Committed, type KeyOwner } from './overlay.js'
import { keysOf, metaOfActor, wakeAtOf, type ChartBook, type Keys, type RunTurn } from './turn.js'

export type Reply<K extends string = string> =
  { ok: true; actor: Actor<K> } | { ok: false; code: Code; violations: Violation[]; actor: Actor<K> }

/** Who sends the messages, and with which request: for the audit log. */
export interface Sender {
  type: string
  id: string
  requestId?: string
}

/** One message from outside, and what it did to its actor. */
export interface MessageRun {
  before: Actor | undefined
  after: Actor
  turn: RecordedTurn
  /** Who sent it, where that is not the attempt's sender. */
  by: FollowUp['by']
}

/** Everything that a commit makes true. */
export interface AttemptChanges {
  organization: string
  sender: Sender
  /** Epoch ms. */
  at: number
  actors: ActorMove[]
  keys: ReadonlyMap<string, KeyOwner | undefined>
  /** One entry of the audit log each. */
  audited: MessageRun[]
  events: DomainEvent[]
  record: IdempotencyRecord | undefined
  /** The actors that were sent messages. */
  sentTo: ReadonlySet<Ref>
}

/** Where attempts begin and end. */
export interface Ledger extends Committed {
  /** Attempts committed so far. */
  revision(): number
  /** As committed, with rows that are on their way to the disk. */
  timesHeld: TimesHeld
  /** The last sequence of the organization's audit log. */
  lastSequence(organization: string): number
  /** Left out, nothing follows from changes. */
  followUps?: FollowUps
  /** Resolves when it is on disk. */
  commit(made: AttemptChanges, attempt: Attempt): Promise<void>
  /** Resolves when all that has been seen is on disk. */
  flushed(): Promise<void>
}

/** More messages than this in one attempt would hold up everybody else. */
export const MOST_MESSAGES = 500

/** INVARIANT: nothing is awaited between its beginning and `commit`, which throws where something was. */
export class Attempt {
  readonly #book: ChartBook
  readonly #take: RunTurn
  readonly #ledger: Ledger
  readonly #sender: Sender
  readonly #overlay: Overlay
  readonly #runs: MessageRun[] = []
  readonly #sentTo = new Set<Ref>()
  /** The ledger's revision when it began. */
  readonly #begun: number
  readonly #gates: GateTurns = {
    turn: (ref, message, hold) => this.#turn(ref, message, hold),
    counted: (ref, limits, now) => this.#counted(ref, limits, now),
    tried: (work) => this.#tried(work),
  }
  /** The actors as the last look at what follows from them found them. */
  readonly #followed = new Map<Ref, Actor>()
  #isOver = false
  #organization = ''
  #at = 0
  #messages = 0

  constructor(book: ChartBook, take: RunTurn, ledger: Ledger, sender: Sender) {
    this.#book = book
    this.#take = take
    this.#ledger = ledger
    this.#sender = sender
    this.#overlay = new Overlay(ledger)
    this.#begun = ledger.revision()
  }

  /** The actor as this attempt leaves it. */
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.#overlay.actor(ref)
  }

  /** Every actor that it changes. */
  changed(): ActorMove[] {
    return this.#overlay.changed()
  }

  before<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.#overlay.before(ref)
  }

  /**
   * One message to one actor, after its WAKE where that is due, and what the new state demands of gates and keys. A
   * refusal leaves nothing of the message but what the actor records of it, and after other messages nothing at all.
   */
  send<K extends string>(ref: Ref<K>, message: Message): Reply<K> {
    if ((this.#messages += 1) > MOST_MESSAGES) throw new Error(`An attempt sends at most ${MOST_MESSAGES} messages`)
    this.#organization = message.organization
    this.#at = message.now
    this.#sentTo.add(ref)
    const isFirst = this.#overlay.mark().undo === 0
    const wake = this.#dueWake(ref, message)
    if (wake) this.#run(ref, wake)
    const reply = replyOf<K>(this.#run(ref, message))
    if (!reply.ok && !isFirst) this.#backToBegin()
    return reply
  }

  /** Takes a key forever, for an owner in the whole installation; false when another one has it. */
  take(key: string, { owner, organization }: KeyOwner): boolean {
    this.#organization = organization
    const known = this.#overlay.keyOwner(key)
    if (known) return known.owner === owner && known.organization === organization
    this.#overlay.putKey(key, { owner, organization })
    return true
  }

  /** The last sequence that the organization's audit log will have; asked before `commit`, in the same stretch. */
  sequence(): number {
    this.#followUp()
    return this.#sequence()
  }

  #sequence(): number {
    return this.#ledger.lastSequence(this.#organization) + this.#runs.filter(isLogged).length
  }

  /** Everything or nothing, with the answer's idempotency record; resolves when it is on disk. */
  commit(record?: IdempotencyRecord): Promise<void> {
    this.#followUp()
    this.#end()
    if (this.#ledger.revision() !== this.#begun) throw new Error('Another attempt was committed since this one began')
    const { events, keys } = this.#overlay
    const [organization, at, sender, sentTo] = [this.#organization, this.#at, this.#sender, this.#sentTo]
    const actors = this.#overlay.changed()
    const audited = this.#runs.filter(isLogged)
    return this.#ledger.commit({ organization, sender, at, actors, keys, audited, events, record, sentTo }, this)
  }

  /** Nothing of it has been; resolves when all that it has seen is on disk. */
  drop(): Promise<void> {
    this.#end()
    return this.#ledger.flushed()
  }

  /** Sends what follows from the changes, until nothing does. */
  #followUp(): void {
    const { followUps } = this.#ledger
    if (!followUps) return
    let hasSent = true
    for (let round = 0; round < FOLLOW_UP_ROUNDS && hasSent; round += 1) {
      const moves = this.#unfollowed()
      for (const { after } of moves) this.#followed.set(after.ref, after)
      hasSent = false
      followUps(moves, this.#left(), (followUp) => {
        this.#runFollowUp(followUp)
        hasSent = true
      })
    }
  }

  #unfollowed(): ActorMove[] {
    return this.#overlay.changed().flatMap(({ before, after }) => {
      const followed = this.#followed.get(after.ref)
      return followed === after ? [] : [{ before: followed ?? before, after }]
    })
  }

  #left(): Left {
    return {
      organization: this.#organization,
      at: this.#at,
      sequence: () => this.#sequence(),
      actor: (ref) => this.#overlay.actor(ref),
      keyOwner: (key) => this.#overlay.keyOwner(key),
    }
  }

  #runFollowUp({ to, message, by }: FollowUp): void {
    const { taken, refusal } = this.#run(to, message, by)
    if (!taken || refusal !== undefined) throw new Error(`${to} refuses ${message.type}, which follows from a command`)
    this.#sentTo.add(to)
  }

  #end(): void {
    if (this.#isOver) throw new Error('This attempt is over')
    this.#isOver = true
  }

  #turn(ref: Ref, message: Message, hold?: Hold): Turn {
    const turn = this.#take(ref, this.#overlay.actor(ref), hold, message)
    // A message that a non-existing actor does not take must not create it.
    if (turn.changed) this.#overlay.put(turn.actor)
    if (turn.events.length > 0) this.#overlay.events.push(...turn.events)
    return turn
  }

  /** By the gate's clock. INVARIANT: no attempt reserves two payments, so the overlay has none that counts here. */
  #counted(ref: Ref, limits: readonly LimitTerm[], now: number): LimitTerm[] {
    const { clock = 0 } = (this.#overlay.actor(ref)?.context ?? {}) as { clock?: number }
    return withCounts(limits, gateTime({ clock }, { now }), ref, this.#ledger.timesHeld)
  }

  #tried<Result>(work: () => Result): Result {
    const mark = this.#overlay.mark()
    const result = work()
    this.#overlay.backTo(mark)
    return result
  }

  #dueWake(ref: Ref, { type, now, organization }: Message): Message | undefined {
    const actor = type === 'WAKE' ? undefined : this.#overlay.actor(ref)
    const at = actor && wakeAtOf(this.#book, actor)
    return at === undefined || at > now ? undefined : { type: 'WAKE', now, organization }
  }

  #run(ref: Ref, message: Message, by?: FollowUp['by']): Turn {
    const before = this.#overlay.actor(ref)
    const { turn, refusedBy } = this.#settled(ref, before, message)
    if (turn.changed) this.#runs.push({ before, after: turn.actor, turn: recorded(message, turn, refusedBy), by })
    return turn
  }

  /** The message's turn with all that follows from it; where that is refused, the turn in which the actor hears of it. */
  #settled(ref: Ref, before: Actor | undefined, message: Message): { turn: Turn; refusedBy?: Ref } {
    const mark = this.#overlay.mark()
    const turn = this.#turn(ref, message)
    if (!turn.changed) return { turn }
    const taken = this.#moveKeys(before, turn.actor)
    const refusal = taken ? undefined : this.#bringGates(before, turn.actor, message.now)
    if (!taken && !refusal) return { turn }
    this.#overlay.backTo(mark)
    if (!refusal) return { turn: keyTaken(before ?? turn.actor, taken!) }
    return { turn: this.#refused(ref, before, message, refusal), refusedBy: refusal.gate }
  }

  /** The actor, as it was before the message, decides what a gate's refusal means. */
  #refused(ref: Ref, before: Actor | undefined, command: Message, { ask, gate, violations }: GateRefusal): Turn {
    const { now, organization } = command
    const message = { type: 'REFUSED', now, organization, ask, by: kindOf(gate), violations, command }
    const turn = this.#turn(ref, message as Message)
    const again = turn.changed && this.#bringGates(before, turn.actor, now)
    if (!turn.taken || again) throw new Error(`${ref} has no state for a refusal of ${command.type} by ${gate}`)
    return turn
  }

  #bringGates(before: Actor | undefined, after: Actor, now: number): GateRefusal | undefined {
    const meta = metaOfActor(this.#book, after)
    if (meta.hold === undefined) return undefined
    const from = before ? metaOfActor(this.#book, before).hold! : 'none'
    return bringGates(this.#gates, after, now, from, meta)
  }

  /** Takes the keys of the actor's state and frees those of its former one; the code where another actor has one. */
  #moveKeys(before: Actor | undefined, after: Actor): Code | undefined {
    const own = before ? keysOf(this.#book, before) : NO_KEYS
    const { keys, former, taken } = keysOf(this.#book, after)
    const owner = { owner: after.ref, organization: after.context.organization }
    for (const key of keys) {
      if (own.keys.includes(key)) continue
      if (this.#isOwned(key, after.ref)) return taken
      this.#overlay.putKey(key, owner)
    }
    for (const key of former) {
      if (own.former.includes(key)) continue
      if (this.#isOwned(key, after.ref)) return taken
      this.#overlay.putKey(key, { ...owner, isFormer: true })
    }
    for (const key of own.keys) if (!keys.includes(key) && !former.includes(key)) this.#overlay.putKey(key, undefined)
    return undefined
  }

  /** Another actor has the key now. */
  #isOwned(key: string, by: Ref): boolean {
    const known = this.#overlay.keyOwner(key)
    return known !== undefined && known.isFormer !== true && known.owner !== by
  }

  #backToBegin(): void {
    this.#overlay.backTo({ undo: 0, events: 0 })
    this.#runs.length = 0
  }
}

const NO_KEYS: Pick<Keys, 'keys' | 'former'> = { keys: [], former: [] }

/** A refused message that another actor's key stopped: its actor stays as it was. */
function keyTaken(actor: Actor, refusal: Code): Turn {
  return { actor, changed: false, taken: true, guard: undefined, hold: null, violations: [], refusal, events: [] }
}

/** The refusal; INVALID_STATUS when the actor's state has no transition for the message; else the actor. */
function replyOf<K extends string>(turn: Turn): Reply<K> {
  const { taken, refusal, violations } = turn
  const actor = turn.actor as Actor<K>
  if (refusal !== undefined) return { ok: false, code: refusal, violations, actor }
  return taken ? { ok: true, actor } : { ok: false, code: 'INVALID_STATUS', violations: [], actor }
}

function recorded({ type }: Message, { guard, refusal, events }: Turn, refusedBy: Ref | undefined): RecordedTurn {
  return {
    command: type,
    ...(guard !== undefined && { guard }),
    ...(refusal !== undefined && { refusal }),
    ...(refusedBy !== undefined && { refusedBy }),
    ...(events.length > 0 && { events: events.map(({ event }) => event) }),
  }
}

/** False for a refused command that changed nothing that the log shows. */
function isLogged({ before, after, turn: { command, refusal } }: MessageRun): boolean {
  if (!isAudited(command)) return false
  if (before?.state !== after.state || refusal === undefined) return true
  return Object.keys(difference(before, after)).length > 0
}
