// The wallets that can be delegated to agents: what each holds and what is available, custody, and freezing them.
import { Money } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import { actionColumn, TwoLines, type Columns } from '../components/table.js'
import { WalletActions } from '../components/walletActions.js'
import { availableIn, custodyText, enforcementText } from '../components/walletFacts.js'
import { WalletForm } from '../components/walletForms.js'
import { decimal } from '../format/money.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import type { Wallet } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'

const STATUSES = ['ACTIVE', 'FROZEN', 'ARCHIVED'] as const

export default function Wallets({ query }: PageProps) {
  const may = useMay('MANAGER')
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const wallets = useList('GET /api/wallets', 'wallets', { query: { status, search } })
  const create = may && (
    <Opening label="New wallet" icon="plus" title="New wallet" class="primary">
      <WalletForm onDone={({ id }) => go(to('wallets', id))} />
    </Opening>
  )
  return (
    <ListPage
      title="Wallets"
      lead="Sources of funds. An agent can pay from a wallet once it is delegated to the agent."
      actions={create}
      path="wallets"
      query={query}
      filters={[
        { label: 'Search name or address', name: 'search' },
        { label: 'Status', name: 'status', options: STATUSES },
      ]}
      of={wallets}
      columns={columnsFor(may, wallets.reload)}
      none={{
        icon: 'wallets',
        title: 'No wallets yet',
        children: 'Create one here, then delegate it to an agent with limits.',
      }}
      noResults="Change the search or the status."
    />
  )
}

const columnsFor = (may: boolean, reload: () => void): Columns<Wallet> => [
  {
    head: 'Name',
    cell: (wallet) => (
      <NameCell
        name={wallet.name}
        href={to('wallets', wallet.id)}
        about={custodyText(wallet)}
        id={wallet.address}
        what="address"
      />
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Balance', align: 'end', cell: ({ balance, currency }) => <Money amount={balance} currency={currency} /> },
  {
    head: 'Available',
    align: 'end',
    cell: (wallet) => (
      <TwoLines
        first={<Money amount={availableIn(wallet)} currency={wallet.currency} />}
        second={wallet.reserved > 0 && `${decimal(wallet.reserved)} reserved`}
      />
    ),
  },
  {
    head: 'Enforcement',
    cell: ({ enforcement, addressProved }) => (
      <TwoLines
        first={enforcementText(enforcement)}
        second={addressProved ? 'Ownership proved' : 'Ownership not proved'}
      />
    ),
  },
  may && actionColumn((wallet) => <WalletActions of={wallet} reload={reload} />),
]
