// The subject of an approval request in one line: for lists, and as the title of the request.
import type { Entry } from '../api.js'
import { money } from '../format/money.js'
import { short, words } from '../format/words.js'
import { Named } from './amounts.js'
import { ClaimedName } from './recipientName.js'

export type ApprovalRequest = Entry<'GET /api/approval-requests', 'requests'>
export type ChangeApproval = Extract<ApprovalRequest, { kind: 'GOVERNANCE' }>
export type PaymentApproval = Extract<ApprovalRequest, { kind: 'PAYMENT' }>

export const ACTIONS: { [action in ChangeApproval['action']]: string } = {
  'policy.create': 'Create policy',
  'policy.update': 'Update policy',
  'policy.delete': 'Remove policy',
  'policy.rollback': 'Roll back policy',
  'policy.assign': 'Assign policy',
  'policy.unassign': 'Unassign policy',
  'delegation.create': 'Delegate wallet',
  'delegation.update': 'Update delegation',
  'agent.reactivate': 'Reactivate agent',
  'counterparty.trust': 'Trust counterparty',
  'counterparty.unblock': 'Unblock counterparty',
  'key.create': 'Create key',
  'member.update': 'Update member',
  'workflow.update': 'Update approval workflow',
  'webhook.update': 'Update webhook endpoint',
  'organization.unfreeze': 'Unfreeze organization',
  'governance.update': 'Update governance or time zone',
}

/** Names that agents gave are left out, because they are claims. */
export function titleOf(asked: ApprovalRequest): string {
  if (asked.kind === 'GOVERNANCE') return ACTIONS[asked.action]
  const { amount, currency, recipientAddress } = asked.payment
  return `${money(amount, currency)} to ${short(recipientAddress)}`
}

const KINDS: { [resource: string]: string } = {
  policy: 'POLICY',
  agent: 'AGENT',
  counterparty: 'COUNTERPARTY',
  workflow: 'WORKFLOW',
  member: 'PERSON',
}

/** The subject below the title: the agent's name for the recipient, or the name of what would be changed. */
export function Subject({ of: asked }: { of: ApprovalRequest }) {
  if (asked.kind === 'PAYMENT') return <ClaimedName name={asked.payment.recipientName} />
  const type = KINDS[asked.resource]
  if (type === undefined || asked.resourceId === null) return null
  return (
    <span class="hint">
      <Named type={type} id={asked.resourceId} />
    </span>
  )
}

/** `1 of 2 have approved`, or how it ended. */
export function approvalProgress(asked: ApprovalRequest): string {
  if (asked.status !== 'PENDING') return words(asked.status)
  return asked.requiredApprovals === 1 ? 'Pending' : `${asked.givenApprovals} of ${asked.requiredApprovals} approved`
}
