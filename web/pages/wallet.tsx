// One wallet: what it holds and what is available, who may spend from it, its policies and its latest payments.
import { Long, Money, Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Opening } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { Notice, When } from '../components/loadingStates.js'
import { Page } from '../components/page.js'
import { WalletActions, WalletRemoval } from '../components/walletActions.js'
import { availableIn, custodyText, enforcementText } from '../components/walletFacts.js'
import { RenameWallet } from '../components/walletForms.js'
import { RecentPayments } from '../components/recentPayments.js'
import { WalletPolicies } from '../components/walletPolicies.js'
import { WalletSpenders } from '../components/walletSpenders.js'
import { useRead } from '../load.js'
import type { PageProps } from '../page.js'
import type { Wallet } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'

const EVERY_MS = 10_000

export default function WalletPage({ params }: PageProps) {
  const walletId = params['id']!
  const may = useMay('MANAGER')
  const wallet = useRead('GET /api/wallets/{walletId}', { path: { walletId } }, { everyMs: EVERY_MS })
  const shown = wallet.data
  return (
    <Page
      title={shown?.name ?? 'Wallet'}
      back={{ href: to('wallets'), label: 'Wallets' }}
      status={shown && <Badge status={shown.status} />}
      lead={shown && custodyText(shown)}
      actions={
        shown &&
        may && (
          <>
            <WalletActions of={shown} reload={wallet.reload} />
            <Opening label="Rename" title={`Rename ${shown.name}`}>
              <RenameWallet of={shown} onDone={wallet.reload} />
            </Opening>
            <WalletRemoval of={shown} after={() => go(to('wallets'))} />
          </>
        )
      }
    >
      <When of={wallet} rows={8}>
        {(data) => (
          <>
            {data.status === 'FROZEN' && (
              <Notice tone="danger">
                <strong>Frozen:</strong> no payment is executed from this wallet until it is unfrozen.
              </Notice>
            )}
            <Figures of={data} />
            <WalletSpenders walletId={walletId} everyMs={EVERY_MS} />
            <div class="cards">
              <About wallet={data} />
              <WalletPolicies walletId={walletId} />
            </div>
            <RecentPayments of="wallet" id={walletId} everyMs={EVERY_MS} />
          </>
        )}
      </When>
    </Page>
  )
}

function Figures({ of }: { of: Wallet }) {
  const figures = [
    ['Balance', of.balance],
    ['Reserved now', of.reserved],
    ['Available', availableIn(of)],
  ] as const
  return (
    <div class="figures">
      {figures.map(([label, amount]) => (
        <div key={label} class="figure">
          <span>{label}</span>
          <strong>
            <Money amount={amount} currency={of.currency} />
          </strong>
        </div>
      ))}
    </div>
  )
}

function About({ wallet }: { wallet: Wallet }) {
  const { id, address, addressProved, enforcement, createdAt } = wallet
  return (
    <div class="card">
      <div class="card-head">
        <h2>About</h2>
        <ButtonLink href={to('inspect', 'wallet', id)} label="Inspect" />
      </div>
      <Facts
        of={[
          ['Address', <Long text={address} />],
          ['Ownership', addressProved ? 'Proved' : 'Not proved'],
          ['Enforcement', enforcementText(enforcement)],
          ['Created', <Time at={createdAt} />],
          ['ID', <Long text={id} what="wallet id" />],
        ]}
      />
    </div>
  )
}
