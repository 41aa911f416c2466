// The common part of gates with a tally: the tally at an ask, the violations of its limits, and the assignments of
// turns.
import { capturedHold, gateTime, paidHold, type GateContext, type GateMessage, type Hold } from './gate.js'
import { limitViolations } from './limit.js'
import {
  NO_TALLY,
  tallyAt,
  tallyPlus,
  tallyReleased,
  tallyRestored,
  tallyWithCapture,
  tallyWithHold,
  tallyWithout,
  type Tally,
} from './tally.js'
import type { Violation } from '../outcomes/violation.js'

export interface TallyContext extends GateContext {
  /** Null until the first reservation brings the opening. */
  tally: Tally | null
  /** Of a budget: the joins of its policy that the tally covers. */
  joins?: number
}

/** The joins that the ask's opening covers; 0 without one. */
export function joinsIn({ terms, opening }: GateMessage): number {
  return opening === undefined ? 0 : Number(terms?.['joins'] ?? 0)
}

interface Guarded {
  context: TallyContext
  event: { type: string }
}

/**
 * The tally at the ask. A payment's facts are as old as its request: asks after RESERVE must not bring back a former
 * time zone.
 */
function tallyFor(context: TallyContext, message: GateMessage): Tally {
  const { type, terms, opening } = message
  const tally = context.tally ?? opening ?? NO_TALLY
  const timezone = (type === 'RESERVE' && terms?.['timezone']) || tally.timezone
  const now = gateTime(context, message)
  const current = tallyAt(tally, now, timezone)
  const isJoined = context.tally !== null && joinsIn(message) > (context.joins ?? 0)
  return isJoined ? tallyPlus(current, tallyAt(opening!, now, timezone)) : current
}

/**
 * The policies' limits that this ask would exceed, without the payment's own hold. COUNT limits apply to RESERVE alone,
 * because an execution is not another payment.
 */
export function objections(context: TallyContext, message: GateMessage): Violation[] {
  const { type, limits = [], amount } = message
  const tally = tallyWithout(tallyFor(context, message), context.hold)
  const asked = type === 'RESERVE' ? limits : limits.filter(({ measure }) => measure !== 'COUNT')
  return limitViolations(asked, tally, amount)
}

/** Guards of these gates. */
export const tallyGuards = {
  allows: ({ context, event }: Guarded): boolean => objections(context, event as GateMessage).length === 0,
}

export function held(context: TallyContext, message: GateMessage) {
  const { amount } = message
  const clock = gateTime(context, message)
  return { hold: { amount } as Hold, tally: tallyWithHold(tallyFor(context, message), amount), clock }
}

/** The same where payments are counted one by one. */
export function countedHold(context: TallyContext, message: GateMessage) {
  const { hold, tally, clock } = held(context, message)
  return { hold: { ...hold, at: clock }, tally, clock }
}

export function captured(context: TallyContext, message: GateMessage) {
  const clock = gateTime(context, message)
  const hold = capturedHold(paidHold(context.hold, message), clock)
  const tally = tallyWithCapture(tallyFor(context, message), hold.amount, context.hold?.amount ?? 0)
  return { hold, tally, clock }
}

export function restored({ tally, hold }: TallyContext) {
  const { capturedAt: _capturedAt, ...open } = hold!
  return { hold: open as Hold, tally: tallyRestored(tally!, hold!) }
}

export function released({ tally, hold }: TallyContext) {
  return { hold: null, tally: tallyReleased(tally!, hold!) }
}
