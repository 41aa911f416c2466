// Payment routes for external and smart-contract wallets: the permit to pay, and the agent's confirmation that it paid.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { View } from '../../../actor/host.js'
import {
  approvalToken,
  confirmPayment,
  permitPayment,
  requestPermit,
} from '../../../commands/payments/externalPayments.js'
import { paymentIdOf } from '../../../commands/payments/request.js'
import { isPermitted, paymentStatus } from '../../../commands/status.js'
import type { Services } from '../../../commands/ports.js'
import { toNumber } from '../../../domain/values/money.js'
import { PAYMENT_STATUSES } from '../../../domain/payment/terms.js'
import { counted, sumsAt } from '../../../domain/limits/sums.js'
import { decisionRecord, violationSchema } from './records.js'
import { purchaseEntries, purchaseRecord } from './purchaseRecords.js'
import { itemsSumUp } from './lineItems.js'
import { purchaseFields } from './payments.js'
import { answered, answeredPurchase, iso, ok } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { addressSchema, chainId, opaqueText, recordSchema } from '../../input/schemas.js'

const permitSchema = recordSchema('Permit', {
  approved: v.boolean(),
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  approvalId: v.optional(v.string()),
  approvalToken: v.optional(v.string()),
  expiresAt: v.optional(v.string()),
  /** Relative to the service, by whatever address the agent reaches it. */
  confirmUrl: v.optional(v.string()),
  limits: v.optional(
    v.object({
      dailyLimit: v.nullable(v.number()),
      dailyUsed: v.number(),
      dailyRemaining: v.nullable(v.number()),
    }),
  ),
  approvalRequestId: v.optional(v.string()),
  reasons: v.optional(v.array(v.string())),
  violations: v.optional(v.array(violationSchema)),
  violationsTotal: v.optional(v.number()),
  requiresHumanApproval: v.optional(v.boolean()),
})

const confirmationSchema = recordSchema('Confirmation', {
  confirmed: v.literal(true),
  requestId: v.string(),
  transactionId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  txHash: v.string(),
})

/** The permit has the payment's id: a payment has at most one. */
function permitAnswer(services: Services, payment: Actor<'payment'>, view: View) {
  const { id, permit, terms } = payment.context
  if (!isPermitted(payment)) return ok(refusalRecord(payment, view))
  const memorable = {
    approved: true,
    requestId: id,
    status: paymentStatus(payment),
    ...purchaseRecord(terms!),
    approvalId: id,
    expiresAt: iso(permit!.expiresAt),
    confirmUrl: `/api/sdk/payments/${id}/confirm`,
    limits: dailyLimits(services, view(`delegation/${terms!.delegationId}`)!),
  }
  const body = { ...memorable, approvalToken: approvalToken(services, payment) }
  return ok(body, 200, { memorable })
}

function dailyLimits(
  services: Services,
  delegation: Actor<'delegation'>,
): v.InferOutput<typeof permitSchema>['limits'] {
  const { terms, sums, clock } = delegation.context
  const used = counted(sumsAt(sums, Math.max(clock, services.now()), terms.timezone), 'day')
  const most = terms.spendLimitDaily
  return {
    dailyLimit: most === null ? null : toNumber(most),
    dailyUsed: toNumber(used),
    dailyRemaining: most === null ? null : toNumber(Math.max(0, most - used)),
  }
}

function refusalRecord(payment: Actor<'payment'>, view: View): v.InferOutput<typeof permitSchema> {
  const {
    requestId,
    status,
    reasons,
    violations = [],
    violationsTotal,
    approvalRequestId,
  } = decisionRecord(payment, view)
  const waits = status === 'REQUIRES_APPROVAL'
  return {
    approved: false,
    requestId,
    status,
    ...purchaseRecord(payment.context.terms!),
    ...(waits && { approvalRequestId: approvalRequestId! }),
    reasons,
    violations,
    ...(violationsTotal !== undefined && { violationsTotal }),
    requiresHumanApproval: waits,
  }
}

