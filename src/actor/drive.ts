// Drives one command on one actor until the actor rests: a generator that yields the actor's asks and receives the
// gates' answers. Its caller decides where gates live and what is committed when.
import type { Entry, Gate, Ref } from '../domain/gate.js'
import type { Actor, Message, Turn } from './actor.js'
import { askOf, wakeAtOf, type ChartBook, type Take } from './turn.js'

export interface Ask {
  to: Ref
  message: Message
}

/** One message to an actor from outside, and every turn until the actor rests again. */
export interface Run {
  command: string
  before: Actor | undefined
  turns: Turn[]
}

export type Drive = Generator<Ask, Run[], Message>

/**
 * The ask that the actor's state implies at `now`; undefined when the actor is at rest. The same state gives the same
 * ask.
 */
export function pendingAsk(book: ChartBook, actor: Actor, now: number): Ask | undefined {
  const type = askOf(book, actor)
  if (type === undefined) return undefined
  const { gates, cursor, attempt, organization } = actor.context as unknown as Asking
  if (type === 'ADMIT') return { to: `organization/${organization}`, message: { type, now, organization, attempt } }
  const gate = gates[cursor]
  if (!gate) throw new Error(`${actor.ref} in ${actor.state} has no gate ${cursor}`)
  const { ref, holder, amount, terms, limits, recent, opening, failed } = gate
  const message = { type, now, organization, attempt, holder, amount, terms, limits, recent, opening, failed }
  return { to: ref, message: message as unknown as Message }
}

interface Asking {
  gates: Gate[]
  cursor: number
  attempt: number
  organization: string
}

const AFFIRMED: Record<string, Entry['state']> = { RESERVE: 'held', CAPTURE: 'captured', RESTORE: 'held' }
/** The affirmative answer to each ask. */
export const ANSWERS: Record<string, string> = {
  RESERVE: 'HELD',
  CAPTURE: 'CAPTURED',
  SETTLE: 'CAPTURED',
  ADMIT: 'ADMITTED',
  RESTORE: 'RESTORED',
  RELEASE: 'RELEASED',
  RECONCILE: 'RECONCILED',
}

/**
 * The gate's answer after its turn. `entry` is the row after the turn. RELEASE, SETTLE and RECONCILE cannot be refused.
 * ADMIT is affirmed when the organization takes it without violations. Every other ask is affirmed only by a row in the
 * wanted state for this very attempt.
 */
export function answerOf(ask: Message, turn: Turn, entry: Entry | undefined): Message {
  const { type, now, organization } = ask
  if (isAffirmed(ask, turn, entry)) return { type: ANSWERS[type]!, now, organization }
  const violations = turn.violations.length > 0 ? turn.violations : (entry?.violations ?? [])
  return { type: 'REFUSED', now, organization, violations: violations as never }
}

function isAffirmed({ type, attempt }: Message, { taken, violations }: Turn, entry: Entry | undefined): boolean {
  if (type === 'ADMIT') return taken && violations.length === 0
  const wanted = AFFIRMED[type]
  return wanted === undefined || (entry?.state === wanted && entry.attempt === attempt)
}

/** The WAKE to deliver before `command`, when the time of the actor's state has passed. */
export function dueWake(book: ChartBook, actor: Actor | undefined, command: Message): Message | undefined {
  const at = actor && wakeAtOf(book, actor)
  if (at === undefined || at > command.now || command.type === 'WAKE') return undefined
  return { type: 'WAKE', now: command.now, organization: command.organization }
}

/**
 * Drives `command` on `actor` until it rests and returns the runs. A due WAKE runs first, so that no command meets a
 * state whose time has passed.
 */
export function* drive(book: ChartBook, take: Take, ref: Ref, actor: Actor | undefined, command: Message): Drive {
  const wake = dueWake(book, actor, command)
  const runs: Run[] = []
  let current = actor
  for (const message of wake ? [wake, command] : [command]) {
    const turns: Turn[] = [take(ref, current, undefined, message)]
    yield* settle(book, take, turns, message.now)
    runs.push({ command: message.type, before: current, turns })
    current = turns.at(-1)!.actor
  }
  return runs
}

function* settle(book: ChartBook, take: Take, turns: Turn[], now: number): Generator<Ask, void, Message> {
  let { actor } = turns[0]!
  let ask = pendingAsk(book, actor, now)
  while (ask) {
    const turn = take(actor.ref, actor, undefined, yield ask)
    turns.push(turn)
    actor = turn.actor
    ask = pendingAsk(book, actor, now)
  }
}
