// All counterparties: how far they are trusted, and what they were paid.
import { api, type Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { CounterpartyForm } from '../components/counterpartyForm.js'
import { CounterpartyName } from '../components/recipient.js'
import { Opening } from '../components/dialog.js'
import { Long, Money, Time } from '../components/amounts.js'
import { Filter, SearchFilter } from '../components/filter.js'
import { Icon } from '../components/icon.js'
import { Listed, NoResults } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Counterparty = Entry<'GET /api/counterparties', 'counterparties'>

const STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const

const COLUMNS: Column<Counterparty>[] = [
  {
    head: 'Name',
    cell: (counterparty) => (
      <a class="row-link" href={to('counterparties', counterparty.id)}>
        <CounterpartyName of={counterparty} />
      </a>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Trust score', align: 'end', cell: ({ trustScore }) => `${trustScore} of 100` },
  { head: 'Category', cell: ({ category }) => words(category) },
  { head: 'Total paid', align: 'end', cell: ({ totalVolume }) => <Money amount={totalVolume} /> },
  {
    head: 'Last payment',
    cell: ({ lastTransactionAt }) => (lastTransactionAt === null ? 'never' : <Time at={lastTransactionAt} />),
  },
  { head: 'Address', cell: ({ address }) => <Long text={address} /> },
]

export default function Counterparties({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const counterparties = useList(
    (cursor) => api.call('GET /api/counterparties', { query: { status, search, cursor } }),
    (page) => page.counterparties,
    [status, search],
  )
  const make = useMay('MANAGER') && (
    <Opening
      label={
        <>
          <Icon name="plus" />
          New counterparty
        </>
      }
      title="New counterparty"
      class="primary"
    >
      {() => <CounterpartyForm onDone={({ id }) => go(to('counterparties', id))} />}
    </Opening>
  )
  const filters = { path: 'counterparties', query }
  return (
    <Page
      title="Counterparties"
      lead="Recipients of payments. A counterparty is added with its first payment; trust and blocks apply to its address."
      actions={make}
    >
      <div class="filters">
        <SearchFilter {...filters} label="Search name or address" name="search" />
        <Filter
          {...filters}
          label="Status"
          name="status"
          options={[['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)]}
        />
      </div>
      <Listed of={counterparties} none={<None filtered={[...query].length > 0} />}>
        {(rows) => <Table caption="Counterparties" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </Listed>
    </Page>
  )
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <NoResults title="No results" all={to('counterparties')}>
        Change the search or the status.
      </NoResults>
    )
  return (
    <Empty icon="counterparties" title="No counterparties yet">
      Every recipient of a payment is added automatically. You can add trusted or blocked ones beforehand.
    </Empty>
  )
}
