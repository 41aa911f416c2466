// The wallets that can be delegated to agents: balance, custody, and freezing them.
import { useState } from 'preact/hooks'
import { api, type Body, type Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Confirm, Opening } from '../components/dialog.js'
import { Long, Money } from '../components/amounts.js'
import { Filter } from '../components/filter.js'
import { Field, Form, Select, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Listed, NoResults } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { CHAIN_IDS, chainName, words } from '../format/words.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay, useSignedIn } from '../session.js'

type Wallet = Entry<'GET /api/wallets', 'wallets'>
type Custody = Body<'POST /api/wallets'>['custodyType']

const STATUSES = ['ACTIVE', 'FROZEN', 'ARCHIVED'] as const
const CUSTODY: readonly (readonly [Custody, string])[] = [
  ['MANAGED', 'Managed: Bursar creates and stores the key'],
  ['PROVIDER_A', 'Provider A'],
  ['PROVIDER_B', 'Provider B'],
  ['EXTERNAL', 'External: you pay, Bursar authorizes and records'],
  ['SMART_CONTRACT', 'Smart contract: you pay, Bursar authorizes and records'],
]

export default function Wallets({ query }: PageProps) {
  const may = useMay('MANAGER')
  const status = STATUSES.find((one) => one === query.get('status'))
  const wallets = useList(
    (cursor) => api.call('GET /api/wallets', { query: { status, cursor } }),
    (page) => page.wallets,
    [status],
  )
  const make = may && (
    <Opening
      label={
        <>
          <Icon name="plus" />
          New wallet
        </>
      }
      title="New wallet"
      class="primary"
    >
      {(close) => (
        <WalletForm
          onDone={() => {
            wallets.reload()
            close()
          }}
        />
      )}
    </Opening>
  )
  return (
    <Page
      title="Wallets"
      lead="Sources of funds. An agent can pay from a wallet once it is delegated to the agent."
      actions={make}
    >
      <div class="filters">
        <Filter
          path="wallets"
          query={query}
          label="Status"
          name="status"
          options={[['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)]}
        />
      </div>
      <Listed of={wallets} none={<None filtered={status !== undefined} />}>
        {(rows) => (
          <Table caption="Wallets" columns={columnsFor(may, wallets.reload)} rows={rows} keyOf={({ id }) => id} />
        )}
      </Listed>
    </Page>
  )
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered) return <NoResults title="No results" all={to('wallets')} />
  return (
    <Empty icon="wallets" title="No wallets yet">
      Create one here, then delegate it to an agent with limits.
    </Empty>
  )
}

const ENFORCEMENT: Record<Wallet['enforcement'], string> = {
  SIGNER: 'Only approved payments are signed',
  COOPERATIVE: 'The agent could pay without asking',
}

function columnsFor(may: boolean, reload: () => void): Column<Wallet>[] {
  const columns: Column<Wallet>[] = [
    {
      head: 'Name',
      cell: ({ name, chainId, custodyType }) => (
        <>
          <strong>{name}</strong>
          <br />
          <span class="hint">
            {chainName(chainId)}, {words(custodyType).toLowerCase()}
          </span>
        </>
      ),
    },
    {
      head: 'Enforcement',
      cell: ({ enforcement }) => (
        <>
          {words(enforcement)}
          <br />
          <span class="hint">{ENFORCEMENT[enforcement]}</span>
        </>
      ),
    },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'Balance', align: 'end', cell: ({ balance, currency }) => <Money amount={balance} currency={currency} /> },
    {
      head: 'Address',
      cell: ({ address, addressProved }) => (
        <>
          <Long text={address} />
          <br />
          <span class="hint">{addressProved ? 'Proved' : 'Not proved'}</span>
        </>
      ),
    },
  ]
  if (may)
    columns.push({
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (wallet) => <Actions of={wallet} reload={reload} />,
    })
  return columns
}

function Actions({ of: { id: walletId, name, status }, reload }: { of: Wallet; reload: () => void }) {
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const path = { walletId }
  const set = async (next: 'ACTIVE' | 'FROZEN'): Promise<string> => {
    await api.call('PATCH /api/wallets/{walletId}', { path, body: { status: next } })
    reload()
    return `${name} is ${next.toLowerCase()}`
  }
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/wallets/{walletId}', { path })
    reload()
    return `${name} was removed`
  }
  return (
    <div class="row-actions">
      {isTest && status === 'ACTIVE' && (
        <Opening label="Fund" class="small" title={`Fund ${name} (simulated)`}>
          {(close) => (
            <FundForm
              walletId={walletId}
              onDone={() => {
                reload()
                close()
              }}
            />
          )}
        </Opening>
      )}
      {status === 'ACTIVE' && (
        <Confirm
          label="Freeze"
          class="small danger"
          title={`Freeze ${name}?`}
          confirm="Freeze"
          danger
          act={() => set('FROZEN')}
        >
          No payment is executed from it until it is unfrozen.
        </Confirm>
      )}
      {status === 'FROZEN' && (
        <Confirm
          label="Unfreeze"
          class="small"
          title={`Unfreeze ${name}?`}
          confirm="Unfreeze"
          act={() => set('ACTIVE')}
        >
          Agents may pay from it again.
        </Confirm>
      )}
      <Confirm label="Remove" class="small danger" title={`Remove ${name}?`} confirm="Remove" danger act={remove}>
        Its delegations are revoked. Funds stay at its address: transfer them first if you need them. This cannot be
        undone.
      </Confirm>
    </div>
  )
}

function FundForm({ walletId, onDone }: { walletId: string; onDone: () => void }) {
  const [amount, setAmount] = useState('1000')
  const sending = useSending(async (once) => {
    await api.call('POST /api/wallets/{walletId}/fund', { path: { walletId }, body: { amount } }, once)
    onDone()
    return 'The wallet was funded'
  })
  return (
    <Form sending={sending} submit="Fund">
      <Field
        label="Amount, USDC"
        path="amount"
        required
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]{1,6})?"
        value={amount}
        onValue={setAmount}
        hint="Simulated: no funds move."
      />
    </Form>
  )
}

function WalletForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [custodyType, setCustody] = useState<Custody>('MANAGED')
  const [chainId, setChain] = useState('84532')
  const [address, setAddress] = useState('')
  const isOwn = custodyType !== 'MANAGED'
  const sending = useSending(async (once) => {
    const chainType: 'SOLANA' | 'EVM' = chainId.startsWith('solana') ? 'SOLANA' : 'EVM'
    const body = { name, custodyType, chainType, chainId, address: isOwn && address !== '' ? address : undefined }
    await api.call('POST /api/wallets', { body }, once)
    onDone()
    return `${name} was created`
  })
  return (
    <Form sending={sending} submit="Create wallet">
      <Field label="Name" path="name" required maxLength={100} value={name} onValue={setName} />
      <Select
        label="Custody"
        path="custodyType"
        options={CUSTODY}
        value={custodyType}
        onValue={(value) => setCustody(value as Custody)}
      />
      <Select
        label="Chain"
        path="chainId"
        options={CHAIN_IDS.map((id) => [id, chainName(id)])}
        value={chainId}
        onValue={setChain}
      />
      {isOwn && (
        <Field
          label="Address"
          path="address"
          value={address}
          onValue={setAddress}
          required={custodyType === 'EXTERNAL' || custodyType === 'SMART_CONTRACT'}
        />
      )}
    </Form>
  )
}
