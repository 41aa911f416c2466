// The wallets that an agent may spend from: the limits, what is left of them, and the terms.
import { api, everyOne } from '../api.js'
import { chainName } from '../format/words.js'
import { useLoad } from '../load.js'
import type { Agent, Delegation } from '../records.js'
import { useMay } from '../session.js'
import { Badge } from './badge.js'
import { DelegationForm, EditDelegation } from './delegationForm.js'
import { DelegationLimits, delegationTerms } from './delegationLimits.js'
import { Confirm, Opening } from './dialog.js'
import { Facts } from './facts.js'
import { Empty, When } from './loadingStates.js'
import { Section } from './page.js'

interface Props {
  agent: Agent
  reload: () => void
}

export function AgentWallets({ agent, reload }: Props) {
  const may = useMay('MANAGER') && agent.status !== 'REVOKED'
  const active = agent.wallets.filter(({ status }) => status === 'ACTIVE')
  const delegate = may && (
    <Opening label="Delegate wallet" icon="plus" title={`Delegate a wallet to ${agent.name}`}>
      <Delegate agent={agent} taken={active} reload={reload} />
    </Opening>
  )
  return (
    <Section title="Wallets and limits" actions={delegate}>
      {active.length === 0 ? (
        <Empty icon="wallets" title="No wallet delegated">
          All payment requests of this agent are denied until you delegate a wallet to it.
        </Empty>
      ) : (
        <div class="cards">
          {active.map((of) => (
            <WalletCard key={of.id} of={of} may={may} reload={reload} />
          ))}
        </div>
      )}
    </Section>
  )
}

function Delegate({ agent, taken, reload }: Props & { taken: readonly Delegation[] }) {
  const wallets = useLoad(
    () => everyOne(api.list('GET /api/wallets', 'wallets', { query: { status: 'ACTIVE', limit: 100 } })),
    [],
  )
  return (
    <When of={wallets}>
      {(all) => {
        const free = all.filter(({ id }) => !taken.some(({ walletId }) => walletId === id))
        if (free.length === 0)
          return (
            <Empty icon="wallets" title="No other wallet">
              Create one under Wallets first.
            </Empty>
          )
        return <DelegationForm agentId={agent.id} wallets={free} submit="Delegate" onDone={reload} />
      }}
    </When>
  )
}

function WalletCard({ of, may, reload }: { of: Delegation; may: boolean; reload: () => void }) {
  const { agentId, walletId, wallet } = of
  return (
    <div class="card">
      <div class="card-head">
        <h3>
          {wallet.name} <span class="hint">{chainName(wallet.chainId)}</span>
        </h3>
        {wallet.status !== 'ACTIVE' && <Badge status={wallet.status} />}
      </div>
      <DelegationLimits of={of} />
      <Facts of={delegationTerms(of)} />
      {may && (
        <div class="actions">
          <Opening label="Edit limits" title={`Edit delegation of ${wallet.name}`}>
            <EditDelegation of={of} onDone={reload} />
          </Opening>
          <Confirm
            label="Revoke"
            title={`Revoke delegation of ${wallet.name}?`}
            danger
            act={() => api.call('DELETE /api/agents/{agentId}/wallets', { path: { agentId }, query: { walletId } })}
            after={reload}
            done="The delegation was revoked"
          >
            The agent can no longer pay from {wallet.name}. Approved payments that are not executed yet will be refused.
          </Confirm>
        </div>
      )}
    </div>
  )
}
