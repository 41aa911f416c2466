// Payment routes for cards: the token to pay with a card, and the agent's confirmation of what the card was charged with.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { View } from '../../../actor/host.js'
import { approveOnCard, cardToken, confirmOnCard, permitOnCard } from '../../../commands/payments/cardPayments.js'
import { paymentIdOf } from '../../../commands/payments/request.js'
import type { Services } from '../../../commands/ports.js'
import { isPermitted, paymentStatus } from '../../../commands/status.js'
import { succeed, type Succeeded } from '../../../domain/outcomes/result.js'
import { amountOf, PAYMENT_STATUSES } from '../../../domain/payment/terms.js'
import { toNumber } from '../../../domain/values/money.js'
import { amountSchema, enumOf, id, name, opaqueText, recordSchema, text } from '../../input/schemas.js'
import { answered, answeredPurchase, iso, ok } from '../../server/respond.js'
import { route, type RouteAnswer } from '../../server/route.js'
import { fourDigits } from '../cards.js'
import { itemsSumUp } from './lineItems.js'
import { purchaseFields } from './payments.js'
import { purchaseEntries, purchaseRecord } from './purchaseRecords.js'
import { decisionRecord, violationSchema } from './records.js'

const cardPermitSchema = recordSchema('CardPermit', {
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  amount: v.number(),
  approvalToken: v.optional(v.string()),
  expiresAt: v.optional(v.string()),
  reasons: v.array(v.string()),
  violations: v.optional(v.array(violationSchema)),
  violationsTotal: v.optional(v.number()),
  approvalRequestId: v.optional(v.string()),
})

const chargeSchema = recordSchema('CardCharge', {
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  amount: v.number(),
  transactionReference: v.optional(v.string()),
  overcharged: v.optional(v.literal(true)),
})

function cardPermitRecord(payment: Actor<'payment'>, view: View): v.InferOutput<typeof cardPermitSchema> {
  const { requestId, status, amount, reasons, violations, violationsTotal, approvalRequestId, expiresAt } =
    decisionRecord(payment, view)
  return {
    requestId,
    status,
    ...purchaseRecord(payment.context.terms!),
    amount,
    ...(status !== 'DENIED' && { expiresAt }),
    reasons,
    ...(violations && { violations }),
    ...(violationsTotal !== undefined && { violationsTotal }),
    ...(approvalRequestId !== undefined && { approvalRequestId }),
  }
}

/** Only who asks by this route gets the token; it is never kept. */
function permitAnswer(
  services: Services,
  payment: Actor<'payment'>,
  view: View,
): Succeeded<RouteAnswer<v.InferOutput<typeof cardPermitSchema>, 200>> {
  const memorable = cardPermitRecord(payment, view)
  if (!isPermitted(payment) || payment.context.terms!.rail !== 'CARD') return ok(memorable)
  const { expiresAt } = payment.context.permit!
  const body = { ...memorable, approvalToken: cardToken(services, payment), expiresAt: iso(expiresAt) }
  return succeed({ status: 200, body, memorable })
}

function chargeRecord(payment: Actor<'payment'>): v.InferOutput<typeof chargeSchema> {
  const context = payment.context
  const charge = context.permit?.charge
  return {
    requestId: context.id,
    status: paymentStatus(payment),
    ...purchaseRecord(context.terms!),
    amount: toNumber(amountOf(context)),
    ...(charge && { transactionReference: charge.reference }),
    ...(charge?.overcharged && { overcharged: true as const }),
  }
}

const { amount, purpose, reference, lineItems, idempotencyKey, paymentKey } = purchaseFields

export const cardPaymentRoutes = [
  route({
    operationId: 'approveCardPayment',
    method: 'POST',
    path: '/api/sdk/cards/approve',
    access: { key: 'agent', scope: 'payments:approve' },
    limit: 'payments',
    summary: 'Request a payment on a card, and a token to pay it',
    body: v.pipe(
      v.strictObject({
        cardId: id(),
        amount,
        merchantName: name(200),
        merchantCategory: fourDigits(),
        purpose,
        reference,
        lineItems,
        idempotencyKey,
        paymentKey,
      }),
      itemsSumUp(),
    ),
    idempotency: 'payment',
    paymentOf: (agentId, key) => `payment/${paymentIdOf(agentId, key, 'card')}`,
    idempotencyField: 'idempotencyKey',
    answers: { 200: cardPermitSchema },
    refuses: [
      'EXPIRED',
      'INVALID_STATUS',
      'NO_WALLET',
      'LIMIT_EXCEEDED',
      'INVALID_ADDRESS',
      'INVALID_RECIPIENT',
      'NOT_FOUND',
      'ALREADY_EXECUTED',
      'PRICE_CHANGED',
      'LIMIT_REACHED',
    ],
    handler: (call) =>
      answeredPurchase(
        call,
        (payment: Actor<'payment'>, view) => permitAnswer(call.services, payment, view),
        (caller) => approveOnCard(call.services, caller, { ...call.body, idempotencyKey: call.idempotencyKey }),
      ),
  }),
  route({
    operationId: 'permitCardPayment',
    method: 'POST',
    path: '/api/sdk/cards/:requestId/approve',
    access: { key: 'agent', scope: 'payments:approve' },
    limit: 'payments',
    summary: 'Request the token to pay an approved payment with its card',
    idempotency: 'payment',
    answers: { 200: cardPermitSchema },
    refuses: ['EXPIRED', 'INVALID_STATUS', 'LIMIT_EXCEEDED', 'ALREADY_EXECUTED'],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>, view) => permitAnswer(call.services, payment, view),
        (caller) => permitOnCard(call.services, caller, call.params.requestId),
      ),
  }),
  route({
    operationId: 'confirmCardPayment',
    method: 'POST',
    path: '/api/sdk/cards/:requestId/confirm',
    access: { key: 'agent', scope: 'payments:confirm' },
    limit: 'payments',
    summary: 'Confirm what a card was charged with, or that it was not charged',
    body: v.strictObject({
      approvalToken: opaqueText(1, 200),
      transactionReference: text(1, 128),
      amount: amountSchema({ zero: true }),
      status: enumOf(['COMPLETED', 'VOIDED']),
    }),
    idempotency: 'payment',
    answers: { 200: chargeSchema },
    refuses: ['EXPIRED', 'INVALID_STATUS', 'INVALID_TOKEN', 'ALREADY_EXECUTED'],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>) => ok(chargeRecord(payment)),
        (caller) => confirmOnCard(call.services, caller, call.params.requestId, call.body),
      ),
  }),
]
