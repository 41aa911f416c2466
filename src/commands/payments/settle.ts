// The one way in which commands send a payment where it may be settled. In live settlement the command runs on until
// the payment's transfer is accepted, refused, or unknown.
import type { Unchanged } from '../../actor/host.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Caller, Services } from '../ports.js'
import { sendIf, type Sent } from '../send.js'

const ALWAYS: Unchanged = () => true
/** The transfer is under way in these states: the answer is not final, and not recorded with the change. */
const UNDER_WAY = /^transferring\b/

/**
 * Sends a command to a payment if it is `unchanged`; undefined where it is not, and then nothing was done. The answer is
 * recorded together with the result of the transfer; after it, where there is no result yet.
 */
export function sendAndSettle(
  services: Services,
  caller: Caller,
  unchanged: Unchanged,
  to: Ref,
  type: string,
  fields: object,
): Promise<Sent | undefined> {
  const { settlement } = services
  if (settlement === null) return sendIf(services, caller, unchanged, to, type, fields)
  const { record } = caller
  const whole: Caller = {
    ...caller,
    ...(record && { record: (made, attempt) => (UNDER_WAY.test(made.state) ? undefined : record(made, attempt)) }),
  }
  return settlement.carryOut(
    to,
    () => sendIf(services, whole, unchanged, to, type, fields),
    (next, message, stillSo = ALWAYS) => sendIf(services, whole, stillSo, to, next, message),
  )
}
