// Changes that wait for approval, and the decisions on them. Payments that need approval are in `approvals`.
import type { Body, Client, Query } from '../call.js'
import { withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

type Comment = Body<'POST /api/governance/approvals/{governanceApprovalRequestId}/decision'>['comment']

export function governance({ call, list }: Client) {
  const decide = (
    governanceApprovalRequestId: string,
    body: Body<'POST /api/governance/approvals/{governanceApprovalRequestId}/decision'>,
    options?: CallOptions,
  ) => {
    const path = { governanceApprovalRequestId }
    return call('POST /api/governance/approvals/{governanceApprovalRequestId}/decision', { path, body }, options)
  }
  return {
    list: (query?: Query<'GET /api/governance/approvals'>, options?: CallOptions) =>
      list('GET /api/governance/approvals', 'requests', { query }, options),
    get: (governanceApprovalRequestId: string, options?: CallOptions) => {
      const path = { governanceApprovalRequestId }
      return call('GET /api/governance/approvals/{governanceApprovalRequestId}', { path }, options)
    },
    /**
     * The last required approval carries the change out. Throws SELF_APPROVAL or ALREADY_DECIDED if the caller may not
     * decide it, INVALID_STATUS if it is not pending or its subject has changed since the request.
     */
    decide,
    approve: (governanceApprovalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(governanceApprovalRequestId, { decision: 'APPROVED', comment }, options),
    deny: (governanceApprovalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(governanceApprovalRequestId, { decision: 'DENIED', comment }, options),
    /** Carries out an approved change and shows its new key, link or secret once, to the requester only. */
    collect: (governanceApprovalRequestId: string, options?: CallOptions) => {
      const path = { governanceApprovalRequestId }
      const answer = call('POST /api/governance/approvals/{governanceApprovalRequestId}/collect', { path }, options)
      return withSecret(answer, 'request the change again')
    },
  }
}
