// Brings the gates of a payment to the level that its state demands: what is missing is reserved, then the organization
// is asked, then everything is captured. A gate that refuses ends it, and the attempt goes back.
import { isCaptured, type Ask, type Gate, type Hold, type HoldLevel, type Ref } from '../domain/limits/gate.js'
import type { LimitTerm } from '../domain/limits/limit.js'
import type { Violation } from '../domain/outcomes/violation.js'
import { kindOf, type Actor, type Message, type Turn } from './actor.js'
import type { Meta } from '../domain/values/meta.js'

/** A gate's refusal of one ask. */
export interface GateRefusal {
  ask: Ask
  gate: Ref
  violations: Violation[]
}

/** The context of an actor with gates, as far as the kernel reads and writes it. */
export interface Holder {
  id: string
  organization: string
  gates: Gate[]
  /** By the index of the gate. */
  holds: Hold[]
}

/** The attempt that the turns of gates belong to. */
export interface GateTurns {
  turn(ref: Ref, message: Message, hold?: Hold): Turn
  /** The limits of an ask, with what each that is on a count counts at the gate. */
  counted(ref: Ref, limits: readonly LimitTerm[], now: number): LimitTerm[]
  /** Runs the work and takes back all that it changed. */
  tried<Result>(work: () => Result): Result
}

interface Bringing {
  holder: Holder
  /** As the gates leave them. */
  holds: Hold[]
  now: number
  turns: GateTurns
}

/**
 * Asks the gates whose hold is as `isWanted` says, until one refuses: in their order, but what was captured last is
 * restored first.
 */
function askEach(
  bringing: Bringing,
  ask: Ask,
  isWanted: (hold: Hold | undefined, gate: Gate) => boolean,
): GateRefusal | undefined {
  const { holder, holds } = bringing
  const gates = [...holder.gates.entries()]
  if (ask === 'RESTORE') gates.reverse()
  for (const [place, gate] of gates) {
    const refusal = isWanted(holds[place], gate) ? askGate(bringing, ask, gate, place) : undefined
    if (refusal) return refusal
  }
  return undefined
}

/** Gates fail closed: one that leaves no hold of the wanted kind has refused. */
function askGate(
  { holder, holds, now, turns }: Bringing,
  type: Ask,
  gate: Gate,
  place: number,
): GateRefusal | undefined {
  const { ref, amount, terms, opening, failed } = gate
  const { id, organization } = holder
  // Only a reservation makes another payment.
  const limits = type === 'RESERVE' ? gate.limits && turns.counted(ref, gate.limits, now) : gate.limits
  const message = { type, now, organization, holder: id, amount, terms, limits, opening, failed }
  const { taken, hold, violations } = turns.turn(ref, message as Message, holds[place])
  if (type === 'RELEASE') {
    if (!taken) throw new Error(`${ref} does not release what payment ${id} holds`)
    return undefined
  }
  const isLeft = hold !== null && isCaptured(hold) === (type !== 'RESERVE' && type !== 'RESTORE')
  if (!isLeft || violations.length > 0) return { ask: type, gate: ref, violations }
  holds[place] = hold
  return undefined
}

const always = (): boolean => true

function admit({ holder, now, turns }: Bringing): GateRefusal | undefined {
  const { organization } = holder
  const gate: Ref = `organization/${organization}`
  const { taken, violations } = turns.turn(gate, { type: 'ADMIT', now, organization })
  return taken && violations.length === 0 ? undefined : { ask: 'ADMIT', gate, violations }
}

/**
 * INVARIANT: all that is missing is reserved before anything is captured: what a refused capture leaves behind could be
 * reserved a moment ago, and so it can be reserved again.
 */
function bring(bringing: Bringing, from: HoldLevel, { hold: to, isPaid }: Meta): GateRefusal | undefined {
  if (to === 'none') {
    askEach(bringing, 'RELEASE', (hold) => hold !== undefined)
    bringing.holds.length = 0
    return undefined
  }
  if (isPaid) return askEach(bringing, 'SETTLE', (hold) => !isCaptured(hold))
  const unreserved = askEach(bringing, 'RESERVE', (hold) => hold === undefined)
  if (unreserved) return unreserved
  if (to === 'held') return askEach(bringing, 'RESTORE', isCaptured)
  if (from === 'permitted') return to === 'captured' ? askEach(bringing, 'SETTLE', always) : undefined
  return from === 'captured' ? undefined : (admit(bringing) ?? capture(bringing, to!))
}

/** For a permit the captures are only tried. */
function capture(bringing: Bringing, to: HoldLevel): GateRefusal | undefined {
  if (to === 'captured') return askEach(bringing, 'CAPTURE', always)
  const tried = { ...bringing, holds: [...bringing.holds] }
  return bringing.turns.tried(() => askEach(tried, 'CAPTURE', always))
}

/**
 * Brings the gates of `actor`, whose record this attempt has just made, from the level of its former state to that of
 * its own; the record then has their holds.
 */
export function bringGates(
  turns: GateTurns,
  actor: Actor,
  now: number,
  from: HoldLevel,
  meta: Meta,
): GateRefusal | undefined {
  const holder = actor.context as Holder
  const bringing: Bringing = { holder, holds: [...holder.holds], now, turns }
  const refusal = bring(bringing, from, meta) ?? tellGates(bringing, meta.tell)
  // The record is this attempt's own until it is committed.
  holder.holds = bringing.holds
  holder.gates = holder.gates.some(({ opening }) => opening !== undefined) ? holder.gates.map(asked) : holder.gates
  return refusal
}

function tellGates(bringing: Bringing, tell: Meta['tell']): GateRefusal | undefined {
  for (const kind in tell) {
    const refusal = askEach(bringing, tell[kind]!, (_, { ref }) => kindOf(ref) === kind)
    if (refusal) return refusal
  }
  return undefined
}

/** What a gate needs for its first ask alone is not kept. */
function asked({ opening: _opening, ...kept }: Gate): Gate {
  return kept
}
