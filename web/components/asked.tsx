// What an approval request is about, in a line: for lists, and for the head of the request itself.
import type { Entry } from '../api.js'
import { money } from '../format/money.js'
import { short, words } from '../format/words.js'

export type Asked = Entry<'GET /api/approval-requests', 'requests'>
export type AskedChange = Extract<Asked, { kind: 'GOVERNANCE' }>
export type AskedPayment = Extract<Asked, { kind: 'PAYMENT' }>

export const ACTIONS: { [action in AskedChange['action']]: string } = {
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
  'governance.update': 'Change governance',
}

export function titleOf(asked: Asked): string {
  if (asked.kind === 'GOVERNANCE') return ACTIONS[asked.action]
  const { amount, currency, recipientName, recipientAddress } = asked.payment
  return `${money(amount, currency)} to ${recipientName ?? short(recipientAddress)}`
}

/** `1 of 2 have approved`, or how it ended. */
export function standingOf(asked: Asked): string {
  if (asked.status !== 'PENDING') return words(asked.status)
  return asked.requiredApprovals === 1 ? 'Waits' : `${asked.givenApprovals} of ${asked.requiredApprovals} agreed`
}
