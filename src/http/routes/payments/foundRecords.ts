// The record of a payment in a list for people.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { View } from '../../../actor/host.js'
import { recordSchema } from '../../input/schemas.js'
import { paymentRecord, paymentSchema } from './records.js'

const denialSchema = recordSchema('Denial', { type: v.string(), message: v.string() })

export const foundSchema = recordSchema('FoundPayment', {
  ...paymentSchema.entries,
  /** The first violation of a denied payment; absent where a person denied it. */
  denial: v.optional(denialSchema),
})

export function foundRecord(payment: Actor<'payment'>, view: View): v.InferOutput<typeof foundSchema> {
  const record = paymentRecord(payment, view)
  const first = record.deniedBy === 'POLICY' ? record.violations?.[0] : undefined
  return { ...record, ...(first && { denial: { type: first.type, message: first.message } }) }
}
