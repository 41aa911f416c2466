// Requests a payment, or goes on with the open attempt at its purchase.
import { refuse, succeed, type Refusal, type Result } from '../../domain/outcomes/result.js'
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
): Promise<
  Result<
    Continued,
    | 'IDEMPOTENCY_CONFLICT'
    | 'INVALID_ADDRESS'
    | 'INVALID_RECIPIENT'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'NO_WALLET'
    | 'PRICE_CHANGED'
    | 'UNAVAILABLE'
  >
> {
  const asked = await requestPayment(services, caller, wanted)
  if (!asked.ok || !isToExecute(asked.value, wanted)) return asked
  const { id } = asked.value.payment.context
  const mayExecute = caller.principal.scopes.includes('payments:execute')
  const done = mayExecute ? await executePayment(services, caller, id) : refuse('INSUFFICIENT_SCOPE')
  if (done.ok) return succeed({ payment: done.value, isFound: true })
  const now = await findPayment(services, caller, id)
  if (!now.ok) return now
  const isLeft = paymentStatus(now.value) === 'APPROVED'
  return succeed({ payment: now.value, isFound: true, ...(isLeft && { unexecuted: done.refusal }) })
}

function isToExecute({ payment, isFound }: Purchased, { autoExecute }: PaymentRequest): boolean {
  if (!isFound || !autoExecute) return false
  return paymentStatus(payment) === 'APPROVED' && payment.context.terms!.through === 'request'
}
