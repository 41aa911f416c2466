// One agent: whether it may pay, its wallets and limits, its keys, its policies and its latest payments.
import { agentTypeName } from '../components/agentForm.js'
import { AgentActions, AgentRemoval } from '../components/agentActions.js'
import { AgentForecast } from '../components/agentForecast.js'
import { AgentFreezing } from '../components/agentFreezing.js'
import { AgentKeys } from '../components/agentKeys.js'
import { AgentWallets } from '../components/agentWallets.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Long, Time } from '../components/amounts.js'
import { Page } from '../components/page.js'
import { AgentCards } from '../components/agentCards.js'
import { AgentPolicies } from '../components/agentPolicies.js'
import { RecentPayments } from '../components/recentPayments.js'
import { Notice, When } from '../components/loadingStates.js'
import { useRead } from '../load.js'
import type { Agent } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { grouped } from '../format/money.js'

const EVERY_MS = 10_000

export default function AgentPage({ params }: PageProps) {
  const agentId = params['id']!
  const agent = useRead('GET /api/agents/{agentId}', { path: { agentId } }, { everyMs: EVERY_MS })
  const shown = agent.data
  return (
    <Page
      title={shown?.name ?? 'Agent'}
      back={{ href: to('agents'), label: 'Agents' }}
      status={shown && <Badge status={shown.status} />}
      lead={shown?.description}
      actions={shown && <AgentActions agent={shown} reload={agent.reload} />}
    >
      <When of={agent} rows={8}>
        {(data) => (
          <>
            {data.frozenFor !== null && (
              <Notice tone="danger">
                <strong>Frozen:</strong> {data.frozenFor}
              </Notice>
            )}
            <AgentWallets agent={data} reload={agent.reload} />
            <AgentCards agent={data} />
            <AgentForecast agent={data} />
            <div class="cards">
              <About agent={data} />
              <AgentFreezing agent={data} reload={agent.reload} />
              <AgentPolicies agent={data} reload={agent.reload} />
            </div>
            <AgentKeys agentId={agentId} />
            <RecentPayments of="agent" id={agentId} everyMs={EVERY_MS} />
            <AgentRemoval agent={data} reload={agent.reload} />
          </>
        )}
      </When>
    </Page>
  )
}

function About({ agent }: { agent: Agent }) {
  return (
    <div class="card">
      <h2>About</h2>
      <Facts
        of={[
          ['Type', agentTypeName(agent.agentType)],
          ['Payments', `${grouped(agent._count.sentTransactions)} executed`],
          ['Public key', <Long text={agent.publicKey} what="public key" />],
          ['External ID', agent.externalId],
          ['Allowed contexts', agent.allowedContexts.join(', ') || undefined],
          ['Webhook URL', agent.callbackUrl ?? <span class="hint">organization endpoint only</span>],
          ['Created', <Time at={agent.createdAt} />],
          ['ID', <Long text={agent.id} what="agent id" />],
        ]}
      />
    </div>
  )
}
