// Routes of payments by x402: the signature that pays what a server asks for with HTTP 402, what came of it, and the
// services that were paid.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { approvalToken } from '../../../commands/payments/externalPayments.js'
import { authorizeByX402, type AuthorizedPayment } from '../../../commands/payments/x402/authorize.js'
import { listServices, servicesPaidBy, type PaidService } from '../../../commands/payments/x402/services.js'
import { settleByX402 } from '../../../commands/payments/x402/settle.js'
import type { Services } from '../../../commands/ports.js'
import { paymentStatus } from '../../../commands/status.js'
import { refuse, succeed } from '../../../domain/outcomes/result.js'
import { PAYMENT_STATUSES } from '../../../domain/payment/terms.js'
import { paymentPayload } from '../../../domain/payment/x402.js'
import { hostIn } from '../../../domain/values/host.js'
import { toNumber } from '../../../domain/values/money.js'
import { decoded, paymentRequired } from '../../input/paymentRequired.js'
import { page } from '../../input/querySchemas.js'
import { amountSchema, freeObject, id, paymentKey, readAs, recordSchema, text, wholeFrom } from '../../input/schemas.js'
import { answered, iso, ok, pageAnswer, paginationOf, paginationSchema, wrongCursor } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { decisionRecord, nearestSchema, violationSchema } from './records.js'

const DAY_MS = 86_400_000
const MAX_PATH = 500
const METHOD = /^[A-Z]{1,16}$/

const resource = v.strictObject({
  url: readAs({ type: 'string', format: 'uri', maxLength: 2_000 }, readUrl),
  method: v.optional(v.pipe(v.string(), v.regex(METHOD, 'must be a method of HTTP, in capital letters')), 'GET'),
})

/** Without the query, which often has secrets. */
function readUrl(value: unknown) {
  const host = typeof value === 'string' && value.length <= 2_000 ? hostIn(value) : undefined
  if (host === undefined) return refuse('VALIDATION_ERROR', 'must be an http or https URL')
  return succeed({ host, path: new URL(value as string).pathname.slice(0, MAX_PATH) })
}

const offerSchema = recordSchema('X402Offer', {
  scheme: v.string(),
  network: v.string(),
  asset: v.string(),
  payTo: v.string(),
  /** In the smallest unit of the asset, as the server wrote it. */
  amount: v.string(),
})

const authorizationSchema = recordSchema('X402Authorization', {
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  attempt: v.number(),
  paymentKey: v.string(),
  amount: v.number(),
  selected: v.optional(offerSchema),
  /** What the server is sent, decoded; and the header that has it. */
  paymentPayload: v.optional(freeObject),
  headers: v.optional(v.record(v.string(), v.string())),
  validBefore: v.optional(v.string()),
  /** For a wallet whose key the service does not have: what its holder signs. */
  typedData: v.optional(freeObject),
  approvalToken: v.optional(v.string()),
  approvalRequestId: v.optional(v.string()),
  reasons: v.array(v.string()),
  violations: v.optional(v.array(violationSchema)),
  violationsTotal: v.optional(v.number()),
  hint: v.optional(v.string()),
  nearest: v.optional(nearestSchema),
})

const settlementSchema = recordSchema('X402Settlement', {
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  amount: v.number(),
  /** Once the chain shows it. */
  txHash: v.optional(v.string()),
  /** Paid, and the resource was not given. */
  delivered: v.optional(v.literal(false)),
  validBefore: v.optional(v.string()),
})

const serviceSchema = recordSchema('X402Service', {
  host: v.string(),
  payTo: v.array(v.string()),
  payments: v.number(),
  total: v.number(),
  lastAt: v.nullable(v.string()),
  /** For people: what was paid on each of the latest 31 days with a payment (YYYY-MM-DD, UTC), the latest last. */
  days: v.optional(v.array(v.object({ day: v.string(), total: v.number() }))),
})
const servicesSchema = recordSchema('X402Services', { services: v.array(serviceSchema), pagination: paginationSchema })

