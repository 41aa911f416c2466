// The one way in which commands send a payment where it may be settled. In live settlement the command runs on until
// the payment's transfer is accepted, refused, or unknown.
import type { Reply, StillValid } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import { tellWhile } from './ask.js'
import type { Caller, Services } from './ports.js'

const ALWAYS: StillValid = () => true
/** The transfer is under way in these states: the answer is not final, and not remembered with the change. */
const UNDER_WAY = /^transferring\b/

/**
 * Sends a command to a payment while `stillValid` holds; undefined where it does not, and then nothing was done. The
 * answer is remembered together with the result of the transfer; after it, where there is no result yet.
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
    ...(remember && {
      remember: (made, ...rest) => (UNDER_WAY.test(made.state) ? undefined : remember(made, ...rest)),
    }),
  }
  return settlement.carryOut(
    to,
    () => tellWhile(services, whole, stillValid, to, type, fields),
    (next, message, stillSo = ALWAYS) => tellWhile(services, whole, stillSo, to, next, message),
  )
}
