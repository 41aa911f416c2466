// The actions on an agent: pausing and freezing, which can be undone, and ending it, which cannot.
import { api } from '../api.js'
import type { Agent } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { EditAgent } from './editAgent.js'
import { Section } from './page.js'
import { TestPayment } from './testPayment.js'

interface Props {
  agent: Agent
  reload: () => void
}

const setStatus = (agentId: string, status: 'ACTIVE' | 'PAUSED' | 'REVOKED') =>
  api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body: { status } })

export function AgentActions({ agent, reload }: Props) {
  const { id, name, status } = agent
  if (!useMay('MANAGER') || status === 'REVOKED') return null
  return (
    <>
      <TestPayment agent={agent} />
      <Opening label="Edit" title={`Edit ${name}`}>
        <EditAgent agent={agent} onDone={reload} />
      </Opening>
      {status === 'ACTIVE' && (
        <Confirm
          label="Pause"
          title={`Pause ${name}?`}
          act={() => setStatus(id, 'PAUSED')}
          after={reload}
          done={`${name} is paused`}
        >
          Its payments are not executed until it is resumed. Approved payments stay pending until they expire.
        </Confirm>
      )}
      {status === 'PAUSED' && (
        <Confirm
          label="Resume"
          title={`Resume ${name}?`}
          act={() => setStatus(id, 'ACTIVE')}
          after={reload}
          done={`${name} is active`}
        >
          It may pay again, within its limits.
        </Confirm>
      )}
      <Freezing agent={agent} reload={reload} />
    </>
  )
}

function Freezing({ agent: { id: agentId, name, status }, reload }: Props) {
  const path = { agentId }
  if (status === 'SUSPENDED') {
    return (
      <Confirm
        label="Unfreeze"
        title={`Unfreeze ${name}?`}
        reason="optional"
        act={(once, reason) =>
          api.call('POST /api/agents/{agentId}/unfreeze', { path, body: { reason: reason || undefined } }, once)
        }
        after={reload}
        done={`${name} may pay again`}
      >
        It may pay again, within its limits.
      </Confirm>
    )
  }
  return (
    <Confirm
      label="Freeze"
      icon="freeze"
      title={`Freeze ${name}?`}
      danger
      reason
      act={(once, reason) => api.call('POST /api/agents/{agentId}/freeze', { path, body: { reason } }, once)}
      after={reload}
      done={({ auditSequence }) => `${name} is frozen: no payment is executed after audit entry ${auditSequence}`}
    >
      Suspends the agent immediately, for a review: none of its payments is executed after this audit entry.
    </Confirm>
  )
}

/** Irreversible actions are kept apart. */
export function AgentRemoval({ agent: { id, name, status }, reload }: Props) {
  if (!useMay('MANAGER')) return null
  const actions = (
    <>
      {status !== 'REVOKED' && (
        <Confirm
          label="Revoke"
          title={`Revoke ${name}?`}
          confirm="Revoke permanently"
          danger
          act={() => setStatus(id, 'REVOKED')}
          after={reload}
          done={`${name} is revoked`}
        >
          It can never pay again. It stays in the list. This cannot be undone.
        </Confirm>
      )}
      <Confirm
        label="Remove"
        title={`Remove ${name}?`}
        danger
        act={() => api.call('DELETE /api/agents/{agentId}', { path: { agentId: id } })}
        after={() => go(to('agents'))}
        done={`${name} was removed`}
      >
        Its keys and delegations are revoked and its name becomes available. This cannot be undone.
      </Confirm>
    </>
  )
  const lead = 'Neither can be undone. Its payments and the audit log are kept.'
  return <Section title="Danger zone" lead={lead} actions={actions} />
}
