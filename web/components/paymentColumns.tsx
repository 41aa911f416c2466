// Payments as rows of a table. On a phone each takes two lines: recipient and amount, status and time.
import { railName } from '../format/words.js'
import type { Payment } from '../records.js'
import { to } from '../router.js'
import { AgentLink, Long, Money, Named, Time } from './amounts.js'
import { Badge } from './badge.js'
import type { ChoosableColumn } from './chosenColumns.js'
import { RecipientCell } from './recipientName.js'

export const PAYMENT_COLUMNS: readonly ChoosableColumn<Payment>[] = [
  {
    id: 'recipient',
    head: 'Recipient',
    shown: 'always',
    place: 'name',
    cell: (payment) => (
      <RecipientCell
        of={payment}
        href={to('payments', payment.id)}
        about={payment.rail === 'X402' && `by\u00a0${railName(payment.rail)}`}
      />
    ),
  },
  {
    id: 'amount',
    head: 'Amount',
    shown: 'always',
    place: 'end',
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { id: 'status', head: 'Status', shown: 'first', place: 'about', cell: (payment) => <Outcome of={payment} /> },
  { id: 'agent', head: 'Agent', shown: 'first', cell: ({ agentId }) => <AgentLink id={agentId} /> },
  { id: 'purpose', head: 'Purpose', shown: 'first', cell: ({ purpose }) => purpose ?? '–' },
  { id: 'category', head: 'Category', shown: 'later', cell: ({ category }) => category ?? '–' },
  {
    id: 'wallet',
    head: 'Wallet',
    shown: 'later',
    cell: ({ wallet }) => (wallet?.id ? <Named type="WALLET" id={wallet.id} /> : '–'),
  },
  { id: 'rail', head: 'Rail', shown: 'later', cell: ({ rail }) => railName(rail) },
  { id: 'reference', head: 'Reference', shown: 'later', cell: ({ reference }) => reference ?? '–' },
  { id: 'id', head: 'Payment ID', shown: 'later', cell: ({ id }) => <Long text={id} what="payment id" /> },
  {
    id: 'requested',
    head: 'Requested',
    shown: 'first',
    place: 'aside',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

/** Those of a list that is about one agent or one wallet. */
export const BRIEF_COLUMNS = PAYMENT_COLUMNS.filter(({ shown }) => shown !== 'later')
export const AGENT_COLUMNS = BRIEF_COLUMNS.filter(({ id }) => id !== 'agent')

/** With the first reason of a denial, where the list has it. */
function Outcome({ of: { status, denial } }: { of: Payment }) {
  return (
    <>
      <Badge status={status} />
      {denial && (
        <span class="hint reason" title={denial.message}>
          {denial.message}
        </span>
      )}
    </>
  )
}
