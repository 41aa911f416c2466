// Requests a payment, or goes on with the open attempt at its purchase.
import type { Refusal, Refused } from '../../domain/outcomes/result.js'
import { refuse } from '../../domain/outcomes/result.js'
import { paymentContext } from '../contexts.js'
import { executePayment, findPayment } from './payments.js'
import type { Caller, Services } from '../ports.js'
import type { Purchased } from './purchase.js'
import { requestPayment, type PaymentRequest } from './request.js'
import { paymentStatus } from '../status.js'

export interface Continued extends Purchased {
  /** Why an attempt that was found is not executed now, although it was to be. */
  unexecuted?: Refusal
}

/** An approved attempt that came by `request` is executed where this call says so; any other shows how it is. */
export async function requestOrContinue(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
): Promise<Continued | Refused> {
  const asked = await requestPayment(services, caller, wanted)
  if (!asked.ok || !asked.isFound || !isToExecute(asked, wanted)) return asked
  const { id } = paymentContext(asked.actor)
  const mayExecute = caller.principal.scopes.includes('payments:execute')
  const done = mayExecute ? await executePayment(services, caller, id) : refuse('INSUFFICIENT_SCOPE')
  if (done.ok) return { ...done, isFound: true }
  const now = await findPayment(services, caller, id)
  if (!now.ok) return now
  const isLeft = paymentStatus(now.actor) === 'APPROVED'
  return { ...now, isFound: true, ...(isLeft && { unexecuted: done.refusal }) }
}

function isToExecute({ actor }: Purchased, { autoExecute }: PaymentRequest): boolean {
  return autoExecute && paymentStatus(actor) === 'APPROVED' && paymentContext(actor).terms!.through === 'request'
}
