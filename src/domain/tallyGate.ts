// What gates that keep a tally have in common: what an ask finds, what stands against it, and what each turn leaves.
import {
  capturedEntry,
  gateGuards,
  gateTime,
  heldEntry,
  releasedEntry,
  restoredEntry,
  type GateContext,
  type GateMessage,
} from './gate.js'
import { limitViolations } from './limit.js'
import {
  NO_TALLY,
  tallyAt,
  tallyReleased,
  tallyRestored,
  tallyWithCapture,
  tallyWithHold,
  tallyWithout,
  type Tally,
} from './tally.js'
import type { Violation } from './violation.js'

export interface TallyContext extends GateContext {
  /** Null until the first reservation brings what was spent before. */
  tally: Tally | null
}

interface Guarded {
  context: TallyContext
  event: { type: string }
}

/**
 * The tally as the ask finds it. What a payment knows is as old as its request, so that later asks bring back neither
 * a zone that was left nor payments that are over.
 */
export function tallyFor(context: TallyContext, message: GateMessage): Tally {
  const { type, terms, recent, opening } = message
  const tally = context.tally ?? opening ?? NO_TALLY
  const isFirst = type === 'RESERVE'
  const timezone = (isFirst && terms?.['timezone']) || tally.timezone
  return tallyAt(tally, gateTime(context, message), timezone, isFirst || tally.recent === null ? recent : undefined)
}

/**
 * The policies' limits that this ask would pass, not counting what the same payment holds already. Payments are
 * counted when they are reserved: executing one later makes no further payment.
 */
export function objections(context: TallyContext, message: GateMessage): Violation[] {
  const { type, limits = [], holder, amount } = message
  const tally = tallyWithout(tallyFor(context, message), holder, context.entry)
  const asked = type === 'RESERVE' ? limits : limits.filter(({ measure }) => measure !== 'COUNT')
  return limitViolations(asked, tally, amount, gateTime(context, message))
}

const allows = ({ context, event }: Guarded): boolean => objections(context, event as GateMessage).length === 0

/** The guards that these gates share beside `gateGuards`. */
export const tallyGuards = {
  allows,
  restorable: (guarded: Guarded): boolean => gateGuards.capturedInThisAttempt(guarded) && allows(guarded),
}

export function held(context: TallyContext, message: GateMessage) {
  const clock = gateTime(context, message)
  const tally = tallyWithHold(tallyFor(context, message), message.holder, message.amount, clock)
  return { entry: heldEntry(message), tally, clock }
}

export function captured(context: TallyContext, message: GateMessage) {
  const clock = gateTime(context, message)
  const entry = capturedEntry(message, context.entry!, clock)
  return { entry, tally: tallyWithCapture(tallyFor(context, message), entry.amount), clock }
}

export function restored({ tally, entry }: TallyContext, message: GateMessage) {
  return { entry: restoredEntry(message, entry!), tally: tallyRestored(tally!, entry!) }
}

export function released({ tally, entry }: TallyContext, message: GateMessage) {
  return { entry: releasedEntry(message, entry), tally: tallyReleased(tally!, message.holder, entry!) }
}

/** Released, because what it has captured cannot be held again. */
export function forfeited(context: TallyContext, message: GateMessage) {
  const violations = objections(context, message)
  const { entry, tally } = released(context, message)
  return { entry: { ...entry, violations }, violations, tally }
}
