// Payment routes: agents request, execute, cancel and read payments; organizations read, replay and release them.
import type { Refusal } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { viewOn, type View } from '../../../actor/host.js'
import { reachableWallets } from '../../../commands/payments/facts.js'
import { cancelPayment, executePayment, findPayment, releasePayment } from '../../../commands/payments/payments.js'
import { listOwnPayments } from '../../../commands/payments/search/lists.js'
import type { Services } from '../../../commands/ports.js'
import { replay, replayToday } from '../../../commands/policies/replay.js'
import { requestOrContinue } from '../../../commands/payments/continued.js'
import { paymentIdOf, type PaymentRequest } from '../../../commands/payments/request.js'
import { currentDecision, PAYMENT_STATUSES, RAILS, URGENCIES } from '../../../domain/payment/terms.js'
import type { Ref } from '../../../domain/limits/gate.js'
import { keptDecision, replayedDecision } from './keptDecision.js'
import {
  decisionRecord,
  decisionSchema,
  executedRecord,
  executedSchema,
  paymentRecord,
  paymentSchema,
} from './records.js'
import { replayRecord, replaySchema, tracedPaymentSchema, traceRecord } from './traces.js'
import { itemsSumUp, lineItems } from './lineItems.js'
import { unexecutedRecord } from './purchaseRecords.js'
import { page } from '../../input/querySchemas.js'
import { answered, answeredPurchase, ok, pageAnswer, paginationSchema } from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'
import {
  addressSchema,
  amountSchema,
  chainId,
  enumOf,
  flag,
  id,
  idempotencyKey,
  jsonObject,
  name,
  opaqueText,
  paymentKey,
  text,
  recordSchema,
} from '../../input/schemas.js'

const CONTEXT_BYTES = 8192
const CURRENCIES = ['USDC'] as const

/** What every route that asks for a payment takes. */
export const purchaseFields = {
  amount: amountSchema(),
  recipientAddress: addressSchema(),
  recipientName: v.optional(name(200)),
  purpose: v.optional(text(0, 500)),
  category: v.optional(text(1, 100)),
  currency: v.optional(enumOf(CURRENCIES)),
  sessionId: v.optional(opaqueText(1, 128)),
  reference: v.optional(text(1, 128)),
  lineItems: lineItems(),
  idempotencyKey: v.optional(idempotencyKey()),
  paymentKey: v.optional(paymentKey()),
}

export const wanted = v.pipe(
  v.strictObject({
    ...purchaseFields,
    context: v.optional(jsonObject({ maxBytes: CONTEXT_BYTES })),
    walletId: v.optional(id()),
    chainId: v.optional(chainId()),
    executionContext: v.optional(text(1, 100)),
    urgency: v.optional(enumOf(URGENCIES), 'NORMAL'),
    autoExecute: v.optional(flag, false),
  }),
  v.title('RequestedPayment'),
  itemsSumUp(),
)

type Asked = HandlerInput<Record<string, string>, undefined, v.InferOutput<typeof wanted>>

/** Filters that a list of the store serves. */
export const listedFilters = {
  rail: v.optional(enumOf(RAILS)),
  status: v.optional(enumOf(PAYMENT_STATUSES)),
  paymentKey: v.optional(paymentKey()),
  sessionId: v.optional(opaqueText(1, 128)),
  reference: v.optional(text(1, 128)),
}
const paymentListSchema = recordSchema('PaymentList', {
  payments: v.array(paymentSchema),
  pagination: paginationSchema,
})

const shown = (payment: Actor<'payment'>, view: View) => ok(paymentRecord(payment, view))

export const paymentRoutes = [
  route({
    operationId: 'requestPayment',
    method: 'POST',
    path: '/api/sdk/payments/request',
    access: { key: 'agent', scope: 'payments:request' },
    limit: 'payments',
    summary: 'Request a payment',
    body: wanted,
    idempotency: 'payment',
    paymentOf: (agentId, idempotencyKey) => `payment/${paymentIdOf(agentId, idempotencyKey, 'request')}`,
    replayed: replayedDecision,
    idempotencyField: 'idempotencyKey',
    answers: { 200: decisionSchema },
    refuses: ['NO_WALLET', 'INVALID_ADDRESS', 'INVALID_RECIPIENT', 'NOT_FOUND', 'PRICE_CHANGED', 'LIMIT_REACHED'],
    handler: (call) => requested(call.services, call),
  }),
  route({
    operationId: 'executePayment',
    method: 'POST',
    path: '/api/sdk/payments/:paymentId/execute',
    access: { key: 'agent', scope: 'payments:execute' },
    limit: 'payments',
    summary: 'Execute an approved payment, once',
    idempotency: 'payment',
    answers: { 200: executedSchema },
    refuses: [
      'INSUFFICIENT_BALANCE',
      'EXPIRED',
      'INVALID_STATUS',
      'LIMIT_EXCEEDED',
      'WALLET_CONFIG_ERROR',
      'MANUAL_EXECUTION_REQUIRED',
      'ALREADY_EXECUTED',
      'CUSTODY_NOT_CONFIGURED',
    ],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>, view) => ok(executedRecord(payment, view)),
        (caller) => executePayment(call.services, caller, call.params.paymentId),
      ),
  }),
  route({
    operationId: 'cancelPayment',
    method: 'POST',
    path: '/api/sdk/payments/:paymentId/cancel',
    access: { key: 'agent', scope: 'payments:request' },
    limit: 'payments',
    summary: 'Cancel a payment that is not executed',
    idempotency: 'payment',
    answers: { 200: paymentSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXECUTED'],
    handler: (call) => answered(call, shown, (caller) => cancelPayment(call.services, caller, call.params.paymentId)),
  }),
  route({
    operationId: 'listOwnPayments',
    method: 'GET',
    path: '/api/sdk/payments',
    access: { key: 'agent', scope: 'payments:read' },
    summary: "List the agent's payments, or find one by its idempotency key",
    query: v.strictObject({ ...page, ...listedFilters, idempotencyKey: v.optional(idempotencyKey()) }),
    answers: { 200: paymentListSchema },
    handler: async ({ services, caller, query }) => {
      const found = await listOwnPayments(services, caller, query)
      const view = await viewOf(services, found?.actors ?? [])
      return pageAnswer('payments', found, query, (payment) => paymentRecord(payment, view))
    },
  }),
  route({
    operationId: 'getPaymentStatus',
    method: 'GET',
    path: '/api/sdk/payments/:paymentId',
    access: { key: 'agent', scope: 'payments:read' },
    summary: 'The status of a payment',
    answers: { 200: paymentSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findPayment(services, caller, params.paymentId)
      if (!found.ok) return found
      return ok(await wholePayment(services, found.value))
    },
  }),
]