function authorizationRecord(
  services: Services,
  authorized: AuthorizedPayment,
): v.InferOutput<typeof authorizationSchema> {
  const { payment, withheld } = authorized
  const { terms } = payment.context
  const { requestId, status, amount, reasons, violations, violationsTotal, hint, nearest, approvalRequestId } =
    decisionRecord(payment, (ref) => services.host.peek(ref))
  return {
    requestId,
    status,
    attempt: terms!.attempt!,
    paymentKey: terms!.paymentKey!,
    amount,
    ...(terms!.x402 && { selected: selectedIn(terms!.x402) }),
    ...signedRecord(services, authorized),
    ...(approvalRequestId !== undefined && { approvalRequestId }),
    reasons: withheld === undefined ? reasons : [...reasons, withheld],
    ...(violations && { violations }),
    ...(violationsTotal !== undefined && { violationsTotal }),
    ...(hint !== undefined && { hint }),
    ...(nearest && { nearest }),
  }
}

function selectedIn({ offer }: NonNullable<NonNullable<Actor<'payment'>['context']['terms']>['x402']>) {
  const { scheme, network, asset, payTo, amount } = offer
  return { scheme, network, asset, payTo, amount }
}

/** What the agent pays with, while it can be used. */
function signedRecord(services: Services, { payment, typedData, signature }: AuthorizedPayment) {
  if (typedData === undefined) return {}
  const validBefore = iso(Number(typedData.message.validBefore) * 1_000)
  if (signature === undefined)
    return { validBefore, typedData: { ...typedData }, approvalToken: approvalToken(services, payment) }
  const payload = paymentPayload(payment.context.terms!.x402!.offer, typedData, signature)
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  return { validBefore, paymentPayload: { ...payload }, headers: { 'PAYMENT-SIGNATURE': header } }
}

function settlementRecord(payment: Actor<'payment'>): v.InferOutput<typeof settlementSchema> {
  const { id: requestId, terms, permit, txHash } = payment.context
  const status = paymentStatus(payment)
  return {
    requestId,
    status,
    amount: toNumber(terms!.amount),
    ...(txHash !== null && { txHash }),
    ...(permit?.undelivered && { delivered: false as const }),
    ...(status === 'EXECUTING' && { validBefore: iso(Math.floor(permit!.expiresAt / 1_000) * 1_000) }),
  }
}

/** The header PAYMENT-RESPONSE as it came, or what it decodes to. */
function paymentResponse() {
  const description = {
    description: 'What the server said of the payment: the header PAYMENT-RESPONSE as text, or what it decodes to.',
    anyOf: [
      { type: 'string', format: 'byte' },
      {
        type: 'object',
        properties: { success: { type: 'boolean' }, network: { type: 'string', pattern: '^eip155:[0-9]+$' } },
        required: ['success', 'network'],
      },
    ],
  }
  return readAs(description, (value) => {
    const said = typeof value === 'string' ? decoded(value) : value
    const { success, network } = (typeof said === 'object' ? (said ?? {}) : {}) as {
      success?: unknown
      network?: unknown
    }
    if (typeof success === 'boolean' && typeof network === 'string') return succeed({ success, network })
    return refuse('VALIDATION_ERROR', 'must say success and network, as version 2 of x402 does')
  })
}

