// The message of a notification, for a person and for no format: who wants to pay whom how much for what, which rule
// asks, the sum of the day, and where to decide. All text of others passes `visible` here.
import type { AlertNotice, ApprovalNotice, ChannelEvent, Notice, NoticeDecision, TestNotice } from './notice.js'
import { amountText, inQuotes, visible } from './visibleText.js'

export interface Fact {
  label: string
  text: string
}

export interface NoticeMessage {
  /** One line. */
  subject: string
  facts: Fact[]
  link: { label: string; url: string } | null
  /** What buttons of the message decide on; null where there is nothing to decide. */
  decides: { approvalRequestId: string; contentHash: string; step: number } | null
}

const MOST = { name: 80, address: 64, text: 300, reasons: 5, items: 10, decisions: 10 }

/** `event` is what happened; a test of a channel has facts of its own. */
export function messageOf(event: ChannelEvent, notice: Notice): NoticeMessage {
  if ('test' in notice) return testMessage(notice)
  return event === 'alert.raised'
    ? alertMessage(notice as AlertNotice)
    : approvalMessage(event, notice as ApprovalNotice)
}

const HEADINGS: Record<Exclude<ChannelEvent, 'alert.raised'>, (notice: ApprovalNotice) => string> = {
  'approval.requested': () => 'Approval requested',
  'approval.escalated': () => 'Approval escalated',
  'approval.decided': ({ status }) => (status === 'APPROVED' ? 'Approved' : 'Denied'),
  'approval.expired': () => 'Approval request expired',
}

function approvalMessage(event: Exclude<ChannelEvent, 'alert.raised'>, notice: ApprovalNotice): NoticeMessage {
  const { approvalRequestId, contentHash, step, status, decisionUrl: url } = notice
  const isOpen = status === 'PENDING'
  return {
    subject: `${HEADINGS[event](notice)}: ${sumOf(notice)} to ${recipientOf(notice)}`,
    facts: [...paymentFacts(notice), ...requestFacts(notice), ...notice.decisions.slice(-MOST.decisions).map(decision)],
    link: { label: isOpen ? 'Sign in to decide' : 'Show the payment', url },
    decides: isOpen ? { approvalRequestId, contentHash, step } : null,
  }
}

function sumOf({ amount, currency }: ApprovalNotice): string {
  return `${amountText(amount)} ${visible(currency, 10)}`
}

/** The address itself: a name is somebody's word. */
function recipientOf({ recipientAddress }: ApprovalNotice): string {
  return visible(recipientAddress, MOST.address)
}

function paymentFacts(notice: ApprovalNotice): Fact[] {
  const { agentName, organizationName, recipientName, purpose, category, reference, lineItems, currency } = notice
  const items = lineItems.slice(0, MOST.items).map(({ description, quantity, unitAmount }) => ({
    label: 'Item',
    text: `${quantity} × ${amountText(unitAmount)} ${visible(currency, 10)} ${inQuotes(description, MOST.text)}`,
  }))
  const more = lineItems.length - items.length
  return [
    { label: 'Organization', text: inQuotes(organizationName, MOST.name) },
    { label: 'Agent', text: inQuotes(agentName, MOST.name) },
    { label: 'Amount', text: sumOf(notice) },
    { label: 'Recipient', text: recipientOf(notice) },
    ...given('Recipient name', recipientName, MOST.name),
    ...given('Purpose', purpose, MOST.text),
    ...given('Category', category, MOST.name),
    ...given('Reference', reference, MOST.text),
    ...items,
    ...(more > 0 ? [{ label: 'Items', text: `and ${more} more` }] : []),
  ]
}

function given(label: string, text: string | null, most: number): Fact[] {
  return text === null ? [] : [{ label, text: inQuotes(text, most) }]
}

function requestFacts({ reasons, today, currency, requiredApprovals, status, expiresAt }: ApprovalNotice): Fact[] {
  const unit = visible(currency, 10)
  const most = today === null || today.limit === null ? '' : ` of ${amountText(today.limit)}`
  const sum = today && `${amountText(today.amount)}${most} ${unit} spent or reserved`
  return [
    ...reasons.slice(0, MOST.reasons).map((reason) => ({ label: 'Reason', text: inQuotes(reason, MOST.text) })),
    ...(sum ? [{ label: 'Today', text: sum }] : []),
    ...(status === 'PENDING'
      ? [
          { label: 'Approvals required', text: String(requiredApprovals) },
          { label: 'Expires', text: timeText(expiresAt) },
        ]
      : []),
  ]
}

function decision({ by, decision: verdict, comment, at }: NoticeDecision): Fact {
  const said = comment === null ? '' : `: ${inQuotes(comment, MOST.text)}`
  const label = verdict === 'APPROVED' ? 'Approved by' : 'Denied by'
  return { label, text: `${inQuotes(by, MOST.name)}, ${timeText(at)}${said}` }
}

/** `2026-01-31 09:05 UTC` */
function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

function alertMessage(notice: AlertNotice): NoticeMessage {
  const { organizationName, severity, title, message, count, firstAt, lastAt, alertUrl: url } = notice
  return {
    subject: `${severity}: ${visible(title, 120)}`,
    facts: [
      { label: 'Organization', text: inQuotes(organizationName, MOST.name) },
      { label: 'Message', text: inQuotes(message, 2 * MOST.text) },
      { label: 'Count', text: String(count) },
      { label: 'First', text: timeText(firstAt) },
      ...(lastAt === firstAt ? [] : [{ label: 'Last', text: timeText(lastAt) }]),
    ],
    link: { label: 'Show the alert', url },
    decides: null,
  }
}

function testMessage({ organizationName, channelName }: TestNotice): NoticeMessage {
  return {
    subject: 'Test message',
    facts: [
      { label: 'Organization', text: inQuotes(organizationName, MOST.name) },
      { label: 'Channel', text: inQuotes(channelName, MOST.name) },
      { label: 'Meaning', text: 'This channel works. Nothing has to be done.' },
    ],
    link: null,
    decides: null,
  }
}
