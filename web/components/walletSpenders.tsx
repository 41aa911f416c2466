// The agents that may spend from a wallet: the limits of each delegation, what is left of them, and the terms.
import type { Entry } from '../api.js'
import { decimal } from '../format/money.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import { ButtonLink } from './button.js'
import { DelegationLimits, delegationTerms } from './delegationLimits.js'
import { Facts } from './facts.js'
import { Listed } from './list.js'
import { Section } from './page.js'

type Spender = Entry<'GET /api/wallets/{walletId}/delegations', 'delegations'>

const OF_A_PAGE = 12

export function WalletSpenders({ walletId, everyMs }: { walletId: string; everyMs: number }) {
  const parts = { path: { walletId }, query: { limit: OF_A_PAGE } }
  const spenders = useList('GET /api/wallets/{walletId}/delegations', 'delegations', parts, { everyMs })
  return (
    <Section title="Who may spend from it" lead="Agents that this wallet is delegated to, with their limits.">
      <Listed
        of={spenders}
        rows={2}
        none={{
          icon: 'agents',
          title: 'Not delegated',
          children: 'No agent can pay from this wallet until you delegate it on the page of the agent.',
          action: <ButtonLink href={to('agents')} label="View agents" />,
        }}
      >
        {(rows) => (
          <div class="cards">
            {rows.map((one) => (
              <SpenderCard key={one.id} of={one} />
            ))}
          </div>
        )}
      </Listed>
    </Section>
  )
}

function SpenderCard({ of }: { of: Spender }) {
  return (
    <div class="card">
      <h3>
        <a href={to('agents', of.agentId)}>
          <bdi>{of.agentName}</bdi>
        </a>
      </h3>
      <DelegationLimits of={of} />
      <Facts of={[...delegationTerms(of), ['Spent today', decimal(of.spent.day)]]} />
    </div>
  )
}