export const x402Routes = [
  route({
    operationId: 'authorizeX402Payment',
    method: 'POST',
    path: '/api/sdk/x402/authorize',
    access: { key: 'agent', scope: 'payments:execute' },
    limit: 'payments',
    summary: 'Decide on what a server asks for with HTTP 402, and sign it',
    body: v.strictObject({
      paymentRequired: paymentRequired(),
      resource,
      maxAmount: v.optional(amountSchema()),
      paymentKey: paymentKey(),
      walletId: v.optional(id()),
    }),
    // A purchase is repeated under its payment key: the same attempt always gives the same signature.
    idempotency: 'unkept',
    answers: { 200: authorizationSchema },
    refuses: [
      'ALREADY_EXECUTED',
      'EXPIRED',
      'INSUFFICIENT_BALANCE',
      'INVALID_ADDRESS',
      'INVALID_RECIPIENT',
      'INVALID_STATUS',
      'LIMIT_EXCEEDED',
      'LIMIT_REACHED',
      'NOT_FOUND',
      'NO_WALLET',
      'PRICE_CHANGED',
      'TEST_SETTLEMENT',
      'WALLET_CONFIG_ERROR',
    ],
    handler: async ({ services, caller, body }) => {
      const { url, method } = body.resource
      const wanted = {
        offers: body.paymentRequired,
        resource: { ...url, method },
        maxAmount: body.maxAmount,
        paymentKey: body.paymentKey,
        walletId: body.walletId,
      }
      const done = await authorizeByX402(services, caller, wanted)
      return done.ok ? ok(authorizationRecord(services, done.value)) : done
    },
  }),
  route({
    operationId: 'settleX402Payment',
    method: 'POST',
    path: '/api/sdk/x402/:requestId/settle',
    access: { key: 'agent', scope: 'payments:execute' },
    limit: 'payments',
    summary: 'Tell what the server answered to a payment by x402',
    body: v.strictObject({
      paymentResponse: v.optional(paymentResponse()),
      httpStatus: v.optional(wholeFrom(100, 599)),
      error: v.optional(text(1, 500)),
    }),
    bodyOptional: true,
    answers: { 200: settlementSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(
        call,
        (payment: Actor<'payment'>) => ok(settlementRecord(payment)),
        (caller) => settleByX402(call.services, caller, call.params.requestId, call.body),
      ),
  }),
  route({
    operationId: 'listOwnX402Services',
    method: 'GET',
    path: '/api/sdk/x402/services',
    access: { key: 'agent', scope: 'transactions:read' },
    summary: 'List the services that the agent has paid by x402, in its latest 1,000 payments by it',
    query: v.strictObject(page),
    answers: { 200: servicesSchema },
    handler: async ({ services, caller, query }) => {
      const from = query.cursor === undefined ? query.offset : Number(query.cursor)
      if (!Number.isSafeInteger(from) || from < 0) return wrongCursor()
      const paid = await servicesPaidBy(services, caller.principal.agent!)
      const next = from + query.limit
      const counted = { total: paid.length, ...(next < paid.length && { nextCursor: String(next) }) }
      return ok({ services: paid.slice(from, next).map(paidRecord), pagination: paginationOf(counted, query) })
    },
  }),
  route({
    operationId: 'listX402Services',
    method: 'GET',
    path: '/api/x402/services',
    access: { key: 'organization', scope: 'transactions:read' },
    summary: 'List the services that the organization has paid by x402',
    query: v.strictObject(page),
    answers: { 200: servicesSchema },
    handler: async ({ services, caller, query }) => {
      const found = await listServices(services, caller, query)
      return pageAnswer('services', found, query, serviceRecord)
    },
  }),
]

function paidRecord({ lastAt, total, ...paid }: PaidService): v.InferOutput<typeof serviceSchema> {
  return { ...paid, total: toNumber(total), lastAt: iso(lastAt) }
}

function serviceRecord({ context }: Actor<'service'>): v.InferOutput<typeof serviceSchema> {
  const { host, recipients, payments, total, lastAt, days } = context
  return {
    host,
    payTo: recipients.map(({ address }) => address),
    payments,
    total: toNumber(total),
    lastAt: lastAt === null ? null : iso(lastAt),
    days: days.map(({ day, total: paid }) => ({ day: iso(day * DAY_MS).slice(0, 10), total: toNumber(paid) })),
  }
}
