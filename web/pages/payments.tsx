// All requested payments, newest first; the list updates itself.
import { api } from '../api.js'
import { readAgent, readAgentOptions } from '../components/agentOptions.js'
import { Badge } from '../components/badge.js'
import { AgentLink, Money, Time } from '../components/amounts.js'
import { DateFilter, Filter } from '../components/filter.js'
import { Listed, NoResults } from '../components/list.js'
import { Page } from '../components/page.js'
import { RecipientInline } from '../components/recipientName.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { startOf } from '../format/time.js'
import { words } from '../format/words.js'
import { useList, useLoad } from '../load.js'
import type { Payment } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'

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

export default function Payments({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const [agentId, from, until] = [query.get('agent') ?? undefined, query.get('from'), query.get('until')]
  const payments = useList(
    async (cursor, signal) => {
      const wanted = { status, agentId, from: startOf(from), to: startOf(until, 1), cursor }
      return api.call('GET /api/payments', { query: wanted }, { signal })
    },
    (page) => page.payments,
    [status, agentId, from, until],
    { everyMs: EVERY_MS },
  )
  const filters = { path: 'payments', query }
  return (
    <Page title="Payments" lead={LEAD}>
      <div class="filters">
        <Filter
          {...filters}
          label="Status"
          name="status"
          options={[['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)]}
        />
        <AgentFilter {...filters} />
        <DateFilter {...filters} label="From" name="from" />
        <DateFilter {...filters} label="To" name="until" />
      </div>
      <Listed of={payments} none={<None filtered={[...query].length > 0} />}>
        {(rows) => <PaymentTable rows={rows} />}
      </Listed>
    </Page>
  )
}

/** Offers the newest agents and that of the address, which has its id as label while its name is not known. */
function AgentFilter(filters: { path: string; query: URLSearchParams }) {
  const chosen = filters.query.get('agent') ?? ''
  const offered = useLoad(() => readAgentOptions([]), [])
  const { agents = [], label = 'Agent' } = offered.data ?? {}
  const isListed = chosen === '' || agents.some(({ id }) => id === chosen)
  const missing = isListed || offered.data === undefined ? undefined : chosen
  const found = useLoad(async () => missing && ((await readAgent(missing))?.name ?? 'a removed agent'), [missing])
  const other = isListed ? [] : [[chosen, found.data ?? chosen] as const]
  const options = [['', 'All'] as const, ...other, ...agents.map(({ id, name }) => [id, name] as const)]
  return <Filter {...filters} label={label} name="agent" options={options} />
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <NoResults title="No results" all={to('payments')}>
        Change the filters to see more.
      </NoResults>
    )
  return (
    <Empty
      icon="payments"
      title="No payments yet"
      action={
        <a class="button primary" href={to('welcome')}>
          Set up an agent
        </a>
      }
    >
      Every payment request of an agent appears here, whatever the decision.
    </Empty>
  )
}

export function PaymentTable({ rows, withoutAgent = false }: { rows: Payment[]; withoutAgent?: boolean }) {
  const columns: Column<Payment>[] = [
    {
      head: 'Recipient',
      cell: (payment) => (
        <a class="row-link" href={to('payments', payment.id)}>
          <RecipientInline of={payment} />
        </a>
      ),
    },
    { head: 'Amount', align: 'end', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    ...(withoutAgent ? [] : [{ head: 'Agent', cell: ({ agentId }: Payment) => <AgentLink id={agentId} /> }]),
    { head: 'Purpose', cell: ({ purpose }) => purpose ?? '–' },
    { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  return <Table caption="Payments" columns={columns} rows={rows} keyOf={({ id }) => id} />
}
