// The common part of gates with sums in calendar windows: the assignments of their turns. `timezone` is that of the days.
import { capturedHold, gateTime, isCaptured, paidHold, type GateContext, type GateMessage } from './gate.js'
import { sumsAt, withCapture, withHold, withoutCapture, withoutHold, type Sums } from './sums.js'

export interface SumsContext extends GateContext {
  sums: Sums
}

export function sumsHeld(context: SumsContext, message: GateMessage, timezone: string) {
  const { amount } = message
  const clock = gateTime(context, message)
  return { hold: { amount }, sums: withHold(sumsAt(context.sums, clock, timezone), amount), clock }
}

export function sumsCaptured(context: SumsContext, message: GateMessage, timezone: string) {
  const clock = gateTime(context, message)
  const hold = capturedHold(paidHold(context.hold, message), clock)
  const sums = sumsAt(context.sums, clock, timezone)
  return { hold, sums: withCapture(sums, hold.amount, context.hold?.amount ?? 0), clock }
}

export function sumsReleased({ hold, sums }: SumsContext) {
  const { amount, capturedAt } = hold!
  return { hold: null, sums: isCaptured(hold) ? withoutCapture(sums, amount, capturedAt!) : withoutHold(sums, amount) }
}

export function sumsRestored({ hold, sums }: SumsContext) {
  const { amount, capturedAt } = hold!
  return { hold: { amount }, sums: withHold(withoutCapture(sums, amount, capturedAt!), amount) }
}

/** The sums without what the same payment holds already. */
export function sumsBeside({ hold, sums }: SumsContext): Sums {
  return withoutHold(sums, hold?.amount ?? 0)
}
