// The forms for a new wallet, for its name, and for the balance of a simulated one.
import { api, type Body } from '../api.js'
import { useDraft } from '../edit.js'
import { CHAIN_IDS, chainName } from '../format/words.js'
import type { Wallet } from '../records.js'
import { EditForm } from './editForm.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { CLOSES, Form, useSending } from './form.js'

type Custody = Body<'POST /api/wallets'>['custodyType']

const CUSTODY: readonly (readonly [Custody, string])[] = [
  ['MANAGED', 'Managed: Bursar creates and stores the key'],
  ['PROVIDER_A', 'Provider A'],
  ['PROVIDER_B', 'Provider B'],
  ['EXTERNAL', 'External: you pay, Bursar authorizes and records'],
  ['SMART_CONTRACT', 'Smart contract: you pay, Bursar authorizes and records'],
]
const NEW = { name: '', custodyType: 'MANAGED' as Custody, chainId: '84532', address: '' }

export function WalletForm({ onDone }: { onDone: (wallet: Wallet) => void }) {
  const { draft, set } = useDraft(NEW)
  const { custodyType } = draft
  const isOwn = custodyType !== 'MANAGED'
  const sending = useSending(async (once) => {
    const { chainId, address, ...more } = draft
    const chainType: 'SOLANA' | 'EVM' = chainId.startsWith('solana') ? 'SOLANA' : 'EVM'
    const body = { ...more, chainType, chainId, address: isOwn && address !== '' ? address : undefined }
    onDone(await api.call('POST /api/wallets', { body }, once))
    return `${draft.name} was created`
  }, CLOSES)
  const fields: Rows<typeof NEW> = [
    { name: 'name', label: 'Name', required: true, maxLength: 100 },
    { name: 'custodyType', label: 'Custody', options: CUSTODY },
    { name: 'chainId', label: 'Chain', options: CHAIN_IDS.map((id) => [id, chainName(id)]) },
    isOwn && {
      name: 'address',
      label: 'Address',
      required: custodyType === 'EXTERNAL' || custodyType === 'SMART_CONTRACT',
    },
  ]
  return (
    <Form sending={sending} submit="Create wallet">
      <Fields draft={draft} set={set} of={fields} />
    </Form>
  )
}

const NAME: Rows<Pick<Wallet, 'name'>> = [{ name: 'name', label: 'Name', required: true, maxLength: 100 }]

export function RenameWallet({ of, onDone }: { of: Wallet; onDone: () => void }) {
  const path = { walletId: of.id }
  return (
    <EditForm
      record={of}
      draftOf={({ name }) => ({ name })}
      read={() => api.call('GET /api/wallets/{walletId}', { path })}
      write={(body) => api.call('PATCH /api/wallets/{walletId}', { path, body })}
      after={onDone}
      done="The wallet was renamed"
      fields={NAME}
    />
  )
}

const FUNDS = { amount: '1000' }
const FUND_FIELDS: Rows<typeof FUNDS> = [
  { name: 'amount', label: 'Amount, USDC', required: true, ...AMOUNT, hint: 'Simulated: no funds move.' },
]

export function FundForm({ walletId, onDone }: { walletId: string; onDone: () => void }) {
  const { draft, set } = useDraft(FUNDS)
  const sending = useSending(async (once) => {
    await api.call('POST /api/wallets/{walletId}/fund', { path: { walletId }, body: draft }, once)
    onDone()
    return 'The wallet was funded'
  }, CLOSES)
  return (
    <Form sending={sending} submit="Fund">
      <Fields draft={draft} set={set} of={FUND_FIELDS} />
    </Form>
  )
}
