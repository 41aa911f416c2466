// The one way in which commands send a payment where it may be settled. In live settlement the command runs on until
// the payment's transfer is accepted, refused, or unknown.
import { type Actor } from '../../actor/actor.js'
import { paymentStatus } from '../status.js'
import type { Unchanged } from '../../actor/host.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Caller, Services } from '../ports.js'
import { sendIf, type Sent } from '../send.js'

const ALWAYS: Unchanged = () => true

/**
 * Sends a command to a payment if it is `unchanged`; undefined where it is not, and then nothing was done. The answer is
 * recorded together with the result of the transfer; after it, where there is no result yet.
 */
export function sendAndSettle(
  services: Services,
  caller: Caller,
  unchanged: Unchanged,
  to: Ref<'payment'>,
  type: string,
  fields: object,
): Promise<Sent<'payment'> | undefined> {
  const { settlement } = services
  if (settlement === null) return sendIf(services, caller, unchanged, to, type, fields)
  const { record } = caller
  const whole: Caller = {
    ...caller,
    ...(record && { record: (made, attempt) => (isUnderWay(made) ? undefined : record(made, attempt)) }),
  }
  return settlement.carryOut(
    to,
    () => sendIf(services, whole, unchanged, to, type, fields),
    (next, message, stillSo = ALWAYS) => sendIf(services, whole, stillSo, to, next, message),
  )
}

/** The answer is not final while the transfer is under way, and not recorded with the change. */
function isUnderWay(payment: Actor): boolean {
  return paymentStatus(payment) === 'EXECUTING'
}
