// What the agent tells of a payment by x402 after it has paid. In test settlement its word settles the payment; in live
// settlement the chain does.
import type { Actor } from '../../../actor/actor.js'
import { refuse, refuseField, succeed, type Result } from '../../../domain/outcomes/result.js'
import { isX402 } from '../../../domain/payment/terms.js'
import { x402Network } from '../../../domain/payment/x402.js'
import { findPayment, OTHER_RAIL, stopped } from '../payments.js'
import type { Caller, Services } from '../../ports.js'
import { send } from '../../send.js'
import { isPermitted, paymentStatus } from '../../status.js'

/** The server's answer, as far as the agent got one. */
export interface SaidBySeller {
  paymentResponse?: { success: boolean; network: string } | undefined
  httpStatus?: number | undefined
  error?: string | undefined
}

export async function settleByX402(
  services: Services,
  caller: Caller,
  id: string,
  { paymentResponse, httpStatus, error }: SaidBySeller,
): Promise<Result<Actor<'payment'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const terms = found.value.context.terms!
  if (!isX402(terms)) return refuse('INVALID_STATUS', OTHER_RAIL)
  const { chainId } = terms.wallet
  if (paymentResponse !== undefined && paymentResponse.network !== x402Network(chainId)) {
    return refuseField('paymentResponse.network', `must be ${x402Network(chainId)}, where the payment is`)
  }
  if (isPermitted(found.value)) return refuse('INVALID_STATUS', 'Confirm the payment with the hash of its transfer')
  if (paymentStatus(found.value) !== 'EXECUTING') return found
  const isUndelivered = error !== undefined || (httpStatus !== undefined && (httpStatus < 200 || httpStatus > 299))
  const settles = paymentResponse?.success === true
  if (!settles && isUndelivered === (found.value.context.permit?.undelivered ?? false)) return found
  const reply = await send(services, caller, found.value.ref, settles ? 'SETTLED' : 'DELIVERY', { isUndelivered })
  // Meanwhile the chain has settled it.
  if (reply.ok || paymentStatus(reply.actor) === 'EXECUTED') return succeed(reply.actor)
  return stopped(reply.code, reply.actor)
}
