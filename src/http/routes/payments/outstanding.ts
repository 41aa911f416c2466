// What a freeze cannot call back, as its answer names it.
import * as v from 'valibot'
import { outstandingSignatures } from '../../../commands/payments/x402/outstanding.js'
import type { Code } from '../../../domain/outcomes/codes.js'
import { succeed, type Result } from '../../../domain/outcomes/result.js'
import { toNumber } from '../../../domain/values/money.js'
import type { Services } from '../../../commands/ports.js'
import { recordSchema } from '../../input/schemas.js'
import { iso } from '../../server/respond.js'
import type { RouteAnswer } from '../../server/route.js'

export const outstandingSchema = recordSchema('Outstanding', {
  requestId: v.string(),
  amount: v.number(),
  /** Until then the server that has the signature may be paid with it. */
  validBefore: v.string(),
})

/** Read after the freeze, so that it leaves out nothing that was signed before; a repeated answer is without it. */
export async function withOutstanding<Body extends object, C extends Code>(
  services: Services,
  of: { organization: string; agentId?: string },
  frozen: Result<RouteAnswer<Body, 200>, C>,
): Promise<Result<RouteAnswer<Body & { outstanding: v.InferOutput<typeof outstandingSchema>[] }, 200>, C>> {
  if (!frozen.ok) return frozen
  const payments = await outstandingSignatures(services, of)
  const outstanding = payments.map(({ context: { id: requestId, terms, permit } }) => ({
    requestId,
    amount: toNumber(terms!.amount),
    validBefore: iso(Math.floor(permit!.expiresAt / 1_000) * 1_000),
  }))
  const { body } = frozen.value
  return succeed({ ...frozen.value, body: { ...body, outstanding }, memorable: body })
}
