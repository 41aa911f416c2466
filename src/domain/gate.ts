// The gate protocol: what a payment asks, what a gate answers, and the one row a gate keeps for each holder.
import type { Code } from './codes.js'
import type { LimitTerm } from './limit.js'
import type { Micros } from './money.js'
import type { Recent, Tally } from './tally.js'
import type { Violation } from './violation.js'

/** Kind and id of an actor: `payment/c…`. */
export type Ref = `${string}/${string}`

/**
 * SETTLE is a CAPTURE of what was paid already, so that nothing can be said against it; RECONCILE tells a wallet that
 * a transfer it has captured is in a block, or, naming none, that the chain has left it; ADMIT asks the organization
 * whether anything may be executed at all, and leaves no row.
 */
export type Ask = 'RESERVE' | 'CAPTURE' | 'SETTLE' | 'RECONCILE' | 'RESTORE' | 'RELEASE' | 'ADMIT'

/**
 * One row per (gate, holder): hold, idempotency record and tombstone in one. A row that is `released` or `refused`
 * is never reopened.
 */
export interface Entry {
  state: 'held' | 'captured' | 'released' | 'refused'
  amount: Micros
  /** The execution attempt that touched the row last; what an earlier attempt still has in flight is stale. */
  attempt: number
  /** Epoch ms of the capture, so that giving it back touches only windows that saw it. */
  capturedAt?: number
  /** Of a capture by a counterparty: the last payment before it, epoch ms, so that giving it back leaves that the last. */
  lastBefore?: number | null
  /** The same of the last payment that was out of line with those before it, where this one was. */
  unusualBefore?: number | null
  /** Of a captured row in live settlement: whether its transfer is deep enough in the chain. */
  transfer?: 'pending' | 'settled'
  /** Why the reservation, or its return after an execution that stopped, was refused. */
  violations?: Violation[]
}

/** What a holder's row at one gate says; all of its rows are stored as one, because they are asked for one by one. */
export interface Holding {
  gate: Ref
  entry: Entry
}

/** A gate to ask, in order, and what to tell it. */
export interface Gate {
  ref: Ref
  /** Whose hold it is: a payment's id; for a claim its owner's id, a dot and a word of its own. */
  holder: string
  amount: Micros
  /** Whatever else the gate needs (the recipient, for a counterparty met for the first time). */
  terms?: { [name: string]: string }
  /** What policies demand of the gate's numbers. */
  limits?: LimitTerm[]
  /** Payments the gate has to know of, because it may not have seen them itself. */
  recent?: Recent[]
  /** What a budget that is asked for the first time begins with. */
  opening?: Tally
  /** The payment was executed, and its settlement has undone it. */
  failed?: true
}

/** An ask as the gate receives it. */
export interface GateMessage {
  type: Ask
  now: number
  organization: string
  holder: string
  attempt: number
  amount: Micros
  terms?: { [name: string]: string }
  limits?: LimitTerm[]
  recent?: Recent[]
  /** What a budget that is asked for the first time begins with. */
  opening?: Tally
  /** Of a RELEASE: the payment was executed, and its settlement has undone it. */
  failed?: true
}

/** The fields of a context that live only during a turn: what the turn was given and what it says. */
export interface Passing {
  /** The holder's row before the turn, and after it; null when there is none. */
  entry: Entry | null
  /** Why this turn's ask was refused. */
  violations: Violation[]
  /** Why this turn's command was refused. */
  refusal: Code | null
  /** Events to tell the world, once committed. */
  events: string[]
}

/** What every gate's turn works on, beside its own fields. */
export interface GateContext extends Passing {
  organization: string
  /** The latest time this gate has seen (epoch ms): its time never runs backwards. */
  clock: number
}

/** What an actor that asks keeps: whom, and how far it has come. */
export interface AskingContext extends Passing {
  organization: string
  gates: Gate[]
  /** Index in `gates` of the one being asked. */
  cursor: number
  /** Executions begun, so that what one of them left in flight cannot be taken for another's. */
  attempt: number
}

/** The gate's own time for this message: never before what it has seen. */
export function gateTime(context: { clock: number }, message: { now: number }): number {
  return Math.max(context.clock, message.now)
}

interface Guarded {
  context: GateContext
  event: { type: string }
}

const attemptOf = (event: { type: string }): number => (event as GateMessage).attempt

/** The guards that all gates share: everything that can be said from the row alone. */
export const gateGuards = {
  /** This holder's RESERVE, or the RELEASE that came before it, was answered: that answer stands. */
  answered: ({ context }: Guarded): boolean => context.entry !== null,
  /** This very attempt has captured: asking again gets the same answer. */
  capturedInThisAttempt: ({ context, event }: Guarded): boolean =>
    context.entry?.state === 'captured' && context.entry.attempt === attemptOf(event),
  /** A capture cannot follow: nothing is held for it, or the attempt has been overtaken. */
  notCapturable: ({ context, event }: Guarded): boolean =>
    context.entry?.state !== 'held' || attemptOf(event) <= context.entry.attempt,
  /** The row is held, and the attempt that is given up may still have a CAPTURE on its way. */
  heldByEarlierAttempt: ({ context, event }: Guarded): boolean =>
    context.entry?.state === 'held' && context.entry.attempt < attemptOf(event),
  /** The row is captured, by whichever attempt. */
  captured: ({ context }: Guarded): boolean => context.entry?.state === 'captured',
  /** The row counts against the gate's sums. */
  open: ({ context }: Guarded): boolean => context.entry?.state === 'held' || context.entry?.state === 'captured',
  /** The row is closed for ever. */
  closed: ({ context }: Guarded): boolean =>
    context.entry?.state === 'released' || context.entry?.state === 'refused',
}

export function heldEntry(message: GateMessage): Entry {
  return { state: 'held', amount: message.amount, attempt: message.attempt }
}

export function capturedEntry(message: GateMessage, held: Entry, at: number): Entry {
  return { state: 'captured', amount: held.amount, attempt: message.attempt, capturedAt: at }
}

/** The row after a RESTORE: held again, and barred for captures of the attempt that was given up. */
export function restoredEntry(message: GateMessage, open: Entry): Entry {
  return { state: 'held', amount: open.amount, attempt: message.attempt }
}

/** The row after a RELEASE; before any RESERVE it is a tombstone that bars one still on its way. */
export function releasedEntry(message: GateMessage, open: Entry | null): Entry {
  return { state: 'released', amount: open?.amount ?? 0, attempt: message.attempt }
}
