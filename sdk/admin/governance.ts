// Changes that wait for a second person: what is asked for, and the decisions. Payments wait in `approvals`.
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
    decide,
    approve: (governanceApprovalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(governanceApprovalRequestId, { decision: 'APPROVED', comment }, options),
    deny: (governanceApprovalRequestId: string, comment?: Comment, options?: CallOptions) =>
      decide(governanceApprovalRequestId, { decision: 'DENIED', comment }, options),
    /** What only the asker may see of an approved change: a new key, link or secret, once. */
    collect: (governanceApprovalRequestId: string, options?: CallOptions) => {
      const path = { governanceApprovalRequestId }
      const answer = call('POST /api/governance/approvals/{governanceApprovalRequestId}/collect', { path }, options)
      return withSecret(answer, 'ask for the change again')
    },
  }
}
