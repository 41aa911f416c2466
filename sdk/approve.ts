// The permit to pay from an external wallet. Only the first answer contains its token: if that was lost, a repetition
// under the same idempotency key reports the permit without the token.
import type { Answer, Body } from './call.js'
import { BursarError } from './error.js'
import type { Payer } from './pay.js'
import type { CallOptions } from './send.js'

export type Permit = Answer<'POST /api/sdk/payments/approve'>
export type ExternalPayment = Body<'POST /api/sdk/payments/approve'>

/**
 * The permit, with its token if the payment is permitted. Throws, with the payment's id as `requestId`, if
 * the token was lost and could not be had again.
 */
export async function approve(payer: Payer, payment: string | ExternalPayment, options: CallOptions): Promise<Permit> {
  const permit = await ask(payer, payment, options)
  if (!isWithoutToken(permit)) return permit
  for (let round = 0; round <= payer.maxRetries; round++) {
    const again = await askAgain(payer, permit.requestId, options)
    if (!isWithoutToken(again)) return again
  }
  throw lost(permit.requestId, 'call approve with this id')
}

function ask({ client: { call } }: Payer, payment: string | ExternalPayment, options: CallOptions): Promise<Permit> {
  if (typeof payment === 'string') {
    return call('POST /api/sdk/payments/{paymentId}/approve', { path: { paymentId: payment } }, options)
  }
  const idempotencyKey = options.idempotencyKey ?? payment.idempotencyKey
  return call('POST /api/sdk/payments/approve', { body: payment }, { ...options, idempotencyKey })
}

/** Uses a new idempotency key each time: no answer without the token is recorded for it. */
async function askAgain(payer: Payer, paymentId: string, options: CallOptions): Promise<Permit> {
  try {
    return await ask(payer, paymentId, { ...options, idempotencyKey: undefined })
  } catch (error) {
    if (!(error instanceof BursarError)) throw error
    throw lost(paymentId, error.message, error)
  }
}

function isWithoutToken({ approved, approvalToken }: Permit): boolean {
  return approved && approvalToken === undefined
}

/** The error has the code of the refusal to show the token again. The amount stays reserved in any case. */
function lost(paymentId: string, why: string, cause?: BursarError): BursarError {
  const message = `The payment ${paymentId} is permitted, but the answer with its token was lost: ${why}`
  const refused = cause ?? { code: 'TIMEOUT', status: 0 }
  return new BursarError(message, { ...refused, requestId: paymentId, cause })
}
