// What records of payments tell of the purchase: its key and attempt, and the details that the agent gave.
import * as v from 'valibot'
import { shownItems, type PaymentTerms } from '../../../domain/payment/terms.js'
import type { Refusal } from '../../../domain/outcomes/result.js'
import { lineItemsSchema } from './lineItems.js'

/** Of payments that were asked for with a `paymentKey`: the purchase, and the number of the attempt (from 1). */
export const purchaseEntries = { paymentKey: v.optional(v.string()), attempt: v.optional(v.number()) }

/** Empty for a payment without a `paymentKey`. */
export function purchaseRecord({ paymentKey, attempt }: PaymentTerms): { paymentKey?: string; attempt?: number } {
  return paymentKey === undefined ? {} : { paymentKey, attempt: attempt! }
}

/** Why the open attempt of a purchase is not executed now. */
export function unexecutedRecord({ code, message }: Refusal): { autoExecuteError: { error: string; code: string } } {
  return { autoExecuteError: { error: message, code } }
}

/** The agent's session, the invoice or order number, and what is bought. */
export const detailEntries = {
  sessionId: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  lineItems: lineItemsSchema,
}

type Details = v.InferOutput<v.ObjectSchema<typeof detailEntries, undefined>>

export function detailRecord({ sessionId, reference, lineItems }: PaymentTerms): Details {
  const named = { sessionId: sessionId ?? null, reference: reference ?? null }
  return { ...named, lineItems: lineItems === undefined ? null : shownItems(lineItems) }
}