function confirmationAnswer(payment: Actor<'payment'>) {
  const { id, transactionId, txHash, terms } = payment.context
  const named = { requestId: id, transactionId, status: paymentStatus(payment), ...purchaseRecord(terms!) }
  return ok({ confirmed: true, ...named, txHash: txHash! })
}

/** The purchase has an attempt that came by the other route: it is shown, not gone on with. */
function isOfRequest(payment: Actor<'payment'>): boolean {
  return payment.context.terms!.through === 'request'
}

export const externalPaymentRoutes = [
  route({
    operationId: 'requestPermit',
    method: 'POST',
    path: '/api/sdk/payments/approve',
    access: { key: 'agent', scope: 'payments:approve' },
    limit: 'payments',
    summary: 'Request a payment from an external wallet, and a permit to pay it',
    body: v.pipe(
      v.strictObject({ ...purchaseFields, senderAddress: addressSchema(), chainId: chainId() }),
      itemsSumUp(),
    ),
    idempotency: 'payment',
    paymentOf: (agentId, idempotencyKey) => `payment/${paymentIdOf(agentId, idempotencyKey, 'approve')}`,
    idempotencyField: 'idempotencyKey',
    answers: { 200: permitSchema },
    refuses: [
      'INSUFFICIENT_BALANCE',
      'EXPIRED',
      'INVALID_STATUS',
      'NO_WALLET',
      'LIMIT_EXCEEDED',
      'WALLET_CONFIG_ERROR',
      'INVALID_ADDRESS',
      'INVALID_RECIPIENT',
      'NOT_FOUND',
      'ALREADY_EXECUTED',
      'PRICE_CHANGED',
      'LIMIT_REACHED',
    ],
    handler: async (call) => {
      const { currency: _only, ...body } = call.body
      const wanted = { ...body, idempotencyKey: call.idempotencyKey }
      return answeredPurchase(
        call,
        (payment: Actor<'payment'>, view) =>
          isOfRequest(payment) ? ok(refusalRecord(payment, view)) : permitAnswer(call.services, payment, view),
        (caller) => requestPermit(call.services, caller, wanted),
      )
    },
  }),
  route({
    operationId: 'permitPayment',
    method: 'POST',
    path: '/api/sdk/payments/:paymentId/approve',
    access: { key: 'agent', scope: 'payments:approve' },
    limit: 'payments',
    summary: 'Request a permit to pay an approved payment from its external wallet',
    idempotency: 'payment',
    answers: { 200: permitSchema },
    refuses: [
      'INSUFFICIENT_BALANCE',
      'EXPIRED',
      'INVALID_STATUS',
      'LIMIT_EXCEEDED',
      'WALLET_CONFIG_ERROR',
      'ALREADY_EXECUTED',
    ],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>, view) => permitAnswer(call.services, payment, view),
        (caller) => permitPayment(call.services, caller, call.params.paymentId),
      ),
  }),
  route({
    operationId: 'confirmPayment',
    method: 'POST',
    path: '/api/sdk/payments/:approvalId/confirm',
    access: { key: 'agent', scope: 'payments:confirm' },
    limit: 'payments',
    summary: 'Confirm a payment with the hash of its transfer',
    body: v.strictObject({ txHash: opaqueText(1, 200), approvalToken: opaqueText(1, 200) }),
    idempotency: 'payment',
    answers: { 200: confirmationSchema },
    refuses: [
      'INVALID_STATUS',
      'WALLET_CONFIG_ERROR',
      'TRANSFER_MISMATCH',
      'INVALID_TOKEN',
      'NOT_CONFIRMED',
      'ALREADY_EXECUTED',
    ],
    handler: (call) =>
      answered(call, confirmationAnswer, (caller) =>
        confirmPayment(call.services, caller, call.params.approvalId, call.body),
      ),
  }),
]
