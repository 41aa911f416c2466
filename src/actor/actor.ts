// The kernel's data: stored actors, the messages they take, and the result of one turn.
import type { Code } from '../domain/outcomes/codes.js'
import type { Json } from '../domain/values/canonical.js'
import type { Hold, Ref } from '../domain/limits/gate.js'
import type { Violation } from '../domain/outcomes/violation.js'

export interface Actor {
  ref: Ref
  /** Version of the chart that wrote the actor. */
  version: number
  /** Number of writes so far. */
  revision: number
  /** Dotted path of the state: `transferring.signing`. */
  state: string
  context: { [field: string]: Json }
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

const GONE = new Set(['absent', 'created', 'deleted', 'removed', 'ended', 'unmet', 'unmetBlocked'])

/** True for an actor that does not exist yet or no longer exists; callers see neither. */
export function isGone({ state }: Actor): boolean {
  return GONE.has(state)
}

export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'))
}

export function idOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/') + 1)
}
