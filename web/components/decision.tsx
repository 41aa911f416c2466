// What deciding on one request and on several have in common: who may decide, what is asked, and how it is sent.
import { api } from '../api.js'
import type { ApprovalRequest } from '../records.js'
import { useMay, useSignedIn } from '../session.js'
import type { Once } from './form.js'
import { RequestedChange } from './requestedChange.js'
import { RequestedPayment } from './requestedPayment.js'

export type Verdict = 'APPROVED' | 'DENIED'

/** Why a person cannot decide on a request. */
export const BARRIERS = {
  ROLE: 'Your role cannot decide approvals. Admins and owners can.',
  DECIDED: 'You have decided. Waiting for other approvers.',
  OWN: 'You requested this, so someone else must decide.',
} as const

/** What keeps the person from deciding on a request; the service decides in any case. */
export function useBarrier(): (approval: ApprovalRequest) => keyof typeof BARRIERS | undefined {
  const { member } = useSignedIn()
  const may = useMay('ADMIN')
  return ({ decisions, requestedBy }) => {
    if (!may) return 'ROLE'
    if (decisions.some(({ by, lapsed }) => by.id === member.id && lapsed !== true)) return 'DECIDED'
    return requestedBy.id === member.id ? 'OWN' : undefined
  }
}

interface Decided {
  decision: Verdict
  comment: string | undefined
}

/** A decision is on a request as it was asked: where that has changed since, the service refuses it. */
export function sendDecision({ id }: ApprovalRequest, { decision, comment }: Decided, once: Once) {
  const parts = { path: { approvalRequestId: id }, body: { decision, comment: comment || null } }
  return api.call('POST /api/approval-requests/{approvalRequestId}/decision', parts, once)
}

/** Everything that a decision needs. */
export function Requested({ of: approval }: { of: ApprovalRequest }) {
  return approval.kind === 'PAYMENT' ? (
    <RequestedPayment approval={approval} />
  ) : (
    <RequestedChange approval={approval} />
  )
}
