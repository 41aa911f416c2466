// The gate protocol: what a payment's state demands of its gates, the asks that follow from it, and what a payment keeps
// of each hold.
import type { Code } from '../outcomes/codes.js'
import type { LimitTerm } from './limit.js'
import type { Micros } from '../values/money.js'
import type { Tally } from './tally.js'
import type { Violation } from '../outcomes/violation.js'

/** Kind and id of an actor: `payment/c…`. */
export type Ref<K extends string = string> = `${K}/${string}`

/**
 * What must be true at every gate while a payment is in a state. `permitted`: held, and a capture was allowed; a later
 * capture cannot be refused, because it may be paid already.
 */
export type HoldLevel = 'none' | 'held' | 'permitted' | 'captured'

/**
 * SETTLE captures what is paid already, so it cannot be refused. RECONCILE tells a wallet that a captured transfer is
 * in a block or, without a block, that the chain has dropped it. ADMIT asks the organization whether it allows
 * executions.
 */
export type Ask = 'RESERVE' | 'CAPTURE' | 'SETTLE' | 'RECONCILE' | 'RESTORE' | 'RELEASE' | 'ADMIT'

/** What a payment holds at one gate, and what the gate needs to undo it. Captured once it has `capturedAt`. */
export interface Hold {
  amount: Micros
  /** At gates that count payments: epoch ms, by the gate's clock, from which this one counts until it is released. */
  at?: number
  /** Epoch ms of the capture: undoing it touches only windows that counted it. */
  capturedAt?: number
  /**
   * Set by counterparties on a capture: epoch ms of the payment before it, which is the last again if this capture is
   * undone.
   */
  lastBefore?: number | null
  /** Likewise the last unusual payment before it, where this one was unusual. */
  unusualBefore?: number | null
  /** In live settlement, whether the captured transfer is deep enough in the chain. */
  transfer?: 'pending' | 'settled'
}

/** A gate to ask, and the fields of the ask. */
export interface Gate {
  ref: Ref
  amount: Micros
  /** Other fields that the gate needs (the recipient, for a counterparty that does not exist yet). */
  terms?: { [name: string]: string }
  /** The policies' limits on the gate's numbers. */
  limits?: LimitTerm[]
  /** What agents had spent before a budget counted them: its opening tally, or what those who joined it add. */
  opening?: Tally
  /** The payment was executed, and settlement has undone it. */
  failed?: true
}

/** An ask as the gate receives it; `failed` is set on RELEASE only. */
export interface GateMessage extends Omit<Gate, 'ref'> {
  type: Ask
  now: number
  organization: string
  /** The payment's id. */
  holder: string
}

/** Fields of a context that exist only during a turn: its input and its results. */
export interface TurnFields {
  /** The payment's hold, before and after a gate's turn; null when there is none. */
  hold: Hold | null
  /** Why the ask is refused. */
  violations: Violation[]
  /** Why the command is refused. */
  refusal: Code | null
  /** Events to send after the commit. */
  events: string[]
}

/** The context that every gate has, besides its own fields. */
export interface GateContext extends TurnFields {
  organization: string
  /** The latest time this gate has seen (epoch ms). INVARIANT: it never runs backwards. */
  clock: number
}

/** The context of an actor that asks gates. */
export interface AskingContext extends TurnFields {
  organization: string
  gates: Gate[]
  /** By the index of the gate; written by the kernel alone. INVARIANT: gates are only added, at the end. */
  holds: Hold[]
}

/** The gate's time for this message, never earlier than its clock. */
export function gateTime(context: { clock: number }, message: { now: number }): number {
  return Math.max(context.clock, message.now)
}

interface Guarded {
  context: GateContext
}

export function isCaptured(hold: Hold | null | undefined): boolean {
  return hold?.capturedAt !== undefined
}

/** Guards that all gates share. */
export const gateGuards = {
  captured: ({ context }: Guarded): boolean => isCaptured(context.hold),
}

export function capturedHold(hold: Hold, at: number): Hold {
  return { ...hold, capturedAt: at }
}

/**
 * The hold with the amount that is captured. SETTLE alone may say another amount than was held, and come where nothing
 * is held any more: what was paid counts as it was paid.
 */
export function paidHold(hold: Hold | null, { amount }: GateMessage): Hold {
  return { ...hold, amount }
}
