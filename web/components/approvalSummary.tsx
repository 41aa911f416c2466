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
  'policy.create': 'Make a policy',
  'policy.update': 'Change a policy',
  'policy.delete': 'Remove a policy',
  'policy.rollback': 'Roll a policy back',
  'policy.assign': 'Assign a policy',
  'policy.unassign': 'Take a policy away',
  'delegation.create': 'Delegate a wallet',
  'delegation.update': 'Change the terms of a delegation',
  'agent.reactivate': 'Reactivate an agent',
  'counterparty.trust': 'Trust a counterparty',
  'counterparty.unblock': 'Unblock a counterparty',
  'key.create': 'Make a key',
  'member.update': 'Change a member',
  'workflow.update': 'Change who approves',
  'webhook.update': 'Change where events go',
  'organization.unfreeze': 'Unfreeze the organization',
  'governance.update': 'Change governance or the time zone',
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
  return asked.requiredApprovals === 1 ? 'Waits' : `${asked.givenApprovals} of ${asked.requiredApprovals} agreed`
}
