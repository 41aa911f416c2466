// The kernel's data: stored actors, the messages they take, and the result of one turn.
import type { Code } from '../domain/outcomes/codes.js'
import type { Json } from '../domain/values/canonical.js'
import type { Hold, Ref } from '../domain/limits/gate.js'
import type { ContextOf } from '../domain/values/kinds.js'
import type { Violation } from '../domain/outcomes/violation.js'

/** An actor of a kind; without one, of any. */
export interface Actor<K extends string = string> {
  ref: Ref<K>
  /** Version of the chart that wrote the actor. */
  version: number
  /** Number of writes so far. */
  revision: number
  /** Dotted path of the state: `transferring.signing`. */
  state: string
  context: ContextOf<K>
}

export interface Message {
  type: string
  /** Epoch ms. */
  now: number
  organization: string
  /** For gates: the owner of the hold. */
  holder?: string
  [field: string]: Json | undefined
}

export interface DomainEvent {
  event: string
  ref: Ref
  organization: string
  at: number
}

/** Result of one message to one actor and at most one hold. */
export interface Turn {
  actor: Actor
  /** False when the turn left the actor as it was. */
  changed: boolean
  /** False when the actor's state has no transition for the message. */
  taken: boolean
  /** The guard of the choice taken; undefined when it has none. */
  guard: string | undefined
  /** The payment's hold after a gate's turn. */
  hold: Hold | null
  /** Why a gate refused this turn's ask. */
  violations: Violation[]
  /** Why the command was refused. */
  refusal: Code | undefined
  events: DomainEvent[]
}

/** The context of an actor as data, of whatever kind it is. */
export function fieldsOf({ context }: Pick<Actor, 'context'>): { [field: string]: Json | undefined } {
  return context as unknown as { [field: string]: Json | undefined }
}

/** True for an actor of this kind. */
export function isOf<K extends string>(kind: K, actor: Actor | undefined): actor is Actor<K> {
  return actor !== undefined && kindOf(actor.ref) === kind
}

export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'))
}

export function idOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/') + 1)
}
