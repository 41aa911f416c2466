// The payment receipt route: one JSON file that `bursar receipt verify` checks without the service.
import * as v from 'valibot'
import { makeReceipt } from '../../../commands/audit/receipts.js'
import { APPROVAL_STATUSES } from '../../../domain/payment/approval.js'
import { SETTLEMENT_MODES } from '../../../domain/payment/settlement.js'
import { approvalDecisionSchema } from '../changes.js'
import { entrySchema, inclusionSchema } from '../audit.js'
import { ruleSchema } from '../policies/policies.js'
import { detailEntries, purchaseEntries } from './purchaseRecords.js'
import { ok } from '../../server/respond.js'
import { recordSchema } from '../../input/schemas.js'
import { route } from '../../server/route.js'

/** As in the audit log: limits in micro-units, or counts. */
const causeSchema = recordSchema('ReceiptViolation', {
  type: v.string(),
  policyId: v.optional(v.string()),
  policyVersion: v.optional(v.number()),
  ruleId: v.optional(v.string()),
  limit: v.optional(v.number()),
  current: v.optional(v.number()),
  unit: v.optional(v.string()),
  message: v.string(),
})

const requestSchema = v.object({
  agentId: v.string(),
  walletId: v.string(),
  delegationId: v.string(),
  amount: v.number(),
  currency: v.string(),
  /** The contract of the token, in live settlement on chains that the service reads. */
  asset: v.nullable(v.string()),
  chainType: v.string(),
  recipientAddress: v.string(),
  recipientName: v.nullable(v.string()),
  purpose: v.nullable(v.string()),
  category: v.nullable(v.string()),
  context: v.unknown(),
  executionContext: v.nullable(v.string()),
  urgency: v.string(),
  idempotencyKey: v.nullable(v.string()),
  ...purchaseEntries,
  ...v.partial(v.object(detailEntries)).entries,
  wallet: v.object({ id: v.string(), address: v.string(), chainId: v.string(), custodyType: v.string() }),
  requestedAt: v.string(),
})

const policySchema = v.object({
  id: v.string(),
  version: v.number(),
  priority: v.number(),
  contentHash: v.string(),
  rules: v.array(ruleSchema),
})

const receiptSchema = recordSchema('Receipt', {
  format: v.literal('bursar-receipt/1'),
  requestId: v.string(),
  organization: v.object({ id: v.string() }),
  request: requestSchema,
  facts: v.record(v.string(), v.unknown()),
  decision: v.object({
    id: v.string(),
    policySetHash: v.string(),
    outcome: v.string(),
    violations: v.array(causeSchema),
    policies: v.array(v.object({ id: v.string(), version: v.number() })),
    timezone: v.string(),
    preapproval: v.boolean(),
  }),
  outcome: v.object({ status: v.string(), causes: v.array(causeSchema) }),
  settlement: v.nullable(
    v.object({
      transactionId: v.string(),
      status: v.string(),
      settlementMode: v.picklist(SETTLEMENT_MODES),
      txHash: v.optional(v.string()),
      executedAt: v.string(),
    }),
  ),
  policies: v.array(policySchema),
  approvals: v.array(
    v.object({
      id: v.string(),
      status: v.picklist(APPROVAL_STATUSES),
      requestedAt: v.string(),
      decisions: v.array(approvalDecisionSchema),
    }),
  ),
  auditEntries: v.array(v.object({ entry: entrySchema, proof: inclusionSchema })),
  checkpoint: v.string(),
  verifierKey: v.string(),
})

export const receiptRoutes = [
  route({
    operationId: 'getPaymentReceipt',
    method: 'GET',
    path: '/api/payments/:paymentId/receipt',
    access: { key: 'organization', scope: 'audit:read' },
    summary: 'The receipt of a payment: one self-contained file with proofs',
    answers: { 200: receiptSchema },
    refuses: ['CHECKPOINT_CONFLICT'],
    handler: async ({ services, caller, params }) => {
      const made = await makeReceipt(services, caller, params.paymentId)
      return made.ok ? ok(made.value as v.InferOutput<typeof receiptSchema>) : made
    },
  }),
]
