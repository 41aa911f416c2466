// All counterparties: how far they are trusted, and what they were paid.
import type { Entry } from '../api.js'
import { Money, Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { CounterpartyForm } from '../components/counterpartyForm.js'
import { Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { CounterpartyName } from '../components/recipient.js'
import { NameCell } from '../components/nameCell.js'
import { type Columns } from '../components/table.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'

const STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const

const COLUMNS: Columns<Entry<'GET /api/counterparties', 'counterparties'>> = [
  {
    head: 'Name',
    cell: (counterparty) => (
      <NameCell
        name={<CounterpartyName of={counterparty} />}
        href={to('counterparties', counterparty.id)}
        about={words(counterparty.category)}
        id={counterparty.address}
        what="address"
      />
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Trust score', align: 'end', cell: ({ trustScore }) => `${trustScore} of 100` },
  { head: 'Total paid', align: 'end', cell: ({ totalVolume }) => <Money amount={totalVolume} /> },
  { head: 'Last payment', cell: ({ lastTransactionAt: at }) => (at === null ? 'never' : <Time at={at} />) },
]

export default function Counterparties({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const counterparties = useList('GET /api/counterparties', 'counterparties', { query: { status, search } })
  const add = useMay('MANAGER') && (
    <Opening label="New counterparty" icon="plus" title="New counterparty" class="primary">
      <CounterpartyForm onDone={({ id }) => go(to('counterparties', id))} />
    </Opening>
  )
  return (
    <ListPage
      title="Counterparties"
      lead="Recipients of payments. A counterparty is added with its first payment; trust and blocks apply to its address."
      actions={add}
      path="counterparties"
      query={query}
      filters={[
        { label: 'Search name or address', name: 'search' },
        { label: 'Status', name: 'status', options: STATUSES },
      ]}
      of={counterparties}
      columns={COLUMNS}
      none={{
        icon: 'counterparties',
        title: 'No counterparties yet',
        children:
          'Every recipient of a payment is added automatically. You can add trusted or blocked ones beforehand.',
      }}
      noResults="Change the search or the status."
    />
  )
}
