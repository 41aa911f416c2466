// The policies that apply to an agent, with assigning and unassigning.
import { api, everyOne } from '../api.js'
import { words } from '../format/words.js'
import { useLoad } from '../load.js'
import type { Agent } from '../records.js'
import { to } from '../router.js'
import { useMay } from '../session.js'
import { AssignForm } from './assignForm.js'
import { Badge } from './badge.js'
import { Confirm, Opening } from './dialog.js'
import { Empty, When } from './loadingStates.js'
import { TwoLines } from './table.js'

interface Props {
  agent: Agent
  reload: () => void
}

export function AgentPolicies({ agent, reload }: Props) {
  const may = useMay('MANAGER') && agent.status !== 'REVOKED'
  const path = { agentId: agent.id }
  return (
    <div class="card">
      <div class="card-head">
        <h2>Policies</h2>
        {may && (
          <Opening label="Assign" title={`Assign a policy to ${agent.name}`}>
            <Assign agent={agent} reload={reload} />
          </Opening>
        )}
      </div>
      {agent.policies.length === 0 && (
        <p class="hint">No policy is assigned. Organization-wide policies still apply.</p>
      )}
      <ul class="lines">
        {agent.policies.map(({ id: policyId, name, policyType, isActive }) => (
          <li key={policyId}>
            <span>
              <TwoLines first={<a href={to('policies', policyId)}>{name}</a>} second={words(policyType)} />
            </span>
            {!isActive && <Badge status="INACTIVE" />}
            {may && (
              <Confirm
                label="Unassign"
                class="small"
                title={`Unassign ${name} from ${agent.name}?`}
                danger
                act={() => api.call('DELETE /api/agents/{agentId}/policies', { path, query: { policyId } })}
                after={reload}
                done={`${name} no longer applies to ${agent.name}`}
              >
                Payments of {agent.name} are no longer subject to it. An organization-wide policy still applies.
              </Confirm>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Assign({ agent, reload }: Props) {
  const policies = useLoad(() => everyOne(api.list('GET /api/policies', 'policies', { query: { limit: 100 } })), [])
  const path = { agentId: agent.id }
  const has = agent.policies.map(({ id }) => id)
  return (
    <When of={policies}>
      {(all) => {
        const free = all.filter(({ id, scope }) => scope === 'assigned' && !has.includes(id))
        if (free.length === 0)
          return (
            <Empty icon="policies" title="No other policy to assign">
              Create one under Policies first. Organization-wide policies need no assignment.
            </Empty>
          )
        return (
          <AssignForm
            label="Policy"
            path="policyId"
            from={free}
            assign={(policyId, once) =>
              api.call('POST /api/agents/{agentId}/policies', { path, body: { policyId } }, once)
            }
            onDone={reload}
          />
        )
      }}
    </When>
  )
}
