// bursar approvals: what waits for a person, and the person's word.
import type { ApprovalRequest, ApprovalRequestList } from '../../sdk/index.js'
import { asking, type AskingRow, type Shown } from './asking.js'
import { choice } from './choice.js'
import { listed } from './listed.js'
import { record, type Columns } from './show.js'

const STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const
type Listed = (ApprovalRequest | ApprovalRequestList['requests'][number]) & {
  payment?: { amount: number; currency: string; recipientAddress: string; status?: string }
}

/** The amount of a payment, or the change that waits. */
const subjectOf = (request: Listed): string => {
  if (request.kind === 'GOVERNANCE') return `${request.action} ${request.resource} ${request.resourceId ?? ''}`.trim()
  return request.payment ? `${request.payment.amount} ${request.payment.currency}` : ''
}

const COLUMNS: Columns<Listed> = {
  ID: ({ id }) => id,
  KIND: ({ kind }) => kind,
  STATUS: ({ status }) => status,
  SUBJECT: subjectOf,
  TO: ({ payment }) => payment?.recipientAddress,
  DECIDED: ({ decisions, requiredApprovals }) => `${decisions.length} of ${requiredApprovals}`,
  EXPIRES: ({ expiresAt }) => expiresAt,
}

const shown = (request: ApprovalRequest): Shown => ({
  json: request,
  lines: (style) => {
    const { id, kind, status, payment, expiresAt }: Listed = request
    const paid = payment && { to: payment.recipientAddress, payment: payment.status ?? null }
    return record({ id, kind, status, subject: subjectOf(request), ...paid, expires: expiresAt }, style)
  },
})

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
    summary: `what people are asked; STATUS is one of ${STATUSES.join(', ')}`,
    run: async (asking) => {
      const status = choice('--status', STATUSES, asking.text('status'))
      return listed<Listed>(asking, asking.bursar.approvals.list({ status }), COLUMNS)
    },
  }),
  'approvals approve': asking(deciding('approve', 'say yes')),
  'approvals deny': asking(deciding('deny', 'say no')),
}
