// What a payment by x402 was for, as records of payments show it.
import * as v from 'valibot'
import type { ContextOf } from '../../../domain/values/kinds.js'
import { recordSchema } from '../../input/schemas.js'
import { iso } from '../../server/respond.js'

export const resourceSchema = recordSchema('X402Resource', {
  host: v.string(),
  method: v.string(),
  path: v.string(),
  /** Of what was signed. */
  validBefore: v.optional(v.string()),
  /** Paid, and the resource was not given. */
  delivered: v.optional(v.literal(false)),
})

export function resourceRecord({
  terms,
  permit,
}: Pick<ContextOf<'payment'>, 'terms' | 'permit'>): v.InferOutput<typeof resourceSchema> {
  const { host, method, path } = terms!.x402!
  return {
    host,
    method,
    path,
    ...(permit && { validBefore: iso(Math.floor(permit.expiresAt / 1_000) * 1_000) }),
    ...(permit?.undelivered && { delivered: false as const }),
  }
}
