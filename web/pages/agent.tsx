// One agent: whether it may pay, its wallets and limits, its keys, its policies and its latest payments.
import { api } from '../api.js'
import { agentTypeName } from '../components/agentForm.js'
import { AgentActions, AgentRemoval } from '../components/agentActions.js'
import { AgentKeys } from '../components/agentKeys.js'
import { AgentWallets } from '../components/agentWallets.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Long, Time } from '../components/amounts.js'
import { Page, Section } from '../components/page.js'
import { AgentPolicies } from '../components/agentPolicies.js'
import { Empty, When } from '../components/loadingStates.js'
import { plural } from '../format/money.js'
import { useLoad } from '../load.js'
import type { Agent } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { PaymentTable } from './payments.js'

const EVERY_MS = 10_000

export default function AgentPage({ params }: PageProps) {
  const agentId = params['id']!
  const agent = useLoad(() => api.call('GET /api/agents/{agentId}', { path: { agentId } }), [agentId], {
    everyMs: EVERY_MS,
  })
  const shown = agent.data
  return (
    <Page
      title={shown?.name ?? 'Agent'}
      back={{ href: to('agents'), label: 'Agents' }}
      mark={shown && <Badge status={shown.status} />}
      lead={shown?.description}
      actions={shown && <AgentActions agent={shown} reload={agent.reload} />}
    >
      <When of={agent} rows={8}>
        {(data) => (
          <>
            <AgentWallets agent={data} reload={agent.reload} />
            <div class="cards">
              <About agent={data} />
              <AgentPolicies agent={data} reload={agent.reload} />
            </div>
            <AgentKeys agentId={agentId} />
            <Latest agentId={agentId} />
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
          ['Total spent', plural(agent._count.sentTransactions, 'time')],
          ['Webhook URL', <Long text={agent.publicKey} />],
          ['External ID', agent.externalId],
          ['Contexts', agent.allowedContexts.length > 0 ? agent.allowedContexts.join(', ') : undefined],
          ['Webhook events', agent.callbackUrl ?? <span class="hint">organization endpoint only</span>],
          ['Created', <Time at={agent.createdAt} />],
          ['ID', <Long text={agent.id} what="agent id" />],
        ]}
      />
    </div>
  )
}

function Latest({ agentId }: { agentId: string }) {
  const payments = useLoad(() => api.call('GET /api/payments', { query: { agentId, limit: 8 } }), [agentId], {
    everyMs: EVERY_MS,
  })
  return (
    <Section
      title="Recent payments"
      actions={
        <a class="button" href={to('payments', { agent: agentId })}>
          View all
        </a>
      }
    >
      <When of={payments}>
        {(page) =>
          page.payments.length > 0 ? (
            <PaymentTable rows={page.payments} withoutAgent />
          ) : (
            <Empty icon="payments" title="No payments yet">
              Payment requests of this agent appear here with their decisions.
            </Empty>
          )
        }
      </When>
    </Section>
  )
}
