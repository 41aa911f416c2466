// Payments as rows of a table.
import type { Payment } from '../records.js'
import { to } from '../router.js'
import { AgentLink, Money, Time } from './amounts.js'
import { Badge } from './badge.js'
import { RecipientInline } from './recipientName.js'
import { RowLink, type Columns } from './table.js'

export const paymentColumns = (withAgent: boolean): Columns<Payment> => [
  {
    head: 'Recipient',
    cell: (payment) => (
      <RowLink href={to('payments', payment.id)}>
        <RecipientInline of={payment} />
      </RowLink>
    ),
  },
  { head: 'Amount', align: 'end', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  withAgent && { head: 'Agent', cell: ({ agentId }) => <AgentLink id={agentId} /> },
  { head: 'Purpose', cell: ({ purpose }) => purpose ?? '–' },
  { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
