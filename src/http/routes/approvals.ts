// Approval request routes: list, read, approve and deny. Agent keys have no access.
import * as v from 'valibot'
import { isOf, type Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import { decideApproval, findApproval, listApprovals } from '../../commands/approvals/approvals.js'
import { findChange } from '../../commands/approvals/changes.js'
import { APPROVAL_STATUSES, type Approval } from '../../domain/payment/approval.js'
import { askedEntries, askedRecord, changeRecord, changeSchema, decidedChange, decisionBody } from './changes.js'
import { paymentRecord, paymentSchema } from './payments/records.js'
import { viewOf } from './payments/payments.js'
import { page } from '../input/querySchemas.js'
import { answered, ok, pageAnswer, paginationSchema } from '../server/respond.js'
import { route } from '../server/route.js'
import { enumOf, titled, recordSchema } from '../input/schemas.js'

const paymentApprovalSchema = v.object({
  ...askedEntries,
  kind: v.literal('PAYMENT'),
  paymentRequestId: v.string(),
  payment: paymentSchema,
})
const approvalSchema = titled('ApprovalRequest', v.variant('kind', [paymentApprovalSchema, changeSchema]))

/** The approval request of a payment, with the payment in its current state. */
function approvalRecord(
  approval: Approval,
  payment: Actor<'payment'>,
  view: View,
): v.InferOutput<typeof paymentApprovalSchema> {
  const { id, terms } = payment.context
  return {
    ...askedRecord(approval),
    kind: 'PAYMENT',
    paymentRequestId: id,
    requestedBy: { type: 'AGENT', id: terms!.agentId },
    payment: paymentRecord(payment, view),
  }
}

const one = { 200: approvalSchema }

export const approvalRoutes = [
  route({
    operationId: 'listApprovalRequests',
    method: 'GET',
    path: '/api/approval-requests',
    access: { key: 'organization', scope: 'approvals:read' },
    summary: 'List approval requests',
    query: v.strictObject({ ...page, status: v.optional(enumOf(APPROVAL_STATUSES)) }),
    answers: {
      200: recordSchema('ApprovalRequestList', { requests: v.array(approvalSchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, query }) => {
      const found = await listApprovals(services, caller, query)
      const payments = (found?.actors ?? []).filter((actor) => isOf('payment', actor))
      const view = await viewOf(services, payments)
      return pageAnswer('requests', found, query, (actor) => {
        if (!isOf('payment', actor)) return changeRecord(actor as Actor<'change'>)
        return approvalRecord(actor.context.approval!, actor, view)
      })
    },
  }),
  route({
    operationId: 'getApprovalRequest',
    method: 'GET',
    path: '/api/approval-requests/:approvalRequestId',
    access: { key: 'organization', scope: 'approvals:read' },
    summary: 'Read an approval request',
    answers: one,
    handler: async ({ services, caller, params }) => {
      const id = params.approvalRequestId
      const change = await findChange(services, caller, id)
      if (change.ok) return ok(changeRecord(change.value))
      const found = await findApproval(services, caller, id)
      if (!found.ok) return found
      const { approval, payment } = found.value
      return ok(approvalRecord(approval, payment, await viewOf(services, [payment])))
    },
  }),
  route({
    operationId: 'decideApprovalRequest',
    method: 'POST',
    path: '/api/approval-requests/:approvalRequestId/decision',
    access: { key: 'organization', scope: 'approvals:write' },
    summary: 'Approve or deny a payment that an agent has requested, or a change',
    body: decisionBody,
    answers: one,
    refuses: ['EXPIRED', 'INVALID_STATUS', 'LIMIT_EXCEEDED', 'SELF_APPROVAL', 'ALREADY_DECIDED'],
    handler: async (call) => {
      const id = call.params.approvalRequestId
      const { decision, comment = null } = call.body
      if ((await findChange(call.services, call.caller, id)).ok) return decidedChange(call.services, call, id)
      return answered(
        call,
        (payment: Actor<'payment'>, view) => ok(approvalRecord(requestIn(payment, id), payment, view)),
        (caller) => decideApproval(call.services, caller, id, { decision, comment }),
      )
    },
  }),
]

/** The request that was just decided: the payment's last one. */
function requestIn(payment: Actor<'payment'>, id: string): Approval {
  const { approval } = payment.context
  if (approval?.id !== id) throw new Error(`${payment.ref} was decided by request ${id}, which it does not have`)
  return approval
}
