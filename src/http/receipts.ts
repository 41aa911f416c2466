// The receipt of a payment over HTTP: one JSON file that `bursar receipt verify` checks without the service.
import * as v from 'valibot'
import type { Services } from '../commands/ports.js'
import { makeReceipt, receiptJson } from '../commands/receipts.js'
import { entrySchema, inclusionSchema } from './audit.js'
import { ok, reader } from './respond.js'
import { route, type Route } from './route.js'

const receiptSchema = v.object({
  format: v.literal('bursar-receipt/1'),
  requestId: v.string(),
  organization: v.object({ id: v.string() }),
  request: v.looseObject({
    agentId: v.string(),
    amount: v.number(),
    currency: v.string(),
    recipientAddress: v.string(),
  }),
  facts: v.looseObject({}),
  decision: v.looseObject({ id: v.string(), policySetHash: v.string(), outcome: v.string() }),
  outcome: v.object({ status: v.string(), causes: v.array(v.looseObject({ type: v.string(), message: v.string() })) }),
  settlement: v.nullable(
    v.object({
      transactionId: v.string(),
      status: v.string(),
      settlementMode: v.picklist(['test', 'live']),
      executedAt: v.string(),
    }),
  ),
  policies: v.array(v.looseObject({ id: v.string(), version: v.number(), contentHash: v.string() })),
  approvals: v.array(v.looseObject({})),
  auditEntries: v.array(v.object({ entry: entrySchema, proof: inclusionSchema })),
  checkpoint: v.string(),
  verifierKey: v.string(),
})

export function receiptRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/payments/:paymentId/receipt',
      access: { key: 'organization', scope: 'audit:read' },
      summary: 'Everything about a payment in one file that proves itself',
      answers: { 200: { name: 'Receipt', schema: receiptSchema } },
      handler: async (call) => {
        const made = await makeReceipt(services, reader(call), call.params['paymentId']!)
        return made.ok ? ok(receiptJson(made.receipt)) : made
      },
    }),
  ]
}
