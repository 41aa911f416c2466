// The agent's side of payments over HTTP: ask, execute, cancel, look.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import { reachableWallets } from '../commands/facts.js'
import { cancelPayment, executePayment, findPayment, paymentContext } from '../commands/payments.js'
import type { Services } from '../commands/ports.js'
import { requestPayment } from '../commands/request.js'
import type { Ref } from '../domain/gate.js'
import { URGENCIES } from '../domain/payment.js'
import { decisionRecord, decisionSchema, executedRecord, executionSchema, paymentRecord, paymentSchema } from './paymentRecords.js'
import { answered, ok, reader } from './respond.js'
import { route, type Answer, type Route } from './route.js'
import { address, amount, enumOf, id, idempotencyKey, jsonObject, text } from './schemas.js'

const CONTEXT_BYTES = 8192

const wanted = v.strictObject({
  amount: amount(),
  recipientAddress: address(),
  recipientName: v.optional(text(1, 200)),
  purpose: v.optional(text(0, 500)),
  category: v.optional(text(1, 100)),
  context: v.optional(jsonObject({ maxBytes: CONTEXT_BYTES })),
  walletId: v.optional(id()),
  executionContext: v.optional(text(1, 100)),
  urgency: v.optional(enumOf(URGENCIES), 'NORMAL'),
  autoExecute: v.optional(v.boolean('must be true or false'), false),
  idempotencyKey: v.optional(idempotencyKey()),
})

const executedSchema = v.object({
  ...executionSchema.entries,
  requestId: v.string(),
  status: v.picklist(['EXECUTED']),
  amount: v.number(),
  currency: v.string(),
  recipientAddress: v.string(),
  wallet: v.looseObject({}),
})

export function paymentRoutes(services: Services): Route[] {
  const shown = (payment: Actor, view: View): Answer => ok(paymentRecord(payment, view))
  return [
    route({
      method: 'POST',
      path: '/api/sdk/payments/request',
      access: { key: 'agent', scope: 'payments:request' },
      limit: 'payments',
      summary: 'Ask whether a payment may be made',
      body: wanted,
      memory: 'payment',
      idempotencyField: 'idempotencyKey',
      answers: { 200: { name: 'Decision', schema: decisionSchema } },
      handler: (call) => {
        const { idempotencyKey = call.body.idempotencyKey } = call
        return answered(
          call,
          (payment, view) => ok(decisionRecord(payment, view, reachableWallets(services, call.principal.agent!, view))),
          (caller) => requestPayment(services, caller, { ...call.body, idempotencyKey }),
        )
      },
    }),
    route({
      method: 'POST',
      path: '/api/sdk/payments/:paymentId/execute',
      access: { key: 'agent', scope: 'payments:execute' },
      limit: 'payments',
      summary: 'Execute an approved payment, once',
      memory: 'payment',
      answers: { 200: { name: 'Execution', schema: executedSchema } },
      handler: (call) =>
        answered(call, (payment, view) => ok(executedRecord(payment, view)), (caller) =>
          executePayment(services, caller, call.params['paymentId']!),
        ),
    }),
    route({
      method: 'POST',
      path: '/api/sdk/payments/:paymentId/cancel',
      access: { key: 'agent', scope: 'payments:request' },
      limit: 'payments',
      summary: 'Cancel a payment that is not executed',
      memory: 'payment',
      answers: { 200: { name: 'Payment', schema: paymentSchema } },
      handler: (call) =>
        answered(call, shown, (caller) => cancelPayment(services, caller, call.params['paymentId']!)),
    }),
    route({
      method: 'GET',
      path: '/api/sdk/payments/:paymentId',
      access: { key: 'agent', scope: 'payments:read' },
      summary: 'The status of a payment',
      answers: { 200: { name: 'Payment', schema: paymentSchema } },
      handler: async (call) => {
        const found = await findPayment(services, reader(call), call.params['paymentId']!)
        if (!found.ok) return found
        return shown(found.actor, await walletView(services, found.actor))
      },
    }),
  ]
}

/** A view of the one wallet that a payment's record shows. */
async function walletView(services: Services, payment: Actor): Promise<View> {
  const ref: Ref = `wallet/${paymentContext(payment).terms!.walletId}`
  const [wallet] = await services.host.read([ref])
  return (asked) => (asked === ref ? wallet : undefined)
}
