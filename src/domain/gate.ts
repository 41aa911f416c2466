// The gate protocol: the asks of a payment, the answers of a gate, and the one row that a gate keeps for each holder.
import type { Code } from './codes.js'
import type { LimitTerm } from './limit.js'
import type { Micros } from './money.js'
import type { Recent, Tally } from './tally.js'
import type { Violation } from './violation.js'

/** Kind and id of an actor: `payment/c…`. */
export type Ref = `${string}/${string}`

/**
 * SETTLE captures what is paid already, so it cannot be refused. RECONCILE tells a wallet that a captured transfer is
 * in a block or, without a block, that the chain has dropped it. ADMIT asks the organization whether it allows
 * executions; it leaves no row.
 */
export type Ask = 'RESERVE' | 'CAPTURE' | 'SETTLE' | 'RECONCILE' | 'RESTORE' | 'RELEASE' | 'ADMIT'

/**
 * One row per (gate, holder): hold, idempotency record and tombstone in one. INVARIANT: a row that is `released` or
 * `refused` is never reopened.
 */
export interface Entry {
  state: 'held' | 'captured' | 'released' | 'refused'
  amount: Micros
  /** The last execution attempt that touched the row; messages of earlier attempts are stale. */
  attempt: number
  /** Epoch ms of the capture: undoing it touches only windows that counted it. */
  capturedAt?: number
  /**
   * Set by counterparties on a capture: epoch ms of the payment before it, which is the last again if this capture is
   * undone.
   */
  lastBefore?: number | null
  /** Likewise the last unusual payment before it, where this one was unusual. */
  unusualBefore?: number | null
  /** In live settlement, whether the captured row's transfer is deep enough in the chain. */
  transfer?: 'pending' | 'settled'
  /** Why the RESERVE, or the RESTORE after a stopped execution, was refused. */
  violations?: Violation[]
}

/** A holder's row at one gate. All rows of a holder are stored as one, because its gates are asked one by one. */
export interface Holding {
  gate: Ref
  entry: Entry
}

/** A gate to ask, and the fields of the ask. */
export interface Gate {
  ref: Ref
  /** The owner of the hold: a payment's id; for a claim its owner's id, a dot and a word. */
  holder: string
  amount: Micros
  /** Other fields that the gate needs (the recipient, for a counterparty that does not exist yet). */
  terms?: { [name: string]: string }
  /** The policies' limits on the gate's numbers. */
  limits?: LimitTerm[]
  /** Payments that the gate must count but may not have seen. */
  recent?: Recent[]
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
  attempt: number
}

/** Fields of a context that exist only during a turn: its input and its results. */
export interface TurnFields {
  /** The holder's row, before and after the turn; null when there is none. */
  entry: Entry | null
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
  /** Index in `gates` of the gate being asked. */
  cursor: number
  /** Executions begun: tells the messages of one attempt from those of another. */
  attempt: number
}

/** The gate's time for this message, never earlier than its clock. */
export function gateTime(context: { clock: number }, message: { now: number }): number {
  return Math.max(context.clock, message.now)
}

interface Guarded {
  context: GateContext
  event: { type: string }
}

const attemptOf = (event: { type: string }): number => (event as GateMessage).attempt

/** Guards that all gates share, decided by the row alone. */
export const gateGuards = {
  /** The holder's RESERVE was answered already, or barred by an earlier RELEASE: that answer stands. */
  answered: ({ context }: Guarded): boolean => context.entry !== null,
  /** This attempt has captured already: asking again gets the same answer. */
  capturedInThisAttempt: ({ context, event }: Guarded): boolean =>
    context.entry?.state === 'captured' && context.entry.attempt === attemptOf(event),
  /** The row cannot be captured: it holds nothing, or a later attempt has touched it. */
  notCapturable: ({ context, event }: Guarded): boolean =>
    context.entry?.state !== 'held' || attemptOf(event) <= context.entry.attempt,
  /** The row is held, and a CAPTURE of an abandoned attempt may still arrive. */
  heldByEarlierAttempt: ({ context, event }: Guarded): boolean =>
    context.entry?.state === 'held' && context.entry.attempt < attemptOf(event),
  /** Captured by any attempt. */
  captured: ({ context }: Guarded): boolean => context.entry?.state === 'captured',
  /** The row counts against the gate's sums. */
  open: ({ context }: Guarded): boolean => context.entry?.state === 'held' || context.entry?.state === 'captured',
  /** The row is closed for ever. */
  closed: ({ context }: Guarded): boolean => context.entry?.state === 'released' || context.entry?.state === 'refused',
}

export function heldEntry(message: GateMessage): Entry {
  return { state: 'held', amount: message.amount, attempt: message.attempt }
}

export function capturedEntry(message: GateMessage, held: Entry, at: number): Entry {
  return { state: 'captured', amount: held.amount, attempt: message.attempt, capturedAt: at }
}

/** The row after a RESTORE: held again, and closed to captures of the abandoned attempt. */
export function restoredEntry(message: GateMessage, open: Entry): Entry {
  return { state: 'held', amount: open.amount, attempt: message.attempt }
}

/** The row after a RELEASE. Without a RESERVE before it, it is a tombstone that bars one still on its way. */
export function releasedEntry(message: GateMessage, open: Entry | null): Entry {
  return { state: 'released', amount: open?.amount ?? 0, attempt: message.attempt }
}