/** The decision, or how the purchase's open attempt stands, and why it is not executed where it was to be. */
function requested(services: Services, call: Asked) {
  let seen: View | undefined
  let unexecuted: Refusal | undefined
  const record = (payment: Actor<'payment'>, view: View) =>
    decisionRecord(payment, view, () => reachableWallets(services, call.principal.agent!, view))
  return answeredPurchase(
    call,
    (payment: Actor<'payment'>, view) => {
      const answer = { ...record(payment, seen ?? view), ...(unexecuted && unexecutedRecord(unexecuted)) }
      const isOwn = payment.context.terms!.idempotencyKey === call.idempotencyKey
      return ok(answer, 200, { memorable: isOwn ? keptDecision(answer, payment) : answer })
    },
    async (caller) => {
      const done = await requestOrContinue(services, caller, wishOf(call))
      if (!done.ok || !done.value.isFound) return done
      unexecuted = done.value.unexecuted
      seen = await viewOf(services, [done.value.payment])
      return done
    },
  )
}

/** Copied by field: spreading is slow. */
function wishOf({ body, idempotencyKey }: Asked): PaymentRequest {
  return {
    amount: body.amount,
    recipientAddress: body.recipientAddress,
    recipientName: body.recipientName,
    purpose: body.purpose,
    category: body.category,
    context: body.context,
    walletId: body.walletId,
    executionContext: body.executionContext,
    urgency: body.urgency,
    autoExecute: body.autoExecute,
    idempotencyKey,
    paymentKey: body.paymentKey,
    chainId: body.chainId,
    sessionId: body.sessionId,
    reference: body.reference,
    lineItems: body.lineItems,
  }
}

export const organizationPaymentRoutes = [
  route({
    operationId: 'getPayment',
    method: 'GET',
    path: '/api/payments/:paymentId',
    access: { key: 'organization', scope: 'transactions:read' },
    summary: 'Read a payment and the trace of its decision',
    answers: { 200: tracedPaymentSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findPayment(services, caller, params.paymentId)
      if (!found.ok) return found
      const context = found.value.context
      const standing = await replay(services, currentDecision(context))
      const asked = context.review && (await replay(services, context.decision!))
      const trace = traceRecord(found.value, standing, asked ?? undefined)
      return ok({ ...(await wholePayment(services, found.value)), trace })
    },
  }),
  route({
    operationId: 'replayPayment',
    method: 'POST',
    path: '/api/payments/:paymentId/replay',
    access: { key: 'organization', scope: 'transactions:read' },
    idempotency: 'unkept',
    summary: 'Decide a payment again on its stored facts',
    body: v.strictObject({ policies: v.optional(enumOf(['stored', 'current']), 'stored') }),
    bodyOptional: true,
    answers: { 200: replaySchema },
    handler: async ({ services, caller, params, body }) => {
      const found = await findPayment(services, caller, params.paymentId)
      if (!found.ok) return found
      const again =
        body.policies === 'current'
          ? replayToday(services, found.value)
          : replay(services, currentDecision(found.value.context))
      return ok(replayRecord(found.value, await again))
    },
  }),
  route({
    operationId: 'releasePayment',
    method: 'POST',
    path: '/api/payments/:paymentId/release',
    access: { key: 'organization', scope: 'transactions:write' },
    summary: 'Release a payment that is not executed, and end its holds',
    idempotency: 'payment',
    body: v.strictObject({ reason: text(1, 500), allowRetry: v.optional(flag, false) }),
    answers: { 200: paymentSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXECUTED'],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>, view) => ok(paymentRecord(payment, view)),
        (caller) => releasePayment(call.services, caller, call.params.paymentId, call.body),
      ),
  }),
]

/** The record of one payment, with the help of a denial as in the answer to its request. */
async function wholePayment(
  services: Services,
  payment: Actor<'payment'>,
): Promise<v.InferOutput<typeof paymentSchema>> {
  const { agentId } = payment.context.terms!
  const view: View = (ref) => services.host.peek(ref)
  const record = paymentRecord(payment, view, () => reachableWallets(services, agentId, view))
  // The wallets may have changes not yet on disk: waits until they are.
  await services.host.read([])
  return record
}

/** A view of these payments' wallets. */
export async function viewOf(services: Services, payments: readonly Actor<'payment'>[]): Promise<View> {
  const refs = [
    ...new Set(payments.map((payment: Actor<'payment'>): Ref<'wallet'> => `wallet/${payment.context.terms!.walletId}`)),
  ]
  return viewOn(await services.host.read(refs))
}
