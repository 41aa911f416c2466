// All requested payments, newest first; the list updates itself.
import { useAgentFilter } from '../components/agentFilter.js'
import { ButtonLink } from '../components/button.js'
import { ListPage } from '../components/list.js'
import { paymentColumns } from '../components/paymentColumns.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import { to } from '../router.js'

const STATUSES = [
  'EXECUTED',
  'REQUIRES_APPROVAL',
  'APPROVED',
  'DENIED',
  'EXECUTING',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const
const EVERY_MS = 4000

const LEAD =
  'Payment requests of agents, with their decisions and outcomes. ' +
  'Names in quotation marks are given by agents and not verified.'

const COLUMNS = paymentColumns(true)

export default function Payments({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const agentId = query.get('agent') ?? undefined
  const days = [query.get('from'), query.get('until')] as const
  const wanted = { query: { status, agentId } }
  const payments = useList('GET /api/payments', 'payments', wanted, { everyMs: EVERY_MS, days })
  return (
    <ListPage
      title="Payments"
      lead={LEAD}
      path="payments"
      query={query}
      filters={[
        { label: 'Status', name: 'status', options: STATUSES },
        useAgentFilter(agentId),
        { label: 'From', name: 'from', type: 'date' },
        { label: 'To', name: 'until', type: 'date' },
      ]}
      of={payments}
      columns={COLUMNS}
      none={{
        icon: 'payments',
        title: 'No payments yet',
        children: 'Every payment request of an agent appears here, whatever the decision.',
        action: <ButtonLink primary href={to('welcome')} label="Set up an agent" />,
      }}
      noResults="Change the filters to see more."
    />
  )
}
