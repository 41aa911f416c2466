// Approval requests of payments and their decisions, and the workflows that define who decides.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type Comment = Body<'POST /api/approval-requests/{approvalRequestId}/decision'>['comment']

export function approvals({ call, list }: Client) {
  const decide = (
    approvalRequestId: string,
    body: Body<'POST /api/approval-requests/{approvalRequestId}/decision'>,
    options?: CallOptions,
  ) => call('POST /api/approval-requests/{approvalRequestId}/decision', { path: { approvalRequestId }, body }, options)
  return {
    list: (query?: Query<'GET /api/approval-requests'>, options?: CallOptions) =>
      list('GET /api/approval-requests', 'requests', { query }, options),
    get: (approvalRequestId: string, options?: CallOptions) =>
      call('GET /api/approval-requests/{approvalRequestId}', { path: { approvalRequestId } }, options),
    /**
     * Throws SELF_APPROVAL, ALREADY_DECIDED or INSUFFICIENT_SCOPE if the caller may not decide it, INVALID_STATUS if it
     * is not pending.
     */
    decide,
    approve: (approvalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(approvalRequestId, { decision: 'APPROVED', comment }, options),
    deny: (approvalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(approvalRequestId, { decision: 'DENIED', comment }, options),
  }
}

export function workflows({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/approval-workflows'>, options?: CallOptions) =>
      list('GET /api/approval-workflows', 'workflows', { query }, options),
    get: (workflowId: string, options?: CallOptions) =>
      call('GET /api/approval-workflows/{workflowId}', { path: { workflowId } }, options),
    create: (body: Body<'POST /api/approval-workflows'>, options?: CallOptions) =>
      call('POST /api/approval-workflows', { body }, options),
    update: (workflowId: string, body: Body<'PATCH /api/approval-workflows/{workflowId}'>, options?: CallOptions) =>
      call('PATCH /api/approval-workflows/{workflowId}', { path: { workflowId }, body }, options),
    delete: (workflowId: string, options?: CallOptions) =>
      call('DELETE /api/approval-workflows/{workflowId}', { path: { workflowId } }, options),
  }
}
