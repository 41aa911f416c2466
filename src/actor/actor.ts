// What the kernel works on: actors as they are stored, the messages they take, and what one turn leaves.
import type { Code } from '../domain/codes.js'
import type { Json } from '../domain/canonical.js'
import type { Entry, Ref } from '../domain/gate.js'
import type { Violation } from '../domain/violation.js'

export interface Actor {
  ref: Ref
  /** Of the chart that wrote it. */
  version: number
  /** Writes so far. */
  revision: number
  /** Dotted path of the state: `registered.active`. */
  state: string
  context: { [field: string]: Json }
}

export interface Message {
  type: string
  /** Epoch ms. */
  now: number
  organization: string
  /** For gates: whose hold it is. */
  holder?: string
  [field: string]: Json | undefined
}

export interface DomainEvent {
  event: string
  ref: Ref
  organization: string
  at: number
}

/** What one message did to one actor, and to at most one entry row. */
export interface Turn {
  actor: Actor
  /** False when the actor is as it was. */
  changed: boolean
  /** False when the actor's state has no transition for the message. */
  taken: boolean
  /** The holder's row after the turn, when the turn wrote it. */
  entry: Entry | undefined
  /** Why a gate refused this turn's ask. */
  violations: Violation[]
  /** Why the command was refused. */
  refusal: Code | undefined
  events: DomainEvent[]
}

const GONE = new Set([
  'absent',
  'created',
  'claiming',
  'rejected',
  'deleted',
  'removed',
  'ended',
  'unmet',
  'unmetBlocked',
])

/** True for an actor that stands in no list and that nobody sees: one that does not exist yet, or no more. */
export function isGone({ state }: Actor): boolean {
  return GONE.has(state)
}

/** The kind in a ref. */
export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'))
}

/** The id in a ref. */
export function idOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/') + 1)
}
