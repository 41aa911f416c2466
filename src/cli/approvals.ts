// bursar approvals: lists approval requests of payments and changes, and approves or denies them.
import type { ApprovalRequest } from '../../sdk/index.js'
import { APPROVAL_STATUSES } from '../domain/approval.js'
import { asking, type AskingRow, type Shown } from './asking.js'
import { choice } from './choice.js'
import { EXIT } from './command.js'
import { listed } from './listed.js'
import { record, type Columns } from './show.js'

/** The subject of a request, in a few words. */
function subject(request: ApprovalRequest): string {
  if (request.kind === 'GOVERNANCE') return `${request.action} ${request.resource} ${request.resourceId ?? ''}`.trim()
  const { amount, currency, recipientAddress } = request.payment
  return `${amount} ${currency} to ${recipientAddress}`
}

const COLUMNS: Columns<ApprovalRequest> = {
  ID: ({ id }) => id,
  KIND: ({ kind }) => kind,
  STATUS: ({ status }) => status,
  SUBJECT: subject,
  DECIDED: ({ givenApprovals, requiredApprovals }) => `${givenApprovals} of ${requiredApprovals}`,
  EXPIRES: ({ expiresAt }) => expiresAt,
}

function shown(request: ApprovalRequest): Shown {
  const { id, kind, status, expiresAt } = request
  const fields = { id, kind, status, subject: subject(request), expires: expiresAt }
  if (request.kind === 'PAYMENT') return { json: request, lines: (style) => record(fields, style) }
  const { change, application } = request
  const failed = application?.status === 'REFUSED' || application?.status === 'STALE'
  // The change is shown in full, because people must see what they decide on.
  const more = { change: JSON.stringify(change), applied: application?.status, error: application?.error }
  return {
    json: request,
    lines: (style) => record({ ...fields, ...more }, style),
    exit: failed ? EXIT.refused : EXIT.ok,
  }
}

function deciding(word: 'approve' | 'deny', summary: string): AskingRow {
  return {
    usage: `approvals ${word} APPROVAL [--comment TEXT]`,
    summary,
    run: async ({ bursar, words: [id], text }) => shown(await bursar.approvals[word](id!, text('comment'))),
  }
}

export const approvalCommands = {
  'approvals list': asking({
    usage: 'approvals list [--status STATUS] [--limit N]',
    summary: `list approval requests; STATUS is one of ${APPROVAL_STATUSES.join(', ')}`,
    run: async (asking) => {
      const status = choice('--status', APPROVAL_STATUSES, asking.text('status'))
      return listed<ApprovalRequest>(asking, asking.bursar.approvals.list({ status }), COLUMNS)
    },
  }),
  'approvals show': asking({
    usage: 'approvals show APPROVAL',
    summary: 'show an approval request',
    run: async ({ bursar, words: [id] }) => shown(await bursar.approvals.get(id!)),
  }),
  'approvals approve': asking(deciding('approve', 'approve a payment or a change')),
  'approvals deny': asking(deciding('deny', 'deny a payment or a change')),
}
