// The wallets that can be delegated to agents: balance, custody, and freezing them.
import { api, type Entry } from '../api.js'
import { Long, Money } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { Confirm, Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { actionColumn, TwoLines, type Columns } from '../components/table.js'
import { FundForm, WalletForm } from '../components/walletForms.js'
import { chainName, words } from '../format/words.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import { useMay, useSignedIn } from '../session.js'

type Wallet = Entry<'GET /api/wallets', 'wallets'>

const STATUSES = ['ACTIVE', 'FROZEN', 'ARCHIVED'] as const

export default function Wallets({ query }: PageProps) {
  const may = useMay('MANAGER')
  const status = STATUSES.find((one) => one === query.get('status'))
  const wallets = useList('GET /api/wallets', 'wallets', { query: { status } })
  const create = may && (
    <Opening label="New wallet" icon="plus" title="New wallet" class="primary">
      <WalletForm onDone={wallets.reload} />
    </Opening>
  )
  return (
    <ListPage
      title="Wallets"
      lead="Sources of funds. An agent can pay from a wallet once it is delegated to the agent."
      actions={create}
      path="wallets"
      query={query}
      filters={[{ label: 'Status', name: 'status', options: STATUSES }]}
      of={wallets}
      columns={columnsFor(may, wallets.reload)}
      none={{
        icon: 'wallets',
        title: 'No wallets yet',
        children: 'Create one here, then delegate it to an agent with limits.',
      }}
    />
  )
}

const ENFORCEMENT: Record<Wallet['enforcement'], string> = {
  SIGNER: 'Only approved payments are signed',
  COOPERATIVE: 'The agent could pay without asking',
}

const columnsFor = (may: boolean, reload: () => void): Columns<Wallet> => [
  {
    head: 'Name',
    cell: ({ name, chainId, custodyType }) => (
      <TwoLines first={<strong>{name}</strong>} second={`${chainName(chainId)}, ${words(custodyType).toLowerCase()}`} />
    ),
  },
  {
    head: 'Enforcement',
    cell: ({ enforcement }) => <TwoLines first={words(enforcement)} second={ENFORCEMENT[enforcement]} />,
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Balance', align: 'end', cell: ({ balance, currency }) => <Money amount={balance} currency={currency} /> },
  {
    head: 'Address',
    cell: ({ address, addressProved }) => (
      <TwoLines first={<Long text={address} />} second={addressProved ? 'Ownership proved' : 'Ownership not proved'} />
    ),
  },
  may && actionColumn((wallet) => <Actions of={wallet} reload={reload} />),
]

function Actions({ of: { id: walletId, name, status }, reload }: { of: Wallet; reload: () => void }) {
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const path = { walletId }
  const set = (next: 'ACTIVE' | 'FROZEN') => api.call('PATCH /api/wallets/{walletId}', { path, body: { status: next } })
  return (
    <>
      {isTest && status === 'ACTIVE' && (
        <Opening label="Fund" title={`Fund ${name} (simulated)`}>
          <FundForm walletId={walletId} onDone={reload} />
        </Opening>
      )}
      {status === 'ACTIVE' && (
        <Confirm
          label="Freeze"
          title={`Freeze ${name}?`}
          danger
          act={() => set('FROZEN')}
          after={reload}
          done={`${name} is frozen`}
        >
          No payment is executed from it until it is unfrozen.
        </Confirm>
      )}
      {status === 'FROZEN' && (
        <Confirm
          label="Unfreeze"
          title={`Unfreeze ${name}?`}
          act={() => set('ACTIVE')}
          after={reload}
          done={`${name} is active`}
        >
          Agents may pay from it again.
        </Confirm>
      )}
      <Confirm
        label="Remove"
        title={`Remove ${name}?`}
        danger
        act={() => api.call('DELETE /api/wallets/{walletId}', { path })}
        after={reload}
        done={`${name} was removed`}
      >
        Its delegations are revoked. Funds stay at its address: transfer them first if you need them. This cannot be
        undone.
      </Confirm>
    </>
  )
}
