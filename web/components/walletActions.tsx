// What may be done with a wallet: funding a simulated one, renaming, freezing, unfreezing and removing it.
import { api } from '../api.js'
import { money } from '../format/money.js'
import type { Wallet } from '../records.js'
import { useSignedIn } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { FundForm } from './walletForms.js'

interface Props {
  of: Wallet
  reload: () => void
}

/** Those of the list, too. */
export function WalletActions({ of, reload }: Props) {
  const { id: walletId, name, status } = of
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const path = { walletId }
  const set = (next: 'ACTIVE' | 'FROZEN') => api.call('PATCH /api/wallets/{walletId}', { path, body: { status: next } })
  return (
    <>
      {isTest && status === 'ACTIVE' && (
        <Opening label="Fund" about={name} title={`Fund ${name} (simulated)`}>
          <FundForm walletId={walletId} onDone={reload} />
        </Opening>
      )}
      {status === 'ACTIVE' && (
        <Confirm
          label="Freeze"
          about={name}
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
          about={name}
          title={`Unfreeze ${name}?`}
          act={() => set('ACTIVE')}
          after={reload}
          done={`${name} is active`}
        >
          Agents may pay from it again.
        </Confirm>
      )}
    </>
  )
}

export function WalletRemoval({
  of: { id: walletId, name, balance, currency },
  after,
}: {
  of: Wallet
  after: () => void
}) {
  return (
    <Confirm
      label="Remove"
      about={name}
      title={`Remove ${name}?`}
      danger
      act={() => api.call('DELETE /api/wallets/{walletId}', { path: { walletId } })}
      after={after}
      done={`${name} was removed`}
    >
      Its delegations are revoked. It holds {money(balance, currency)}, which stays at its address: transfer it first if
      you need it. This cannot be undone.
    </Confirm>
  )
}
