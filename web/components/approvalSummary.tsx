// The subject of an approval request in one line: for lists, and as the title of the request.
import { words } from '../format/words.js'
import type { ApprovalRequest, ChangeApproval } from '../records.js'
import { Named } from './amounts.js'
import { ClaimedName } from './recipientName.js'
import { paymentTitle } from '../format/recipient.js'

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
  'agent.autoFreeze': 'Relax automatic freeze',
  'counterparty.trust': 'Trust counterparty',
  'counterparty.unblock': 'Unblock counterparty',
  'key.create': 'Create key',
  'member.update': 'Update member',
  'workflow.update': 'Update approval workflow',
  'webhook.update': 'Update webhook endpoint',
  'channel.update': 'Update notification channel',
  'organization.unfreeze': 'Unfreeze organization',
  'governance.update': 'Update governance or time zone',
}

export function titleOf(approval: ApprovalRequest): string {
  return approval.kind === 'GOVERNANCE' ? ACTIONS[approval.action] : paymentTitle(approval.payment)
}

const KINDS: { [resource: string]: string } = {
  policy: 'POLICY',
  agent: 'AGENT',
  counterparty: 'COUNTERPARTY',
  workflow: 'WORKFLOW',
  member: 'PERSON',
}

/** The subject below the title: the agent's name for the recipient, or the name of what would be changed. */
export function Subject({ of: approval }: { of: ApprovalRequest }) {
  if (approval.kind === 'PAYMENT') return <ClaimedName name={approval.payment.recipientName} />
  const type = KINDS[approval.resource]
  if (type === undefined || approval.resourceId === null) return null
  return (
    <span class="hint">
      <Named type={type} id={approval.resourceId} />
    </span>
  )
}

/** `1 of 2 have approved`, or how it ended. */
export function approvalProgress(approval: ApprovalRequest): string {
  if (approval.status !== 'PENDING') return words(approval.status)
  return approval.requiredApprovals === 1
    ? 'Pending'
    : `${approval.givenApprovals} of ${approval.requiredApprovals} approved`
}
