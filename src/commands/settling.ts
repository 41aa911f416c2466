// The one way in which commands send a payment where it may be settled: in live settlement the command goes on until the
// payment's transfer is accepted, refused, or nobody can tell.
import type { Reply, StillValid } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import { tellWhile } from './ask.js'
import type { Caller, Services } from './ports.js'

const ALWAYS: StillValid = () => true
/** States in which a payment's transfer is on its way out: no answer that could be repeated later. */
const UNDER_WAY = /^transferring\b/

/**
 * Sends a command to a payment, while what it was decided on is still so; undefined where that is over and nothing was
 * done. The answer is remembered together with what the transfer became, not before.
 */
export function carryOut(
  services: Services,
  caller: Caller,
  stillValid: StillValid,
  to: Ref,
  type: string,
  fields: object,
): Promise<Reply | undefined> {
  const { settlement } = services
  if (settlement === null) return tellWhile(services, caller, stillValid, to, type, fields)
  const { remember } = caller
  const whole: Caller = {
    ...caller,
    ...(remember && { remember: (made, ...rest) => (UNDER_WAY.test(made.state) ? undefined : remember(made, ...rest)) }),
  }
  return settlement.carryOut(
    to,
    () => tellWhile(services, whole, stillValid, to, type, fields),
    (next, message, stillSo = ALWAYS) => tellWhile(services, whole, stillSo, to, next, message),
  )
}
