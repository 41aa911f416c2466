// What an approval request is about, in a line: for lists, and for the head of the request itself.
import type { Entry } from '../api.js'
import { money } from '../format/money.js'
import { short, words } from '../format/words.js'

export type Asked = Entry<'GET /api/approval-requests', 'requests'>
export type AskedChange = Extract<Asked, { kind: 'GOVERNANCE' }>
export type AskedPayment = Extract<Asked, { kind: 'PAYMENT' }>

export function titleOf(asked: Asked): string {
  if (asked.kind === 'GOVERNANCE') return words(asked.action)
  const { amount, currency, recipientName, recipientAddress } = asked.payment
  return `${money(amount, currency)} to ${recipientName ?? short(recipientAddress)}`
}

export const agreedBy = ({ decisions }: Asked): number =>
  decisions.filter(({ decision }) => decision === 'APPROVED').length

/** `1 of 2 have approved`, or how it ended. */
export function standingOf(asked: Asked): string {
  if (asked.status !== 'PENDING') return words(asked.status)
  return asked.requiredApprovals === 1 ? 'Waits' : `${agreedBy(asked)} of ${asked.requiredApprovals} agreed`
}
