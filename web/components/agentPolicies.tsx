// The policies that apply to an agent, with assigning and unassigning.
import { useState } from 'preact/hooks'
import { api, everyOne } from '../api.js'
import { words } from '../format/words.js'
import { useLoad } from '../load.js'
import type { Agent } from '../records.js'
import { to } from '../router.js'
import { useMay } from '../session.js'
import { Badge } from './badge.js'
import { Confirm, Opening } from './dialog.js'
import { Form, Select, useSending } from './form.js'
import { Empty, When } from './loadingStates.js'

interface Props {
  agent: Agent
  reload: () => void
}

export function AgentPolicies({ agent, reload }: Props) {
  const may = useMay('MANAGER') && agent.status !== 'REVOKED'
  return (
    <div class="card">
      <div class="card-head">
        <h2>Policies</h2>
        {may && (
          <Opening label="Assign" title={`Assign a policy to ${agent.name}`}>
            {(close) => (
              <Assign
                agent={agent}
                onDone={() => {
                  reload()
                  close()
                }}
              />
            )}
          </Opening>
        )}
      </div>
      {agent.policies.length === 0 && (
        <p class="hint">No policy is assigned. Organization-wide policies still apply.</p>
      )}
      <ul class="lines">
        {agent.policies.map(({ id, name, policyType, isActive }) => (
          <li key={id}>
            <span>
              <a href={to('policies', id)}>{name}</a>
              <br />
              <span class="hint">{words(policyType)}</span>
            </span>
            {!isActive && <Badge status="INACTIVE" />}
            {may && <TakeAway agent={agent} policyId={id} name={name} reload={reload} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function TakeAway({ agent, policyId, name, reload }: Props & { policyId: string; name: string }) {
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/agents/{agentId}/policies', { path: { agentId: agent.id }, query: { policyId } })
    reload()
    return `${name} no longer applies to ${agent.name}`
  }
  return (
    <Confirm
      label="Remove"
      class="small"
      title={`Remove ${name} from ${agent.name}?`}
      confirm="Remove"
      danger
      act={remove}
    >
      Payments of {agent.name} are no longer subject to it. An organization-wide policy still applies.
    </Confirm>
  )
}

function Assign({ agent, onDone }: { agent: Agent; onDone: () => void }) {
  const policies = useLoad(() => everyOne(api.list('GET /api/policies', 'policies', { query: { limit: 100 } })), [])
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
        return <AssignForm agentId={agent.id} policies={free} onDone={onDone} />
      }}
    </When>
  )
}

function AssignForm({
  agentId,
  policies,
  onDone,
}: {
  agentId: string
  policies: { id: string; name: string }[]
  onDone: () => void
}) {
  const [policyId, setPolicy] = useState(policies[0]!.id)
  const sending = useSending(async (once) => {
    await api.call('POST /api/agents/{agentId}/policies', { path: { agentId }, body: { policyId } }, once)
    onDone()
    return 'The policy was assigned'
  })
  return (
    <Form sending={sending} submit="Assign">
      <Select
        label="Policy"
        path="policyId"
        options={policies.map(({ id, name }) => [id, name])}
        value={policyId}
        onValue={setPolicy}
      />
    </Form>
  )
}
