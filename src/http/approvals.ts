// Approval requests over HTTP: what people are asked, and what they say. No agent's key opens any of it.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import { decideApproval, findApproval, listApprovals } from '../commands/approvals.js'
import { paymentContext } from '../commands/payments.js'
import type { Services } from '../commands/ports.js'
import { APPROVAL_STATUSES, requiredApprovals, VERDICTS, type Approval } from '../domain/approval.js'
import type { Json } from '../domain/canonical.js'
import { paymentRecord, paymentSchema } from './paymentRecords.js'
import { viewOf } from './payments.js'
import { page } from './querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, reader } from './respond.js'
import { route, type Route } from './route.js'
import { enumOf, text } from './schemas.js'

const somebody = v.object({ type: v.string(), id: v.string() })

export const approvalSchema = v.object({
  id: v.string(),
  kind: v.picklist(['PAYMENT', 'GOVERNANCE']),
  status: v.picklist(APPROVAL_STATUSES),
  paymentRequestId: v.optional(v.string()),
  requestedBy: somebody,
  requiredApprovals: v.number(),
  workflowId: v.nullable(v.string()),
  /** Empty where everybody who may decide is asked. */
  approverIds: v.array(v.string()),
  decisions: v.array(
    v.object({
      by: v.object({ ...somebody.entries, name: v.string() }),
      decision: v.picklist(VERDICTS),
      comment: v.nullable(v.string()),
      at: v.string(),
    }),
  ),
  contentHash: v.string(),
  expiresAt: v.string(),
  createdAt: v.string(),
  payment: v.optional(paymentSchema),
})

/** A payment's request; the payment is shown as it is now. */
function approvalRecord(approval: Approval, payment: Actor, view: View): { [field: string]: Json } {
  const { id, terms } = paymentContext(payment)
  const { workflowId, approverIds } = approval.steps[approval.step]!
  return {
    id: approval.id,
    kind: 'PAYMENT',
    status: approval.status,
    paymentRequestId: id,
    requestedBy: { type: 'AGENT', id: terms!.agentId },
    requiredApprovals: requiredApprovals(approval),
    workflowId,
    approverIds,
    decisions: approval.decisions.map(({ by, decision, comment, at }) => {
      return { by: { type: by.type, id: by.id, name: by.name }, decision, comment, at: iso(at) }
    }),
    contentHash: approval.contentHash,
    expiresAt: iso(approval.expiresAt),
    createdAt: iso(approval.createdAt),
    payment: paymentRecord(payment, view),
  }
}

const one = { 200: { name: 'ApprovalRequest', schema: approvalSchema } }

export function approvalRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/approval-requests',
      access: { key: 'organization', scope: 'approvals:read' },
      summary: 'List what people are or were asked to approve',
      query: v.strictObject({ ...page, status: v.optional(enumOf(APPROVAL_STATUSES)) }),
      answers: {
        200: {
          name: 'ApprovalRequestList',
          schema: v.object({ requests: v.array(approvalSchema), pagination: paginationSchema }),
        },
      },
      handler: async (call) => {
        const found = await listApprovals(services, reader(call), call.query)
        const view = await viewOf(services, found?.actors ?? [])
        return pageAnswer('requests', found, call.query, (payment) => {
          return approvalRecord(paymentContext(payment).approval!, payment, view)
        })
      },
    }),
    route({
      method: 'GET',
      path: '/api/approval-requests/:approvalRequestId',
      access: { key: 'organization', scope: 'approvals:read' },
      summary: 'Read an approval request',
      answers: one,
      handler: async (call) => {
        const found = await findApproval(services, reader(call), call.params['approvalRequestId']!)
        if (!found.ok) return found
        return ok(approvalRecord(found.approval, found.actor, await viewOf(services, [found.actor])))
      },
    }),
    route({
      method: 'POST',
      path: '/api/approval-requests/:approvalRequestId/decision',
      access: { key: 'organization', scope: 'approvals:write' },
      summary: 'Approve or deny what an agent asks',
      body: v.strictObject({ decision: enumOf(VERDICTS), comment: v.optional(v.nullable(text(0, 500))) }),
      answers: one,
      handler: (call) => {
        const id = call.params['approvalRequestId']!
        const { decision, comment = null } = call.body
        return answered(
          call,
          (payment, view) => ok(approvalRecord(requestIn(payment, id), payment, view)),
          (caller) => decideApproval(services, caller, id, { decision, comment }),
        )
      },
    }),
  ]
}

/** The request that was decided just now: it is the payment's last one. */
function requestIn(payment: Actor, id: string): Approval {
  const { approval } = paymentContext(payment)
  if (approval?.id !== id) throw new Error(`${payment.ref} was decided by request ${id}, which it does not have`)
  return approval
}
