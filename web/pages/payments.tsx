// All requested payments, newest first: searched, filtered, with the columns that a person chose, and downloaded. The
// list updates itself.
import { useAgentFilter } from '../components/agentFilter.js'
import { ButtonLink } from '../components/button.js'
import { ColumnChoice, useChosenColumns } from '../components/chosenColumns.js'
import type { FilterRow } from '../components/filter.js'
import { ListPage } from '../components/list.js'
import { Notice } from '../components/loadingStates.js'
import { PAYMENT_COLUMNS } from '../components/paymentColumns.js'
import { VIOLATIONS } from '../components/violationNames.js'
import { useWalletFilter } from '../components/walletFilter.js'
import { RAIL_NAMES } from '../format/words.js'
import { isDay, startOf } from '../format/time.js'
import { useList, useRead } from '../load.js'
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

/** Filters that links set, by their name in the address: what each is in the API, and how it is called. */
const LINKED = [
  ['counterparty', 'counterpartyId', 'recipient'],
  ['policy', 'policyId', 'policy'],
] as const

export default function Payments({ query }: PageProps) {
  const columns = useChosenColumns('payments', PAYMENT_COLUMNS)
  const days = [query.get('from'), query.get('until')] as const
  const wanted = wantedBy(query)
  const payments = useList('GET /api/payments', 'payments', { query: wanted }, { everyMs: EVERY_MS, days })
  return (
    <ListPage
      title="Payments"
      lead={LEAD}
      actions={
        <>
          <ColumnChoice of={columns} all={PAYMENT_COLUMNS} />
          <Download query={wanted} days={days} />
        </>
      }
      path="payments"
      query={query}
      filters={useFilters(query)}
      besides={<LinkedFilters query={query} />}
      of={payments}
      columns={columns.columns}
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

function useFilters(query: URLSearchParams): FilterRow[] {
  const agent = useAgentFilter(query.get('agent') ?? undefined)
  const wallet = useWalletFilter(query.get('wallet') ?? undefined)
  const categories = useRead('GET /api/stats', { query: { by: 'category' } })
  const known = categories.data?.rows.flatMap(({ category }) => category ?? []) ?? []
  return [
    { label: 'Search', name: 'search' },
    { label: 'Status', name: 'status', options: STATUSES },
    agent,
    { label: 'From', name: 'from', type: 'date' },
    { label: 'To', name: 'until', type: 'date' },
    { label: 'Amount from', name: 'min', type: 'amount', more: true },
    { label: 'Amount up to', name: 'max', type: 'amount', more: true },
    { label: 'Reason of denial', name: 'violation', options: VIOLATIONS, more: true },
    wallet,
    { label: 'Category', name: 'category', suggestions: known, more: true },
    { label: 'Rail', name: 'rail', options: RAIL_NAMES, more: true },
  ]
}

function wantedBy(query: URLSearchParams) {
  const linked = LINKED.flatMap(([name, field]) => (query.get(name) ? [[field, query.get(name)!]] : []))
  return {
    status: STATUSES.find((one) => one === query.get('status')),
    rail: RAIL_NAMES.find(([code]) => code === query.get('rail'))?.[0],
    violation: VIOLATIONS.find(([type]) => type === query.get('violation'))?.[0],
    agentId: query.get('agent') ?? undefined,
    walletId: query.get('wallet') ?? undefined,
    category: query.get('category') ?? undefined,
    amountMin: query.get('min') ?? undefined,
    amountMax: query.get('max') ?? undefined,
    search: query.get('search') ?? undefined,
    ...(Object.fromEntries(linked) as Partial<Record<(typeof LINKED)[number][1], string>>),
  }
}

interface DownloadProps {
  query: Record<string, string | undefined>
  days: readonly [string | null, string | null]
}

/** What is shown, whole, as CSV; nothing for a day that is none, which the list says. */
function Download({ query, days: [from, until] }: DownloadProps) {
  if (![from, until].every((day) => !day || isDay(day))) return null
  const wanted = { ...query, from: startOf(from), to: startOf(until, 1) }
  const given = Object.entries(wanted).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const href = `/api/payments/export?${new URLSearchParams(given).toString()}`
  return <ButtonLink href={href} download="payments.csv" icon="download" label="Download CSV" />
}

function LinkedFilters({ query }: Pick<PageProps, 'query'>) {
  const set = LINKED.flatMap(([name, , says]) => (query.get(name) ? [says] : []))
  if (set.length === 0) return null
  const others = [...query].filter(([name]) => LINKED.every(([linked]) => linked !== name))
  return (
    <Notice>
      Only payments of one {set.join(' and one ')}. <a href={to('payments', Object.fromEntries(others))}>Show all</a>
    </Notice>
  )
}
