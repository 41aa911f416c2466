// One agent: whether it may pay, from which wallets within which limits, its keys, its policies and what it paid lately.
import { api, type Answer } from '../api.js'
import { agentTypeName } from '../components/agentForm.js'
import { AgentKeys } from '../components/agentKeys.js'
import { AgentWallets } from '../components/agentWallets.js'
import { Badge } from '../components/badge.js'
import { Ask } from '../components/dialog.js'
import { EditAgent } from '../components/editAgent.js'
import { Facts } from '../components/facts.js'
import { Long, Time } from '../components/figures.js'
import { Icon } from '../components/icon.js'
import { Opening } from '../components/opening.js'
import { Page, Section } from '../components/page.js'
import { AgentPolicies } from '../components/agentPolicies.js'
import { Empty, When } from '../components/states.js'
import { plural } from '../format/money.js'
import { useLoad } from '../load.js'
import { go, to } from '../router.js'
import type { PageProps } from '../routes.js'
import { useMay } from '../session.js'
import { PaymentTable } from './payments.js'

export type Agent = Answer<'GET /api/agents/{agentId}'>

const EVERY_MS = 10_000

export default function AgentPage({ params }: PageProps) {
  const agentId = params['id']!
  const agent = useLoad(() => api.call('GET /api/agents/{agentId}', { path: { agentId } }), [agentId], { everyMs: EVERY_MS })
  const shown = agent.data
  return (
    <Page title={shown?.name ?? 'Agent'} back={{ href: to('agents'), label: 'Agents' }} mark={shown && <Badge status={shown.status} />}
      lead={shown?.description} actions={shown && <Deeds agent={shown} reload={agent.reload} />}>
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
            <End agent={data} reload={agent.reload} />
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
      <Facts of={[
        ['Type', agentTypeName(agent.agentType)],
        ['Paid', plural(agent._count.sentTransactions, 'time')],
        ['Address', <Long text={agent.publicKey} />],
        ['External id', agent.externalId],
        ['Contexts', agent.allowedContexts.length > 0 ? agent.allowedContexts.join(', ') : undefined],
        ['Events go to', agent.callbackUrl ?? <span class="hint">the organization alone</span>],
        ['Since', <Time at={agent.createdAt} />],
        ['Id', <Long text={agent.id} what="agent id" />],
      ]} />
    </div>
  )
}

function Deeds({ agent: { id: agentId, name, status, description, callbackUrl }, reload }: { agent: Agent; reload: () => void }) {
  const may = useMay('MANAGER')
  if (!may || status === 'REVOKED') return null
  const path = { agentId }
  const set = async (next: 'ACTIVE' | 'PAUSED'): Promise<string> => {
    await api.call('PATCH /api/agents/{agentId}', { path, body: { status: next } })
    reload()
    return `${name} is ${next.toLowerCase()}`
  }
  const freeze = async (reason: string): Promise<string> => {
    const { auditSequence } = await api.call('POST /api/agents/{agentId}/freeze', { path, body: { reason } })
    reload()
    return `${name} is frozen: nothing of it is carried out after audit entry ${auditSequence}`
  }
  const unfreeze = async (): Promise<string> => {
    await api.call('POST /api/agents/{agentId}/unfreeze', { path })
    reload()
    return `${name} may pay again`
  }
  return (
    <>
      <Opening label="Edit" title={`Edit ${name}`}>
        {(close) => <EditAgent agentId={agentId} name={name} description={description} callbackUrl={callbackUrl} onDone={reload} close={close} />}
      </Opening>
      {status === 'SUSPENDED' && (
        <Ask label="Unfreeze" title={`Unfreeze ${name}?`} confirm="Unfreeze" act={unfreeze}>It may pay again, within its limits.</Ask>
      )}
      {status === 'PAUSED' && <Ask label="Resume" title={`Resume ${name}?`} confirm="Resume" act={() => set('ACTIVE')}>It may pay again, within its limits.</Ask>}
      {status === 'ACTIVE' && <Ask label="Pause" title={`Pause ${name}?`} confirm="Pause" act={() => set('PAUSED')}>Nothing of it is carried out until it is resumed. What was approved waits until it expires.</Ask>}
      {status !== 'SUSPENDED' && (
        <Ask label={<><Icon name="freeze" />Freeze</>} class="danger" title={`Freeze ${name}?`} confirm="Freeze" danger reason act={freeze}>
          Suspends it at once, for a review: no payment of it is carried out after the audit entry of this.
        </Ask>
      )}
    </>
  )
}

/** What cannot be taken back stands apart. */
function End({ agent: { id: agentId, name, status }, reload }: { agent: Agent; reload: () => void }) {
  if (!useMay('MANAGER')) return null
  const path = { agentId }
  const revoke = async (): Promise<string> => {
    await api.call('PATCH /api/agents/{agentId}', { path, body: { status: 'REVOKED' } })
    reload()
    return `${name} is revoked`
  }
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/agents/{agentId}', { path })
    go(to('agents'))
    return `${name} was removed`
  }
  return (
    <Section title="For good" lead="Neither can be taken back. What it paid, and the audit log, stay." actions={
      <>
        {status !== 'REVOKED' && (
          <Ask label="Revoke" class="danger" title={`Revoke ${name} for good?`} confirm="Revoke for good" danger act={revoke}>
            It can never pay again. It stays in the list. This cannot be taken back.
          </Ask>
        )}
        <Ask label="Remove" class="danger" title={`Remove ${name}?`} confirm="Remove" danger act={remove}>
          Its keys and delegations end and its name becomes free. This cannot be taken back.
        </Ask>
      </>
    }>{null}</Section>
  )
}

function Latest({ agentId }: { agentId: string }) {
  const payments = useLoad(() => api.call('GET /api/payments', { query: { agentId, limit: 8 } }), [agentId], { everyMs: EVERY_MS })
  return (
    <Section title="Latest payments" actions={<a class="button" href={to('payments', { agent: agentId })}>All payments</a>}>
      <When of={payments}>
        {(page) => page.payments.length > 0
          ? <PaymentTable rows={page.payments} withoutAgent />
          : <Empty icon="payments" title="It has not asked to pay yet">Its first request shows here, with how it was decided.</Empty>}
      </When>
    </Section>
  )
}
