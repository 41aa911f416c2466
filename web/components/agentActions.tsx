// The actions on an agent: pausing and freezing, which can be undone, and ending it, which cannot.
import { api } from '../api.js'
import type { Agent } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { EditAgent } from './editAgent.js'
import type { Once } from './form.js'
import { Icon } from './icon.js'
import { Section } from './page.js'

interface Props {
  agent: Agent
  reload: () => void
}

export function AgentActions({ agent, reload }: Props) {
  const { name, status } = agent
  if (!useMay('MANAGER') || status === 'REVOKED') return null
  return (
    <>
      <Opening label="Edit" title={`Edit ${name}`}>
        {(close) => <EditAgent agent={agent} onDone={reload} close={close} />}
      </Opening>
      {status !== 'SUSPENDED' && <Pausing agent={agent} reload={reload} />}
      <Freezing agent={agent} reload={reload} />
    </>
  )
}

function Pausing({ agent: { id: agentId, name, status }, reload }: Props) {
  const set = async (next: 'ACTIVE' | 'PAUSED'): Promise<string> => {
    await api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body: { status: next } })
    reload()
    return `${name} is ${next.toLowerCase()}`
  }
  if (status === 'PAUSED') {
    return (
      <Confirm label="Resume" title={`Resume ${name}?`} confirm="Resume" act={() => set('ACTIVE')}>
        It may pay again, within its limits.
      </Confirm>
    )
  }
  return (
    <Confirm label="Pause" title={`Pause ${name}?`} confirm="Pause" act={() => set('PAUSED')}>
      Its payments are not executed until it is resumed. Approved payments stay pending until they expire.
    </Confirm>
  )
}

function Freezing({ agent: { id: agentId, name, status }, reload }: Props) {
  const path = { agentId }
  const freeze = async (once: Once, reason: string): Promise<string> => {
    const parts = { path, body: { reason } }
    const { auditSequence } = await api.call('POST /api/agents/{agentId}/freeze', parts, once)
    reload()
    return `${name} is frozen: no payment is executed after audit entry ${auditSequence}`
  }
  const unfreeze = async (once: Once, reason: string): Promise<string> => {
    await api.call('POST /api/agents/{agentId}/unfreeze', { path, body: { reason: reason || undefined } }, once)
    reload()
    return `${name} may pay again`
  }
  if (status === 'SUSPENDED') {
    return (
      <Confirm label="Unfreeze" title={`Unfreeze ${name}?`} confirm="Unfreeze" reason="optional" act={unfreeze}>
        It may pay again, within its limits.
      </Confirm>
    )
  }
  const label = (
    <>
      <Icon name="freeze" />
      Freeze
    </>
  )
  return (
    <Confirm label={label} class="danger" title={`Freeze ${name}?`} confirm="Freeze" danger reason act={freeze}>
      Suspends the agent immediately, for a review: none of its payments is executed after this audit entry.
    </Confirm>
  )
}

/** Irreversible actions are kept apart. */
export function AgentRemoval({ agent: { id: agentId, name, status }, reload }: Props) {
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
  const actions = (
    <>
      {status !== 'REVOKED' && (
        <Confirm
          label="Revoke"
          class="danger"
          title={`Revoke ${name}?`}
          confirm="Revoke permanently"
          danger
          act={revoke}
        >
          It can never pay again. It stays in the list. This cannot be undone.
        </Confirm>
      )}
      <Confirm label="Remove" class="danger" title={`Remove ${name}?`} confirm="Remove" danger act={remove}>
        Its keys and delegations are revoked and its name becomes available. This cannot be undone.
      </Confirm>
    </>
  )
  const lead = 'Neither can be undone. Its payments and the audit log are kept.'
  return <Section title="Danger zone" lead={lead} actions={actions} />
}
