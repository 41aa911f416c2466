// A dialog for a policy's name, description, scope and priority, with the impact of the change.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Opening } from '../components/dialog.js'
import { Field, Form, Select, TextArea, useSending } from '../components/form.js'
import { isEmpty, useEdit } from '../edit.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import { readPolicy } from './policy.js'
import type { Policy } from '../records.js'

interface Props {
  policy: Policy
  onChanged: () => void
}

export function Details(props: Props) {
  return (
    <Opening label="Edit details" title="Edit policy details">
      {(close) => <DetailsForm {...props} onClose={close} />}
    </Opening>
  )
}

const detailsOf = ({ name, description, scope, priority }: Policy) => ({
  name,
  description: description ?? '',
  scope,
  priority: String(priority),
})

function bodyOf({ name, description, scope, priority }: Partial<ReturnType<typeof detailsOf>>) {
  return {
    name,
    scope,
    ...(description !== undefined && { description: description || null }),
    ...(priority !== undefined && { priority: Number(priority) }),
  }
}

function DetailsForm({ policy, onChanged, onClose }: Props & { onClose: () => void }) {
  const path = { policyId: policy.id }
  const { draft, set, changes } = useEdit(detailsOf(policy))
  const { scope } = draft
  const [force, setForce] = useState(false)
  const looked = useImpact(policy.id, scope === policy.scope ? undefined : { scope })
  const sending = useSending(async () => {
    const now = await readPolicy(policy.id)
    const changed = changes(detailsOf(now))
    if (isEmpty(changed)) return 'No changes to save'
    const parts = { path, body: bodyOf(changed), query: { force: force || undefined } }
    await api.call('PATCH /api/policies/{policyId}', parts, { ifMatch: now.version })
    onChanged()
    return 'The details were saved as a new version'
  })
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onClose()
    return isDone
  }
  return (
    <Form
      sending={{ ...sending, send }}
      submit="Save as new version"
      beside={
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <Field label="Name" path="name" required maxLength={100} value={draft.name} onValue={(name) => set({ name })} />
      <TextArea
        label="Description"
        path="description"
        maxLength={500}
        value={draft.description}
        onValue={(description) => set({ description })}
      />
      <Select
        label="Applies to"
        path="scope"
        value={scope}
        onValue={(value) => set({ scope: value as Policy['scope'] })}
        options={[
          ['assigned', 'Assigned agents and wallets'],
          ['organization', 'All agents of the organization'],
        ]}
      />
      <Field
        label="Priority"
        path="priority"
        type="number"
        min={0}
        max={100}
        required
        value={draft.priority}
        onValue={(priority) => set({ priority })}
        hint="0 to 100. If several policies deny, the highest is listed first."
      />
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
    </Form>
  )
}
