// bursar approvals: lists approval requests of payments and changes, approves or denies them, and collects the secret of
// an approved change.
import type { ApprovalRequest, BursarAdmin } from '../../sdk/index.js'
import { APPROVAL_STATUSES } from '../domain/payment/approval.js'
import { asking, type AskingRow, type Shown } from './terminal/asking.js'
import { choice } from './terminal/arguments.js'
import { EXIT } from './terminal/command.js'
import { minted } from './keys.js'
import { printedList } from './terminal/listed.js'
import { record, type Cell, type Columns } from './terminal/show.js'

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

/** Quotes the comment, which could otherwise look like another decision. */
function decided({ by, decision, comment, lapsed }: ApprovalRequest['decisions'][number]): string {
  const said = comment === null ? '' : `: ${JSON.stringify(comment)}`
  return `${decision} by ${by.name} (${by.type} ${by.id})${lapsed ? ', lapsed' : ''}${said}`
}

function fieldsOf(request: ApprovalRequest): { [name: string]: Cell } {
  const { id, kind, status, decisions, reasons, requestedBy, expiresAt } = request
  const common = {
    id,
    kind,
    status,
    subject: subject(request),
    reasons: reasons.join('; ') || null,
    approvals: COLUMNS['DECIDED']!(request),
    decisions: decisions.map(decided).join('; ') || null,
    expires: expiresAt,
  }
  if (request.kind === 'PAYMENT') {
    const { requestId: payment, agentId: agent, purpose } = request.payment
    return { ...common, payment, agent, purpose }
  }
  const { change, application } = request
  return {
    ...common,
    'requested by': `${requestedBy.type} ${requestedBy.id}`,
    // In full, because people must see what they decide on.
    change: JSON.stringify(change),
    applied: application?.status,
    error: application?.error,
  }
}

function shown(request: ApprovalRequest): Shown {
  const applied = request.kind === 'GOVERNANCE' ? request.application?.status : undefined
  const failed = applied === 'REFUSED' || applied === 'STALE'
  return {
    json: request,
    lines: (style) => record(fieldsOf(request), style),
    exit: failed ? EXIT.refused : EXIT.ok,
  }
}

type Collected = Awaited<ReturnType<BursarAdmin['governance']['collect']>>

function collected(answer: Collected): Shown {
  if ('key' in answer) return minted(answer)
  const fields =
    'webhookSecret' in answer
      ? { secret: answer.webhookSecret }
      : 'email' in answer
        ? { id: answer.id, email: answer.email, role: answer.role, 'set-up link': answer.setupUrl }
        : { id: answer.id, name: answer.name, 'signing secret': answer.secret }
  return {
    json: answer,
    lines: (style) => [...record(fields, style), 'This is shown only once: keep it safe'],
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
      return printedList<ApprovalRequest>(asking, asking.bursar.approvals.list({ status }), COLUMNS)
    },
  }),
  'approvals show': asking({
    usage: 'approvals show APPROVAL',
    summary: 'show an approval request',
    run: async ({ bursar, words: [id] }) => shown(await bursar.approvals.get(id!)),
  }),
  'approvals approve': asking(deciding('approve', 'approve a payment or a change')),
  'approvals deny': asking(deciding('deny', 'deny a payment or a change')),
  'approvals collect': asking({
    usage: 'approvals collect APPROVAL',
    summary: 'apply an approved change that you requested, and show its key, link or secret only once',
    run: async ({ bursar, words: [id] }) => collected(await bursar.governance.collect(id!)),
  }),
}
