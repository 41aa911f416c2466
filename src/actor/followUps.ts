// Port for what follows from an attempt's changes and is committed with them: alerts, and the counters that freeze agents.
import type { Ref } from '../domain/limits/gate.js'
import type { Actor, Message } from './actor.js'
import type { KeyOwner } from './overlay.js'

/** A message to send in the same attempt. */
export interface FollowUp {
  to: Ref
  message: Message
  /** In the audit log, in place of the attempt's sender. */
  by?: { type: string; id: string } | undefined
}

/** An attempt as it is now. */
export interface Left {
  organization: string
  /** Epoch ms. */
  at: number
  /** The last sequence that the organization's audit log has after it. */
  sequence(): number
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined
  keyOwner(key: string): KeyOwner | undefined
}

export interface ActorMove<K extends string = string> {
  before: Actor<K> | undefined
  after: Actor<K>
}

/** Sends what follows from these moves; `left` shows what was sent before. */
export type FollowUps = (moves: readonly ActorMove[], left: Left, send: (followUp: FollowUp) => void) => void

/** Alerts may follow from a freeze, which may follow from a payment; nothing follows from alerts. */
export const FOLLOW_UP_ROUNDS = 3
