// What records of payments tell of the purchase: its key and attempt, and the details that the agent gave.
import * as v from 'valibot'
import type { Json } from '../../../domain/values/canonical.js'
import { shownItems, type PaymentTerms } from '../../../domain/payment/terms.js'
import type { Refusal } from '../../../domain/outcomes/result.js'
import { lineItemsSchema } from './lineItems.js'

type Record = { [field: string]: Json }

/** Of payments that were asked for with a `paymentKey`: the purchase, and the number of the attempt (from 1). */
export const purchaseEntries = { paymentKey: v.optional(v.string()), attempt: v.optional(v.number()) }

/** Empty for a payment without a `paymentKey`. */
export function purchaseRecord({ paymentKey, attempt }: PaymentTerms): Record {
  return paymentKey === undefined ? {} : { paymentKey, attempt: attempt! }
}

/** Why the open attempt of a purchase is not executed now. */
export function unexecutedRecord({ code, message }: Refusal): Record {
  return { autoExecuteError: { error: message, code } }
}

/** The agent's session, the invoice or order number, and what is bought. */
export const detailEntries = {
  sessionId: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  lineItems: lineItemsSchema,
}

export function detailRecord({ sessionId, reference, lineItems }: PaymentTerms): Record {
  const named = { sessionId: sessionId ?? null, reference: reference ?? null }
  return { ...named, lineItems: lineItems === undefined ? null : shownItems(lineItems) }
}
